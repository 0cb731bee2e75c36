"""The Signal operators of audio front ends against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from mcucomp.tflite.custom_options import Number, write_custom_options
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.models import ModelBuilder

F32, I16, I32, U32, U64 = DType.FLOAT32, DType.INT16, DType.INT32, DType.UINT32, DType.UINT64
SEEDS = range(20)


def add(
    b: ModelBuilder, code: str, inputs: list[int], outputs: list[int], **options: Number
) -> None:
    data = write_custom_options(options) if options else b""
    b.operator_into("CUSTOM", inputs, outputs, custom_code=code, custom_options=data)


def _audio(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """Loud, quiet, or silent."""
    values = draw.values(I16, shape) >> draw.one_of(0, 0, 3, 9)
    return values * draw.one_of(1, 1, 1, 0) if values.min() > -32768 else values


@pytest.mark.parametrize("seed", SEEDS)
def test_window(seed: int) -> None:
    draw = Draw(seed)
    size, lead = draw.integer(1, 40), draw.shape(0, 2, 3)
    b = ModelBuilder()
    x, y = b.input((*lead, size), I16), b.tensor((*lead, size), I16)
    w = b.constant(draw.values(I16, (size,)))
    add(b, "SignalWindow", [x, w], [y], shift=draw.one_of(0, 12, 15, draw.integer(0, 31)))
    assert_as_tflm(b, [draw.values(I16, (*lead, size))])


@pytest.mark.parametrize("seed", range(40))
def test_fft_auto_scale(seed: int) -> None:
    draw = Draw(seed)
    size = draw.integer(1, 60)
    b = ModelBuilder()
    x, y, bits = b.input((size,), I16), b.tensor((size,), I16), b.tensor((), I32)
    add(b, "SignalFftAutoScale", [x], [y, bits])
    values = _audio(draw, (size,))
    if seed % 4 == 0:
        values[draw.integer(0, size - 1)] = -32768
    assert_as_tflm(b, [values])


LENGTHS = (4, 6, 8, 10, 12, 16, 20, 24, 30, 32, 48, 60, 64, 100, 128, 160, 250, 256, 288, 512)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", [F32, I16, I32], ids=lambda d: d.value)
def test_rfft(dtype: DType, length: int) -> None:
    draw = Draw(length)
    lead, size = draw.shape(0, 2, 3), draw.one_of(length, draw.integer(1, length))
    b = ModelBuilder()
    x, y = b.input((*lead, size), dtype), b.tensor((*lead, length + 2), dtype)
    add(b, "SignalRfft", [x], [y], T={F32: 0, I32: 2, I16: 7}[dtype], fft_length=length)
    assert_as_tflm(b, [draw.values(dtype, (*lead, size))])


@pytest.mark.parametrize("length", [8, 16, 24, 40])
@pytest.mark.parametrize("dtype", [I16, I32], ids=lambda d: d.value)
def test_rfft_of_square_waves(dtype: DType, length: int) -> None:
    """As loud as can be, all in one frequency: sums wrap in some places, and not in others."""
    limits = np.iinfo(dtype.value)
    turns = np.outer(np.arange(1, length // 2), np.arange(length) / length)
    phases = (np.arange(16) + 0.5) / 16
    waves = np.cos(2 * np.pi * (turns[:, None] + phases[:, None])).reshape(-1, length)
    values = np.where(waves > 0, limits.max, limits.min).astype(dtype.value)
    b = ModelBuilder()
    x, y = b.input(values.shape, dtype), b.tensor((len(values), length + 2), dtype)
    add(b, "SignalRfft", [x], [y], T={I32: 2, I16: 7}[dtype], fft_length=length)
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", [F32, I16, I32], ids=lambda d: d.value)
def test_irfft(dtype: DType, length: int) -> None:
    draw = Draw(length)
    lead = draw.shape(0, 2, 3)
    b = ModelBuilder()
    x, y = b.input((*lead, length + 2), dtype), b.tensor((*lead, length), dtype)
    add(b, "SignalIrfft", [x], [y], T={F32: 0, I32: 2, I16: 7}[dtype], fft_length=length)
    assert_as_tflm(b, [draw.values(dtype, (*lead, length + 2))])


@pytest.mark.parametrize("seed", SEEDS)
def test_energy(seed: int) -> None:
    """What is outside of the range TFLM leaves as it was; so it is sliced off."""
    draw = Draw(seed)
    size = draw.integer(1, 40)
    start = draw.integer(0, size - 1)
    end = draw.integer(start + 1, size)
    b = ModelBuilder()
    x, energies = b.input((2 * size,), I16), b.tensor((size,), U32)
    add(b, "SignalEnergy", [x], [energies], start_index=start, end_index=end)
    integers = b.operator("CAST", (energies,), (size,), I32)
    ends = [b.constant(np.array([k], np.int32)) for k in (start, end, 1)]
    b.operator("STRIDED_SLICE", (integers, *ends), (end - start,), I32)
    assert_as_tflm(b, [draw.values(I16, (2 * size,))])


def _bank(draw: Draw, b: ModelBuilder, energies: int, channels: int) -> list[int]:
    widths = draw.random.integers(0, 5, channels + 1)
    starts = [draw.integer(0, energies - int(w)) for w in widths]
    weight_starts = np.cumsum([0, *widths[:-1]])
    weights = int(widths.sum()) + 1
    rows = (
        draw.values(I16, (weights,)), draw.values(I16, (weights,)), starts, weight_starts, widths,
    )  # fmt: skip
    return [b.constant(np.array(row, np.int16)) for row in rows]


@pytest.mark.parametrize("seed", SEEDS)
def test_filter_bank(seed: int) -> None:
    draw = Draw(seed)
    energies, channels = draw.integer(5, 60), draw.integer(1, 12)
    b = ModelBuilder()
    x, y = b.input((energies,), U32), b.tensor((channels,), U64)
    add(b, "SignalFilterBank", [x, *_bank(draw, b, energies, channels)], [y],
         num_channels=channels)  # fmt: skip
    root, bits = b.tensor((channels,), U32), b.constant(np.array(draw.integer(0, 15), np.int32))
    add(b, "SignalFilterBankSquareRoot", [y, bits], [root])
    assert_as_tflm(b, [draw.values(U32, (energies,)) >> draw.one_of(0, 0, 20)])


@pytest.mark.parametrize("seed", SEEDS)
def test_filter_bank_log(seed: int) -> None:
    draw = Draw(seed)
    b = ModelBuilder()
    x, y = b.input((200,), U32), b.tensor((200,), I16)
    add(b, "SignalFilterBankLog", [x], [y], input_correction_bits=draw.one_of(0, 3, 7, 31),
         output_scale=draw.one_of(64, 1600, draw.integer(0, 2**31 - 1)))  # fmt: skip
    values = draw.values(U32, (200,)) >> draw.random.integers(0, 32, 200).astype(np.uint32)
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", SEEDS)
def test_pcan(seed: int) -> None:
    draw = Draw(seed)
    b = ModelBuilder()
    x, noise, y = b.input((200,), U32), b.input((200,), U32), b.tensor((200,), U32)
    gains = b.constant(draw.values(I16, (125,)))
    add(b, "SignalPCAN", [x, noise, gains], [y], snr_shift=draw.integer(0, 20))
    shifts = draw.random.integers(0, 32, (2, 200)).astype(np.uint32)
    assert_as_tflm(b, [draw.values(U32, (200,)) >> s for s in shifts])
