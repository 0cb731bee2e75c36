"""ADD, QUANTIZE and DEQUANTIZE against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.models import ModelBuilder


def _add(draw: Draw, a: tuple[int, ...], b: tuple[int, ...], result: tuple[int, ...]) -> np.ndarray:
    m = ModelBuilder()
    x = m.input(a, scale=draw.scale(), zero_point=draw.zero_point())
    values = draw.int8(b)
    inputs = [draw.int8(a)]
    if draw.integer(0, 2) == 0:
        y = m.constant(values, [draw.scale()], [draw.zero_point()])
    else:
        y = m.input(b, scale=draw.scale(), zero_point=draw.zero_point())
        inputs.append(values)
    m.operator(
        "ADD",
        (x, y) if draw.integer(0, 1) else (y, x),
        result,
        scale=draw.scale(0.01, 1.0),
        zero_point=draw.zero_point(),
        fused_activation_function=draw.activation(),
    )
    return assert_as_tflm(m, inputs)


@pytest.mark.parametrize("seed", range(30))
def test_add(seed: int) -> None:
    draw = Draw(seed)
    shape = tuple(draw.integer(1, 6) for _ in range(draw.integer(1, 5)))
    assert _add(draw, shape, shape, shape).shape == shape


def test_add_of_equal_scales() -> None:
    m = ModelBuilder()
    x = m.input((256,), scale=0.1, zero_point=-5)
    y = m.input((256,), scale=0.1, zero_point=7)
    m.operator("ADD", (x, y), (256,), scale=0.15, zero_point=1)
    ramp = np.arange(-128, 128).astype(np.int8)
    assert_as_tflm(m, [ramp, ramp[::-1].copy()])


@pytest.mark.parametrize("seed", range(40))
def test_add_with_broadcast(seed: int) -> None:
    draw = Draw(2000 + seed)
    result = tuple(draw.integer(1, 4) for _ in range(draw.integer(1, 6)))
    while True:
        a = [1 if draw.integer(0, 2) == 0 else d for d in result]
        b = [1 if draw.integer(0, 1) == 0 else d for d in result]
        if tuple(map(max, a, b)) == result:
            break
    while b[0] == 1 and len(b) > 1 and draw.integer(0, 1):
        del b[0]
    assert _add(draw, tuple(a), tuple(b), result).shape == result


@pytest.mark.parametrize("seed", range(30))
def test_quantize_float32(seed: int) -> None:
    draw = Draw(seed)
    scale = draw.scale(1e-4, 10.0)
    m = ModelBuilder()
    x = m.input((3, 100), DType.FLOAT32)
    m.operator("QUANTIZE", (x,), (3, 100), scale=scale, zero_point=draw.zero_point())
    steps = draw.random.integers(-300, 301, (3, 100))
    halves = (steps / 2).astype(np.float32) * np.float32(scale)  # ties, and their neighbours
    towards = draw.random.choice(np.array([-np.inf, 0, np.inf], np.float32), (3, 100))
    values = np.where(draw.random.random((3, 100)) < 0.5, halves, np.nextafter(halves, towards))
    spread = draw.random.normal(0, 200 * scale, (3, 100))
    values = np.where(draw.random.random((3, 100)) < 0.3, spread, values)
    assert_as_tflm(m, [values.astype(np.float32)])


@pytest.mark.parametrize("seed", range(20))
def test_quantize_int8(seed: int) -> None:
    draw = Draw(seed)
    m = ModelBuilder()
    x = m.input((256,), scale=draw.scale(0.01, 1.0), zero_point=draw.zero_point())
    m.operator("QUANTIZE", (x,), (256,), scale=draw.scale(0.01, 1.0), zero_point=draw.zero_point())
    assert_as_tflm(m, [np.arange(-128, 128).astype(np.int8)])


@pytest.mark.parametrize("seed", range(20))
def test_dequantize(seed: int) -> None:
    draw = Draw(seed)
    m = ModelBuilder()
    x = m.input((256,), scale=draw.scale(1e-30, 1e30), zero_point=draw.zero_point())
    m.operator("DEQUANTIZE", (x,), (256,), DType.FLOAT32)
    assert_as_tflm(m, [np.arange(-128, 128).astype(np.int8)])
