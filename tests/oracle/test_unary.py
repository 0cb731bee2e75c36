"""Operators on one tensor, element by element: all int8 values, drawn int16 and float32."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder

F32, I8, I16, BOOL = DType.FLOAT32, DType.INT8, DType.INT16, DType.BOOL
EVERY_INT8 = np.arange(-128, 128).astype(np.int8)
POSITIVE = {"RSQRT", "SQRT", "LOG"}

MATRIX = [
    *(("RELU", t) for t in (F32, I8, I16)),
    *(("RELU6", t) for t in (F32, I8, I16)),
    *(("LEAKY_RELU", t) for t in (F32, I8, I16)),
    *(("ABS", t) for t in (F32, I8, I16)),
    *(("LOGISTIC", t) for t in (F32, I8, I16)),
    *(("TANH", t) for t in (F32, I8, I16)),
    *(("HARD_SWISH", t) for t in (F32, I8)),
    *(("ELU", t) for t in (F32, I8)),
    *(("RSQRT", t) for t in (F32, I8, I16)),
    *((k, F32) for k in ("EXP", "LOG", "SQRT", "SQUARE", "SIN", "COS")),
    *((k, F32) for k in ("CEIL", "FLOOR", "ROUND", "NEG")),
]


def _output(draw: Draw, kind: str, dtype: DType) -> tuple[float | None, int]:
    if dtype is F32:
        return None, 0
    if kind in ("LOGISTIC", "TANH"):
        if dtype is I16:
            return 1 / 32768, 0
        return (1 / 256, -128) if kind == "LOGISTIC" else (1 / 128, 0)
    zero_point = draw.zero_point() if dtype is I8 else 0
    if dtype is I16 and kind in ("LEAKY_RELU", "RELU6"):
        zero_point = draw.one_of(0, draw.integer(-999, 999))
    return draw.scale(0.01, 2.0), zero_point


def _values(draw: Draw, kind: str, dtype: DType, zero_point: int) -> np.ndarray:
    if dtype is I8:
        # Below the zero point TFLM's RSQRT is an error.
        return EVERY_INT8[zero_point + 128 :].copy() if kind == "RSQRT" else EVERY_INT8
    if dtype is F32:
        values = draw.random.normal(0, draw.one_of(0.5, 5, 30), 300).astype(np.float32)
        values[:8] = [0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 16.7]
        return np.abs(values) + np.float32(1e-3) if kind in POSITIVE else values
    low = 0 if kind == "RSQRT" else -32768
    return draw.random.integers(low, 32768, 300).astype(np.int16)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("kind", "dtype"), MATRIX, ids=[f"{k}-{t.value}" for k, t in MATRIX])
def test_unary(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    scale, zero_point = None, 0
    if dtype is I8:
        scale, zero_point = draw.scale(0.001, 1.0), draw.zero_point()
    if dtype is I16:
        scale = draw.one_of(draw.scale(1e-5, 1.0), 2.0**-12, 2.0**-11, 2.0**-13)
        if kind in ("LEAKY_RELU", "RELU6"):
            zero_point = draw.one_of(0, draw.integer(-999, 999))
    values = _values(draw, kind, dtype, zero_point)
    b = ModelBuilder()
    x = b.input(values.shape, dtype, scale, zero_point)
    options = {"alpha": draw.one_of(0.1, 0.3, 1.7, -0.5, 0.0)} if kind == "LEAKY_RELU" else {}
    out_scale, out_zero_point = _output(draw, kind, dtype)
    b.operator(kind, (x,), values.shape, dtype, out_scale, out_zero_point, **options)
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", ["LOGISTIC", "TANH"])
def test_coarse_int16(kind: str, seed: int) -> None:
    """Scales above 2.67, where the multiplier has more than 15 bits; above 5.33 products wrap."""
    draw = Draw(seed)
    values = draw.random.integers(-32768, 32768, 300).astype(np.int16)
    values[:100] = draw.random.integers(-20, 21, 100)
    b = ModelBuilder()
    x = b.input(values.shape, I16, draw.scale(2.0, draw.one_of(5.3, 1e5)))
    b.operator(kind, (x,), values.shape, I16, 1 / 32768)
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", range(10))
def test_hard_swish_of_far_scales(seed: int) -> None:
    """Shifts of 16 bits and more, after which TFLM's int16 is rounded to 1 or -1."""
    draw = Draw(seed)
    b = ModelBuilder()
    scales = draw.scale(1e-8, 0.02), draw.scale(10, 1e6)
    x = b.input((256,), scale=scales[0], zero_point=draw.zero_point())
    b.operator("HARD_SWISH", (x,), (256,), scale=scales[1], zero_point=draw.zero_point())
    assert_as_tflm(b, [EVERY_INT8])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dtype", [I8, I16], ids=lambda d: d.value)
def test_relu_that_shifts_out_of_its_range(dtype: DType, seed: int) -> None:
    """A left shift that wraps makes positive values of negative ones."""
    draw = Draw(seed)
    values = _values(draw, "RELU", dtype, 0)
    b = ModelBuilder()
    x = b.input(values.shape, dtype, 1.0)
    ratio = draw.scale(2.0**24, 2.0**29) if dtype is I8 else draw.scale(2.0**16, 2.0**29)
    b.operator("RELU", (x,), values.shape, dtype, 1 / ratio)
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", range(20))
def test_relu_without_rescaling_ties(seed: int) -> None:
    """Scales whose ratio is not exact in float32: a ratio taken there would be seen."""
    draw = Draw(seed)
    b = ModelBuilder()
    x = b.input((256,), scale=draw.scale(0.01, 0.1), zero_point=-128)
    y = b.operator("RELU", (x,), (256,), scale=draw.scale(0.01, 0.1), zero_point=-128)
    b.operator("LEAKY_RELU", (y,), (256,), scale=draw.scale(0.01, 0.1), alpha=0.2)
    assert_as_tflm(b, [EVERY_INT8])


@pytest.mark.parametrize("seed", range(20))
def test_logical_not(seed: int) -> None:
    values = Draw(seed).values(BOOL, (30,))
    b = ModelBuilder()
    b.operator("LOGICAL_NOT", (b.input((30,), BOOL),), (30,), BOOL)
    assert_as_tflm(b, [values])


def test_roots_of_nothing() -> None:
    """At and below the zero point, RSQRT of int8 is the largest value; TFLM refuses the latter."""
    b = ModelBuilder()
    b.operator("RSQRT", (b.input((3,), scale=0.5, zero_point=5),), (3,), scale=0.01)
    (got,) = run_model(b.finish(), [np.array([4, 5, -128], np.int8)])
    assert got.tolist() == [127, 127, 127]
