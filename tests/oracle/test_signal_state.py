"""The Signal operators that remember, over sequences of inferences with a reset in between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_same, assert_sequence_as_tflm, pairs_of_sequence
from tests.oracle.test_signal import add
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder

BOOL, F32, I16, U32 = DType.BOOL, DType.FLOAT32, DType.INT16, DType.UINT32
SEEDS = range(20)
STEPS = 8


def _sequence(draw: Draw, dtype: DType, shape: Sequence[int]) -> list[list[np.ndarray]]:
    return [[draw.values(dtype, shape)] for _ in range(STEPS)]


@pytest.mark.parametrize("seed", SEEDS)
def test_delay(seed: int) -> None:
    draw = Draw(seed)
    shape = (*draw.shape(0, 2, 3), draw.integer(1, 20))
    b = ModelBuilder()
    x, y = b.input(shape, I16), b.tensor(shape, I16)
    add(b, "SignalDelay", [x], [y], delay_length=draw.one_of(0, 1, draw.integer(1, 50)))
    assert_sequence_as_tflm(b, _sequence(draw, I16, shape), draw.integer(1, STEPS))


def _assert_valid_as_tflm(b: ModelBuilder, steps: list[list[np.ndarray]], reset: int) -> None:
    """The flags are TFLM's, and what they say is valid; the rest TFLM leaves as it was."""
    for ours, theirs in pairs_of_sequence(b, steps, reset):
        assert_same(ours[1], theirs[1])
        if ours[1]:
            assert_same(ours[0], theirs[0])


@pytest.mark.parametrize("seed", range(40))
def test_framer(seed: int) -> None:
    draw = Draw(seed)
    step, frames, lead = draw.integer(1, 8), draw.integer(1, 3), draw.shape(0, 2, 3)
    size = step + draw.one_of(0, draw.integer(0, 3 * step), step)
    shape = (*lead, frames * step)
    b = ModelBuilder()
    x, y, valid = b.input(shape, I16), b.tensor((*lead, frames, size), I16), b.tensor((), BOOL)
    add(b, "SignalFramer", [x], [y, valid], frame_size=size, frame_step=step,
        prefill=bool(draw.integer(0, 1)))  # fmt: skip
    _assert_valid_as_tflm(b, _sequence(draw, I16, shape), draw.integer(1, STEPS))


@pytest.mark.parametrize("seed", range(40))
def test_stacker(seed: int) -> None:
    draw = Draw(seed)
    size, left, right = draw.integer(1, 9), draw.integer(0, 3), draw.integer(0, 3)
    stack = left + right + 1
    b = ModelBuilder()
    x, y, valid = b.input((size,), I16), b.tensor((stack * size,), I16), b.tensor((), BOOL)
    add(b, "SignalStacker", [x], [y, valid], num_channels=size, stacker_left_context=left,
        stacker_right_context=right, stacker_step=draw.integer(1, stack))  # fmt: skip
    _assert_valid_as_tflm(b, _sequence(draw, I16, (size,)), draw.integer(1, STEPS))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [F32, I16], ids=lambda d: d.value)
def test_overlap_add(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    lead, frames, size = draw.shape(0, 2, 3), draw.integer(1, 3), draw.integer(1, 12)
    step = draw.integer(1, size)
    b = ModelBuilder()
    x = b.input((*lead, frames, size), dtype)
    y = b.tensor((*lead, frames * step), dtype)
    add(b, "SignalOverlapAdd", [x], [y], T={F32: 0, I16: 7}[dtype], frame_step=step)
    assert_sequence_as_tflm(b, _sequence(draw, dtype, (*lead, frames, size)), draw.integer(1, 8))


@pytest.mark.parametrize("seed", SEEDS)
def test_spectral_subtraction(seed: int) -> None:
    draw = Draw(seed)
    size, bits = draw.integer(1, 20), draw.integer(10, 16)
    smoothing, alternate = draw.integer(0, 2**bits), draw.integer(0, 2**bits)
    b = ModelBuilder()
    x, y, noise = b.input((size,), U32), b.tensor((size,), U32), b.tensor((size,), U32)
    add(b, "SignalFilterBankSpectralSubtraction", [x], [y, noise],
        num_channels=size, smoothing=smoothing, one_minus_smoothing=2**bits - smoothing,
        alternate_smoothing=alternate, alternate_one_minus_smoothing=2**bits - alternate,
        smoothing_bits=draw.integer(0, 12), spectral_subtraction_bits=bits,
        min_signal_remaining=draw.integer(0, 2**bits),
        clamping=bool(draw.integer(0, 1)))  # fmt: skip
    steps = [[x >> draw.one_of(0, 10, 22) for x in row] for row in _sequence(draw, U32, (size,))]
    assert_sequence_as_tflm(b, steps, draw.integer(1, STEPS))


def test_what_is_not_valid_is_zeros() -> None:
    b = ModelBuilder()
    x, y, valid = b.input((2,), I16), b.tensor((1, 3), I16), b.tensor((), BOOL)
    add(b, "SignalFramer", [x], [y, valid], frame_size=3, frame_step=2, prefill=False)
    frame, flag = run_model(b.finish(), [np.array([5, 6], np.int16)])
    assert (frame.tolist(), flag.tolist()) == ([[0, 0, 0]], False)
