"""Kernels of the DSP extension give the portable kernels' bytes, on the emulated Cortex-M4."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mcucomp.backends import dsp
from mcucomp.backends.base import Refused
from mcucomp.ops import KernelCall
from tests.oracle.cases import Draw
from tests.support import drawn_calls, tools
from tests.support.device_runner import Pair, differences
from tests.support.drawn_calls import plain_pointwise, with_sum

CASES = 400
PAIRS_AN_IMAGE = 400
DRAWN: dict[str, Callable[[Draw], tuple[KernelCall, int, int]]] = {
    "convolution": drawn_calls.convolution,
    "convolution_3x3": drawn_calls.convolution_3x3,
    "pointwise": drawn_calls.pointwise,
    "depthwise_3x3": drawn_calls.depthwise_3x3,
    "depthwise_row": drawn_calls.depthwise_row,
    "depthwise": drawn_calls.depthwise,
    "fully_connected": drawn_calls.fully_connected,
    "add": drawn_calls.add,
    "average_pool": drawn_calls.average_pool,
    "max_pool": drawn_calls.max_pool,
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


@pytest.mark.parametrize("board", ["mps2-an500"])
def test_another_core_gives_the_same_bytes(board: str, tmp_path: Path) -> None:
    """A Cortex-M7, which joins loads differently in its compiler's eyes."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    pairs = []
    for kind in DRAWN:
        for seed in range(1000, 1020):
            call, input_bytes, output_bytes = DRAWN[kind](Draw(seed))
            pairs += [
                Pair(call, tested, (input_bytes,) * len(call.reads), output_bytes)
                for tested in replaced(call)
            ]
    assert differences(pairs, tmp_path, board) == []


def extreme_calls() -> list[KernelCall]:
    """Every condition just met: largest sums, shifts from end to end, the lowest weight."""
    calls = [
        with_sum(channel, limit - 1, shift)
        for channel, limit, shift in ((0, 1 << 30, 23), (1, 1 << 23, 16), (3, 1 << 23, 16))
    ]
    lowest = np.full((2, 4), 3)
    lowest[1] = [-128, 127, -128, 0]
    calls.append(plain_pointwise(lowest, np.zeros(2)))
    for zero_point in (-128, -127, 127):
        for shift in (1, 2, 15, 16, 17, 22, 23):
            reach = np.array([(1 << shift) // 3, -(1 << shift) // 5, 0, 1 << min(shift, 21)])
            weights = np.full((4, 4), 1 + 127 * (shift >> 4))[:, :4].clip(-127, 127)
            calls.append(plain_pointwise(weights, reach, np.full(4, shift), zero_point))
        # Channels that never change, among others that do.
        weights = np.array([[1] * 4, [100] * 4, [0] * 4, [-100] * 4, [2] * 4])
        bias = np.array([2**30 + 5, 0, 1234, 77, 2000 - 2**31])
        calls.append(plain_pointwise(weights, bias, np.array([3, 9, 0, 8, 31]), zero_point))
    return calls


def test_conditions_just_met_give_the_portable_bytes(tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    pairs = []
    for call in extreme_calls():
        (tested,) = replaced(call)
        pixels, channels = call.params["pixels"], call.params["in_channels"]
        pairs.append(Pair(call, tested, (pixels * channels,), pixels * call.params["out_channels"]))
    assert differences(pairs, tmp_path) == []


def distances(call: KernelCall) -> list[int]:
    """Where the output may lie below its input: as near as possible, and elsewhere."""
    clearance = dsp.BACKEND.contracts[call.kernel](call.params)[0]
    step, low = clearance.multiple_bytes, clearance.low_bytes
    if low is None:
        return [0, step, -step, -2 * step]
    nearest = -(-low // step) * step
    return [nearest, nearest + step]


@pytest.mark.parametrize("kind", DRAWN)
def test_overlap_as_far_as_the_contract_allows(kind: str, tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    near, too_near = [], []
    for seed in range(2000, 2060):
        call, input_bytes, output_bytes = DRAWN[kind](Draw(seed))
        for tested in replaced(call):
            if not dsp.BACKEND.contracts[tested.kernel](tested.params):
                continue
            sizes = ((input_bytes,) * len(call.reads), output_bytes)
            found = distances(tested)
            near += [Pair(call, tested, *sizes, distance=d) for d in found]
            if len(found) == 2:
                too_near.append(Pair(call, tested, *sizes, distance=2 * found[0] - found[1]))
    assert near
    assert differences(near, tmp_path) == []
    # The contract is no wider than it must be: a step further some byte is overwritten too soon.
    wrong = differences(too_near, tmp_path)
    assert all("overlap" in line for line in wrong)
    assert len(wrong) >= len(too_near) / 2
