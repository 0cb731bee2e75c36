"""Operators along some dimensions: reductions, extrema, running sums, and those along rows."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from mcucomp.ops.softmax_tables import exp_table, reciprocal_table
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.models import ModelBuilder

F32, I8, I16, I32, BOOL = DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.BOOL

REDUCTIONS = [
    *(("MEAN", t) for t in (F32, I16)),
    *(("SUM", t) for t in (F32, I8, I16)),
    *(("REDUCE_MAX", t) for t in (F32, I8)),
    *(("REDUCE_MIN", t) for t in (F32, I8)),
    ("REDUCE_ALL", BOOL),
]


def _quantized(draw: Draw, dtype: DType, low: float = 0.01) -> tuple[float | None, int]:
    if dtype not in (I8, I16):
        return None, 0
    return draw.scale(low, 1.0), draw.zero_point() if dtype is I8 else 0


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize(
    ("kind", "dtype"), REDUCTIONS, ids=[f"{k}-{t.value}" for k, t in REDUCTIONS]
)
def test_reductions(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    count = draw.integer(1, len(shape))
    axes = sorted(draw.random.permutation(len(shape))[:count].tolist())
    keep = bool(draw.integer(0, 1))
    result = tuple(1 if i in axes else d for i, d in enumerate(shape) if keep or i not in axes)
    given = [axis - draw.one_of(0, len(shape)) for axis in axes]
    b = ModelBuilder()
    scale, zero_point = _quantized(draw, dtype)
    x = b.input(shape, dtype, scale, zero_point)
    out = (scale, zero_point) if kind.startswith("REDUCE") else _quantized(draw, dtype, 0.05)
    y = b.constant(np.array(given, np.int32))
    b.operator(kind, (x, y), result, dtype, *out, keep_dims=keep)
    values = draw.values(dtype, shape)
    if dtype is BOOL:
        values = draw.random.random(shape) < 0.9
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [F32, I8], ids=lambda d: d.value)
@pytest.mark.parametrize("kind", ["ARG_MAX", "ARG_MIN"])
def test_arg_extrema(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(2, 4)
    axis = draw.integer(0, len(shape) - 1)
    b = ModelBuilder()
    x = b.input(shape, dtype, *_quantized(draw, dtype))
    y = b.constant(np.array([axis - draw.one_of(0, len(shape))], np.int32))
    result = (*shape[:axis], *shape[axis + 1 :])
    b.operator(kind, (x, y), result, I32, output_type="int32")
    values = draw.random.integers(-2, 3, shape)  # often equal
    assert_as_tflm(b, [values.astype(np.float32 if dtype is F32 else np.int8)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [F32, I8], ids=lambda d: d.value)
def test_cumsum(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    axis = draw.integer(0, len(shape) - 1)
    b = ModelBuilder()
    x = b.input(shape, dtype, *_quantized(draw, dtype))
    y = b.constant(np.array([axis - draw.one_of(0, len(shape))], np.int32))
    b.operator(
        "CUMSUM", (x, y), shape, dtype, *_quantized(draw, dtype, 0.05),
        exclusive=bool(draw.integer(0, 1)), reverse=bool(draw.integer(0, 1)),
    )  # fmt: skip
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("types", [(F32, F32), (I8, I16), (I16, I16)])
def test_softmax(types: tuple[DType, DType], seed: int) -> None:
    draw = Draw(seed)
    source, result = types
    shape = (*draw.one_of((1,), (2, 3), (1, 2), ()), draw.integer(1, 300))
    scale = None if source is F32 else draw.scale(1e-5, 8.0 if source is I8 else 0.1)
    out = {(I8, I16): (1 / 65536, -32768), (I16, I16): (1 / 32768, 0)}.get(types, (None, 0))
    b = ModelBuilder()
    x = b.input(shape, source, scale, draw.zero_point() if source is I8 else 0)
    b.operator("SOFTMAX", (x,), shape, result, *out, beta=draw.one_of(1.0, 0.5, 3.0))
    assert_as_tflm(b, [draw.values(source, shape)])


def test_every_entry_of_the_int16_tables() -> None:
    """Differences that fall on each entry of the table of exponentials."""
    b = ModelBuilder()
    scale = 10 / 65535
    x = b.input((513, 2), I16, scale)
    b.operator("SOFTMAX", (x,), (513, 2), I16, 1 / 32768, beta=1.0)
    values = np.full((513, 2), 32767, np.int16)
    values[:, 1] = np.clip(32767 - 128 * np.arange(513), -32768, 32767)
    assert_as_tflm(b, [values])
    assert exp_table()[-1] == 32767
    assert reciprocal_table()[0] == 32767


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("dtype", [F32, I8], ids=lambda d: d.value)
def test_log_softmax(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = (*draw.one_of((1,), (2, 3), ()), draw.integer(1, 300))
    b = ModelBuilder()
    x = b.input(shape, dtype, *_quantized(draw, dtype, 0.0001))
    out = (None, 0) if dtype is F32 else (1 / 16, 127)
    b.operator("LOG_SOFTMAX", (x,), shape, dtype, *out)
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [F32, I8], ids=lambda d: d.value)
def test_l2_normalization(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = (*draw.one_of((1,), (2, 3), (1, 2, 2)), draw.integer(1, 60))
    b = ModelBuilder()
    x = b.input(shape, dtype, *_quantized(draw, dtype))
    out = (None, 0) if dtype is F32 else (1 / 128, 0)
    b.operator("L2_NORMALIZATION", (x,), shape, dtype, *out)
    values = draw.values(dtype, shape)
    if seed % 4 == 0:
        values = np.zeros_like(values)
    assert_as_tflm(b, [values])
