"""QUANTIZE, DEQUANTIZE, CAST and RESIZE_BILINEAR in each type that TFLM takes."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder

F32, I8, U8, I16, I32, U32, BOOL = (
    DType.FLOAT32, DType.INT8, DType.UINT8, DType.INT16, DType.INT32, DType.UINT32, DType.BOOL,
)  # fmt: skip

PAIRS = [
    (I8, U8), (I8, I16), (I8, I32), (U8, I8), (I16, I8), (I16, I16), (I16, I32), (I32, I8),
    (I32, I16),
]  # fmt: skip
CASTS = [
    (a, b) for a in (BOOL, F32, I8, I16, I32, U32) for b in (F32, I8, I16, I32, U32) if a is not b
]


def _ids(pairs: list[tuple[DType, DType]]) -> list[str]:
    return [f"{a.value}-{b.value}" for a, b in pairs]


def _zero_point(draw: Draw, dtype: DType) -> int:
    if dtype in (I16, I32):
        return draw.one_of(0, draw.integer(-500, 500))
    return draw.zero_point() + (128 if dtype is U8 else 0)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("types", PAIRS, ids=_ids(PAIRS))
def test_requantize(types: tuple[DType, DType], seed: int) -> None:
    draw = Draw(seed)
    source, result = types
    values = draw.values(source, (300,))
    if source in (I8, U8):
        values = np.arange(256).astype(np.uint8).view(source.value)
    if source is I32:
        values = draw.random.integers(-(10**6), 10**6, 300).astype(np.int32)
    b = ModelBuilder()
    x = b.input(values.shape, source, draw.scale(0.001, 1.0), _zero_point(draw, source))
    scale = draw.scale(0.001, 1.0)
    if seed % 5 == 0:
        scale = b.tensors[x].quantization.scales[0]  # type: ignore[union-attr]
    b.operator("QUANTIZE", (x,), values.shape, result, scale, _zero_point(draw, result))
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", range(20))
def test_quantize_to_int16(seed: int) -> None:
    draw = Draw(seed)
    scale = draw.scale(1e-4, 10.0)
    b = ModelBuilder()
    x = b.input((300,), F32)
    b.operator("QUANTIZE", (x,), (300,), I16, scale, draw.one_of(0, 100, -7))
    steps = draw.random.integers(-80_000, 80_001, 300) / 2
    values = steps.astype(np.float32) * np.float32(scale)
    nudged = np.nextafter(values, np.float32(draw.one_of(-np.inf, 0, np.inf)))
    assert_as_tflm(b, [np.where(draw.random.random(300) < 0.5, values, nudged)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [I16, U8], ids=lambda d: d.value)
def test_dequantize(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    b = ModelBuilder()
    x = b.input((300,), dtype, draw.scale(1e-10, 1e10), _zero_point(draw, dtype))
    b.operator("DEQUANTIZE", (x,), (300,), F32)
    assert_as_tflm(b, [draw.values(dtype, (300,))])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("types", CASTS, ids=_ids(CASTS))
def test_cast(types: tuple[DType, DType], seed: int) -> None:
    draw = Draw(seed)
    source, result = types
    values = draw.values(source, (50,))
    if source is F32:  # beyond the type, C leaves the result undefined
        low = 0 if result is U32 else -127
        values = draw.random.uniform(low, 127, 50).astype(np.float32)
    b = ModelBuilder()
    b.operator("CAST", (b.input((50,), source),), (50,), result)
    assert_as_tflm(b, [values])


def test_floats_that_no_integer_holds() -> None:
    b = ModelBuilder()
    b.operator("CAST", (b.input((5,), F32),), (5,), I32)
    odd = np.array([np.nan, np.inf, -np.inf, 3e9, -1.9], np.float32)
    (got,) = run_model(b.finish(), [odd])
    assert got.tolist() == [0, -1, 0, 3_000_000_000 - 2**32, -1]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("dtype", [F32, I8], ids=lambda d: d.value)
def test_resize_bilinear(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    n, h, w, c = draw.shape(4, 4, 9)
    size = (draw.integer(1, 12), draw.integer(1, 12))
    option = draw.one_of({}, {"align_corners": True}, {"half_pixel_centers": True})
    b = ModelBuilder()
    x = b.input((n, h, w, c), dtype, 0.5 if dtype is I8 else None)
    sides = b.constant(np.array(size, np.int32))
    scale = 0.5 if dtype is I8 else None
    b.operator("RESIZE_BILINEAR", (x, sides), (n, *size, c), dtype, scale, **option)
    assert_as_tflm(b, [draw.values(dtype, (n, h, w, c))])
