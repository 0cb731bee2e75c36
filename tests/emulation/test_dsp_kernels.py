"""Kernels of the DSP extension give the portable kernels' bytes, on the emulated Cortex-M4."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mcucomp.backends import dsp
from mcucomp.backends.base import Refused
from mcucomp.ops import KernelCall
from tests.oracle.cases import Draw
from tests.support import drawn_calls, tools
from tests.support.device_runner import Pair, differences

CASES = 400
PAIRS_AN_IMAGE = 400
DRAWN: dict[str, Callable[[Draw], tuple[KernelCall, int, int]]] = {
    "convolution": drawn_calls.convolution,
    "convolution_3x3": drawn_calls.convolution_3x3,
    "pointwise": drawn_calls.pointwise,
    "depthwise_3x3": drawn_calls.depthwise,
    "depthwise_1xn": partial(drawn_calls.depthwise, is_row=True),
    "fully_connected": drawn_calls.fully_connected,
    "add": drawn_calls.add,
    "average_pool": drawn_calls.average_pool,
}
# Of the drawn calls at least this share must be replaced, else the test says nothing.
REPLACED_SHARE = 0.5


def replaced(call: KernelCall) -> list[KernelCall]:
    """What the backend has for `call`."""
    calls = []
    for rule in dsp.BACKEND.rules[call.kernel]:
        try:
            calls.append(rule(call))
        except Refused:
            continue
    return calls


@pytest.mark.parametrize("kind", DRAWN)
def test_drawn_calls_give_the_portable_bytes(kind: str, tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    pairs = []
    for seed in range(CASES):
        call, input_bytes, output_bytes = DRAWN[kind](Draw(seed))
        pairs += [
            Pair(call, tested, (input_bytes,) * len(call.reads), output_bytes)
            for tested in replaced(call)
        ]
    assert len(pairs) >= REPLACED_SHARE * CASES
    # As many as one image has room for, filters and all.
    for start in range(0, len(pairs), PAIRS_AN_IMAGE):
        assert differences(pairs[start : start + PAIRS_AN_IMAGE], tmp_path) == []
