"""Row by row, kernels of the DSP extension give the bytes of portable ones for whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcucomp.backends.dsp.rows import ROW_FORMS
from mcucomp.ops import KernelCall
from tests.oracle.cases import Draw
from tests.support import drawn_calls, tools
from tests.support.device_runner import Pair, differences

CASES = 120
DRAWN: dict[str, Callable[[Draw], tuple[KernelCall, int, int]]] = {
    "convolution": drawn_calls.convolution,
    "convolution_3x3": drawn_calls.convolution_3x3,
    "pointwise": drawn_calls.pointwise,
    "depthwise_3x3": drawn_calls.depthwise_3x3,
    "add": drawn_calls.add,
}
# Of the drawn calls at least this share must run in rows, else the test says nothing.
SHARE = 0.2


def _pairs(seeds: range) -> list[Pair]:
    pairs = []
    for draw_call in DRAWN.values():
        of_kind = []
        for seed in seeds:
            call, input_bytes, output_bytes = draw_call(Draw(seed))
            of_kind += [
                Pair(call, tested, (input_bytes,) * len(call.reads), output_bytes, form=form)
                for tested, form in drawn_calls.in_rows(call, input_bytes, output_bytes)
                if tested.kernel in ROW_FORMS
            ]
        assert len(of_kind) >= SHARE * len(seeds), draw_call
        pairs += of_kind
    return pairs


@pytest.mark.parametrize("board", ["mps2-an386", "mps2-an500"])
def test_rows_give_the_portable_bytes(board: str, tmp_path: Path) -> None:
    """On a Cortex-M4 and a Cortex-M7."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    pairs = _pairs(range(CASES))
    assert {pair.tested.kernel for pair in pairs} == set(ROW_FORMS)
    assert differences(pairs, tmp_path, board) == []
