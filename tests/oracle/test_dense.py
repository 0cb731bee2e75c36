"""FULLY_CONNECTED, RESHAPE and SOFTMAX against TFLM."""

from __future__ import annotations

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
