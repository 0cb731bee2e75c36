"""FULLY_CONNECTED, RESHAPE and SOFTMAX against TFLM."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.models import ABSENT, ModelBuilder


@pytest.mark.parametrize("seed", range(40))
def test_fully_connected(seed: int) -> None:
    draw = Draw(seed)
    rows, channels, outputs = draw.one_of(1, 1, 2, 3), draw.integer(1, 40), draw.integer(1, 13)
    lead = draw.one_of((rows,), (1, rows))
    b = ModelBuilder()
    x_scale, w_scales = draw.scale(), draw.scales(draw.one_of(1, 1, outputs))
    x = b.input((*lead, channels), scale=x_scale, zero_point=draw.zero_point())
    w = b.constant(draw.int8((outputs, channels)), w_scales)
    bias = ABSENT
    if draw.integer(0, 3):
        bias = b.constant(draw.bias(outputs), [x_scale * s for s in w_scales])
    b.operator(
        "FULLY_CONNECTED",
        (x, w, bias),
        (*lead, outputs),
        scale=draw.scale(0.05, 2.0) * channels**0.5,
        zero_point=draw.zero_point(),
        fused_activation_function=draw.activation(),
        keep_num_dims=len(lead) > 1,
    )
    assert_as_tflm(b, [draw.int8((*lead, channels))])


def _zero_point(draw: Draw, filters: str, depth: int) -> int:
    """One that leaves weights of int16 layers within int8."""
    if filters == "int4":
        return draw.integer(-8, 7)
    return draw.integer(-27, 27) if depth == 16 else draw.zero_point()


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("depth", "filters"), [(8, "int8"), (8, "int4"), (16, "int8")])
def test_filters_with_a_zero_point(depth: int, filters: str, seed: int) -> None:
    """It counts where there is one scale for all outputs, and not where each has its own."""
    draw, dtype = Draw(seed), DType(f"int{depth}")
    rows, channels, outputs = draw.integer(1, 3), draw.integer(1, 30), draw.integer(1, 9)
    reach = {"int4": 8, "int8": 128}[filters] - (28 if depth == 16 else 0)
    count = draw.one_of(1, outputs) if filters == "int8" else 1
    scales = draw.scales(count, 0.002, 0.02)
    values = draw.random.integers(-reach, reach, (outputs, channels)).astype(np.int8)
    b = ModelBuilder()
    x = b.input((rows, channels), dtype, 0.05, draw.zero_point() if depth == 8 else 0)
    w = (b.constant if filters == "int8" else b.packed)(values, scales)
    zero_points = tuple(_zero_point(draw, filters, depth) for _ in scales)
    quantization = replace(b.tensors[w].quantization, zero_points=zero_points)
    b.tensors[w] = replace(b.tensors[w], quantization=quantization)
    scale = draw.scale(0.05, 1.0) * channels**0.5
    b.operator("FULLY_CONNECTED", (x, w, ABSENT), (rows, outputs), dtype, scale)
    assert_as_tflm(b, [draw.values(dtype, (rows, channels))])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [DType.FLOAT32, DType.INT8], ids=lambda d: d.value)
def test_filter_known_at_run_time_only(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    rows, channels, outputs = draw.integer(1, 4), draw.integer(1, 30), draw.integer(1, 9)
    is_float = dtype is DType.FLOAT32
    scales = (None, None, None) if is_float else (0.05, 0.02, draw.scale(0.05, 1.0))
    zero_points = [0 if is_float else draw.zero_point() for _ in scales]
    b = ModelBuilder()
    x = b.input((rows, channels), dtype, scales[0], zero_points[0])
    w = b.input((outputs, channels), dtype, scales[1], zero_points[1])
    bias = ABSENT
    if is_float and draw.integer(0, 1):
        bias = b.constant(draw.values(dtype, (outputs,)))
    elif not is_float and draw.integer(0, 1):
        bias = b.constant(draw.bias(outputs), [0.05 * 0.02])
    b.operator(
        "FULLY_CONNECTED", (x, w, bias), (rows, outputs), dtype, scales[2], zero_points[2],
        fused_activation_function=draw.activation(),
    )  # fmt: skip
    assert_as_tflm(b, [draw.values(dtype, b.tensors[i].shape) for i in (x, w)])


@pytest.mark.parametrize("kind", ["CONV_2D", "FULLY_CONNECTED"])
@pytest.mark.parametrize("seed", range(10))
def test_multipliers_to_the_last_bit(kind: str, seed: int) -> None:
    """Biases near 2^30, beside the ties of rounding: float32 instead of double would be seen."""
    draw = Draw(seed)
    outputs = 200
    x_scale, w_scale = np.float32(draw.scale()), np.float32(draw.scale())
    real = float(x_scale) * float(w_scale)
    y_scale = np.float32(real * 2.0**30 / draw.random.uniform(60, 120))
    real /= float(y_scale)
    near = draw.random.integers(-60, 61, outputs)
    halves = draw.random.integers(40, 59, outputs) + 0.5
    bias = (np.round(halves / real) + near).astype(np.int32)
    b = ModelBuilder()
    image = (1, 1, 1, 1) if kind == "CONV_2D" else (1, 1)
    x = b.input(image, scale=float(x_scale))
    filters = (outputs, *image[1:])
    w = b.constant(np.zeros(filters, np.int8), [float(w_scale)])
    y = b.constant(bias, [float(x_scale) * float(w_scale)])
    steps = {"padding": "SAME", "stride_h": 1, "stride_w": 1} if kind == "CONV_2D" else {}
    b.operator(kind, (x, w, y), (*image[:-1], outputs), scale=float(y_scale), **steps)
    assert_as_tflm(b, [draw.int8(image)])


@pytest.mark.parametrize("seed", range(40))
def test_softmax(seed: int) -> None:
    draw = Draw(seed)
    shape = (*draw.one_of((1,), (2, 3), (1, 2), ()), draw.integer(1, 300))
    b = ModelBuilder()
    x = b.input(shape, scale=draw.scale(1e-5, 8.0), zero_point=draw.zero_point())
    b.operator(
        "SOFTMAX", (x,), shape, scale=1 / 256, zero_point=-128, beta=draw.one_of(1.0, 0.5, 3.0)
    )
    assert_as_tflm(b, [draw.int8(shape)])


@pytest.mark.parametrize("depth", [5000, 8191])
@pytest.mark.parametrize("dtype", [DType.INT8, DType.INT16], ids=lambda d: d.value)
def test_softmax_of_long_rows(dtype: DType, depth: int) -> None:
    """Sums of more than 31 bits, where TFLM's wrap; few values are the largest of a row."""
    b = ModelBuilder()
    x = b.input((2, depth), scale=0.1)
    scale, zero_point = (1 / 256, -128) if dtype is DType.INT8 else (1 / 65536, -32768)
    b.operator("SOFTMAX", (x,), (2, depth), dtype, scale, zero_point, beta=1.0)
    values = Draw(depth).random.integers(-128, 128, (2, depth)).astype(np.int8)
    if dtype is DType.INT16:
        values[1] = 5  # TFLM aborts at this for int8
    assert_as_tflm(b, [values])


@pytest.mark.parametrize("seed", range(20))
def test_reshape(seed: int) -> None:
    draw = Draw(seed)
    sizes = [draw.integer(1, 5) for _ in range(3)]
    b = ModelBuilder()
    x = b.input(sizes, scale=0.5)
    shape = draw.one_of((sizes[0] * sizes[1], sizes[2]), (1, sizes[2], sizes[1] * sizes[0], 1))
    b.operator("RESHAPE", (x,), shape, scale=0.5)
    assert_as_tflm(b, [draw.int8(tuple(sizes))])
