"""Operators that combine two tensors element by element, in each type that TFLM takes."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder

F32, I8, I16, I32, I64, BOOL = (
    DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.BOOL,
)  # fmt: skip

MATRIX = [
    *(("ADD", t) for t in (F32, I16, I32)),
    *(("SUB", t) for t in (F32, I8, I16, I32)),
    *(("MUL", t) for t in (F32, I8, I16, I32)),
    *(("DIV", t) for t in (F32, I32)),
    *(("SQUARED_DIFFERENCE", t) for t in (F32, I8, I16, I32)),
    *(("MAXIMUM", t) for t in (F32, I8, I16, I32, I64)),
    *(("MINIMUM", t) for t in (F32, I8, I16, I32, I64)),
    ("FLOOR_DIV", F32),
    ("FLOOR_MOD", F32),
    *(("EQUAL", t) for t in (BOOL, F32, I8, I32, I64)),
    *(("NOT_EQUAL", t) for t in (BOOL, F32, I8, I32, I64)),
    *(("GREATER", t) for t in (F32, I8, I32, I64)),
    *(("GREATER_EQUAL", t) for t in (F32, I8, I32, I64)),
    *(("LESS", t) for t in (F32, I8, I32, I64)),
    *(("LESS_EQUAL", t) for t in (F32, I8, I32, I64)),
    ("LOGICAL_AND", BOOL),
    ("LOGICAL_OR", BOOL),
]
COMPARISONS = {"EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"}
FUSED = {"ADD", "SUB", "MUL", "DIV"}


def _shapes(draw: Draw, high: int) -> tuple[tuple[int, ...], ...]:
    """Two shapes and that of the result; half of them are alike."""
    result = draw.shape(1, high, 4)
    if draw.integer(0, 1):
        return result, result, result
    while True:
        a = [1 if draw.integer(0, 2) == 0 else d for d in result]
        b = [1 if draw.integer(0, 2) == 0 else d for d in result]
        if tuple(map(max, a, b)) == result:
            break
    while a[0] == 1 and len(a) > 1 and draw.integer(0, 1):
        del a[0]
    return tuple(a), tuple(b), result


def _values(draw: Draw, kind: str, dtype: DType, shape: tuple[int, ...]) -> np.ndarray:
    values = draw.values(dtype, shape)
    if kind in COMPARISONS and dtype in (F32, I32, I64):
        return draw.random.integers(-3, 4, shape).astype(values.dtype)  # many are equal
    if kind in FUSED and dtype is I32:
        bound = draw.one_of(10, 1000, 30_000)
        return draw.random.integers(-bound, bound + 1, shape).astype(np.int32)
    if kind == "SQUARED_DIFFERENCE" and dtype is I32:
        return draw.random.integers(-20_000, 20_000, shape).astype(np.int32)
    return values


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("kind", "dtype"), MATRIX, ids=[f"{k}-{t.value}" for k, t in MATRIX])
def test_pairs(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    a, c, result = _shapes(draw, 4 if kind in COMPARISONS else 5)
    is_quantized = dtype in (I8, I16)

    def quantized() -> dict[str, float | int]:
        if not is_quantized:
            return {}
        zero_point = draw.zero_point() if dtype is I8 else 0
        scale = draw.scale(0.001, 0.9)
        return {"scale": scale, "zero_point": zero_point}

    b = ModelBuilder()
    inputs = [_values(draw, kind, dtype, a), _values(draw, kind, dtype, c)]
    if kind == "DIV" and dtype is I32:
        inputs[1][inputs[1] == 0] = 7
    x = b.input(a, dtype, **quantized())
    if draw.integer(0, 3) == 0:
        q = quantized()
        scales = ([q["scale"]], [int(q["zero_point"])]) if q else ((), ())
        y = b.constant(inputs.pop(), *scales)
    else:
        y = b.input(c, dtype, **quantized())
    output = BOOL if kind in COMPARISONS else dtype
    q = quantized() if output is dtype else {}
    if q and kind in FUSED | {"SQUARED_DIFFERENCE"}:
        q["scale"] = draw.scale(0.02, 2.0)
    options = {"fused_activation_function": draw.activation()} if kind in FUSED else {}
    b.operator(kind, (x, y), result, output, **q, **options)
    with np.errstate(all="ignore"):
        assert_as_tflm(b, inputs)


@pytest.mark.parametrize("kind", ["ADD", "SUB", "MUL", "MAXIMUM"])
@pytest.mark.parametrize("dtype", [I8, I16], ids=lambda d: d.value)
def test_pairs_of_six_dimensions(kind: str, dtype: DType) -> None:
    draw = Draw(6)
    result = (2, 1, 3, 2, 2, 3)
    b = ModelBuilder()
    x = b.input(result, dtype, 0.1)
    y = b.input((1, 1, 3, 1, 2, 1), dtype, 0.2)
    b.operator(kind, (x, y), result, dtype, 0.15)
    assert_as_tflm(b, [draw.values(dtype, t.shape) for t in b.tensors[:2]])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [F32, I8, I16], ids=lambda d: d.value)
def test_prelu(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(2, 4)
    alpha = draw.one_of(
        (shape[-1],), (1,) * len(shape), shape, (1,) * (len(shape) - 1) + shape[-1:]
    )
    factor = F32 if dtype is F32 else I8
    b = ModelBuilder()
    zero_point = draw.zero_point() if dtype is I8 else 0
    x = b.input(shape, dtype, None if dtype is F32 else draw.scale(0.01, 1.0), zero_point)
    quantization = ((), ()) if dtype is F32 else ([draw.scale(0.001, 0.05)], [draw.zero_point()])
    a = b.constant(draw.values(factor, alpha), *quantization)
    zero_point = draw.zero_point() if dtype is I8 else 0
    scale = None if dtype is F32 else draw.scale(0.02, 2.0)
    b.operator("PRELU", (x, a), shape, dtype, scale, zero_point)
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [F32, I8], ids=lambda d: d.value)
def test_add_n(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape, count = draw.shape(1, 4), draw.integer(2, 5)
    b = ModelBuilder()
    scale, zero_point = (None, 0) if dtype is F32 else (draw.scale(), draw.zero_point())
    inputs = [b.input(shape, dtype, scale, zero_point) for _ in range(count)]
    out = (None, 0) if dtype is F32 else (draw.scale(0.05, 2.0), draw.zero_point())
    b.operator("ADD_N", inputs, shape, dtype, *out)
    assert_as_tflm(b, [draw.values(dtype, shape) for _ in inputs])


def test_quotients_that_c_does_not_define() -> None:
    b = ModelBuilder()
    x, y = b.input((4,), I32), b.input((4,), I32)
    b.operator("DIV", (x, y), (4,), I32)
    lowest = -(2**31)
    dividends = np.array([5, lowest, lowest, -7], np.int32)
    divisors = np.array([0, 0, -1, 2], np.int32)
    (got,) = run_model(b.finish(), [dividends, divisors])
    assert got.tolist() == [0, 0, lowest, -3]


def test_numbers_that_are_none() -> None:
    """NaN and infinities take the same way as in TFLM."""
    odd = np.array([np.nan, np.inf, -np.inf, 1.0, -0.0, 0.0], np.float32)
    a, c = (v.ravel() for v in np.meshgrid(odd, odd))
    for kind in ("ADD", "SUB", "MUL", "DIV", "MAXIMUM", "MINIMUM", "LESS", "EQUAL"):
        b = ModelBuilder()
        x, y = b.input(a.shape, F32), b.input(c.shape, F32)
        b.operator(kind, (x, y), a.shape, BOOL if kind in COMPARISONS else F32)
        assert_as_tflm(b, [a, c])
