"""Row by row, kernels of the DSP extension give the bytes of portable ones for whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcucomp.backends import dsp
from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.rows import ROW_FORMS
from mcucomp.ops import KernelCall
from mcucomp.ops.row_forms import RowForm, Rows, row_form
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


def _heights(call: KernelCall) -> tuple[int, int]:
    """Rows of input and output; pixels of a layer that has no image are rows of one."""
    if "in_height" in call.params:
        return int(str(call.params["in_height"])), int(str(call.params["out_height"]))
    pixels = int(str(call.params.get("pixels", 1)))
    return pixels, pixels


def _forms(
    call: KernelCall, input_bytes: int, output_bytes: int
) -> list[tuple[KernelCall, RowForm]]:
    """What the backend has for `call` that runs in rows."""
    found = []
    heights = _heights(call)
    if input_bytes % heights[0] or output_bytes % heights[1]:
        return []
    seen = Rows(heights[0], input_bytes // heights[0])
    out = Rows(heights[1], output_bytes // heights[1])
    for rule in dsp.BACKEND.rules[call.kernel]:
        try:
            tested = rule(call)
        except Refused:
            continue
        form = row_form(tested, [seen] * len(call.reads), out)
        if form is not None:
            found.append((tested, form))
    return found


def _pairs(seeds: range) -> list[Pair]:
    pairs = []
    for draw_call in DRAWN.values():
        of_kind = []
        for seed in seeds:
            call, input_bytes, output_bytes = draw_call(Draw(seed))
            of_kind += [
                Pair(call, tested, (input_bytes,) * len(call.reads), output_bytes, form=form)
                for tested, form in _forms(call, input_bytes, output_bytes)
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
