"""FULLY_CONNECTED, RESHAPE and SOFTMAX against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

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


@pytest.mark.parametrize("seed", range(20))
def test_reshape(seed: int) -> None:
    draw = Draw(seed)
    sizes = [draw.integer(1, 5) for _ in range(3)]
    b = ModelBuilder()
    x = b.input(sizes, scale=0.5)
    shape = draw.one_of((sizes[0] * sizes[1], sizes[2]), (1, sizes[2], sizes[1] * sizes[0], 1))
    b.operator("RESHAPE", (x,), shape, scale=0.5)
    assert_as_tflm(b, [draw.int8(tuple(sizes))])
