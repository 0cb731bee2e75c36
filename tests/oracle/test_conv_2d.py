"""CONV_2D and DEPTHWISE_CONV_2D against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ops.windows import WindowAxis
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.models import ABSENT, ModelBuilder


def _axis(draw: Draw, taps: int) -> WindowAxis:
    """An axis with at least one output position."""
    stride, dilation = draw.one_of(1, 1, 2, 3), draw.one_of(1, 1, 1, 2, 3)
    padding = draw.one_of("SAME", "VALID")
    least = (taps - 1) * dilation + 1 if padding == "VALID" else 1
    return WindowAxis(least + draw.integer(0, 6), taps, stride, dilation, padding)


def _axes(draw: Draw, taps_h: int, taps_w: int) -> tuple[WindowAxis, WindowAxis]:
    height = _axis(draw, taps_h)
    while True:
        width = _axis(draw, taps_w)
        if width.padding == height.padding:
            return height, width


def _options(height: WindowAxis, width: WindowAxis, activation: str) -> dict[str, int | str]:
    return {
        "padding": height.padding,
        "stride_h": height.stride,
        "stride_w": width.stride,
        "dilation_h_factor": height.dilation,
        "dilation_w_factor": width.dilation,
        "fused_activation_function": activation,
    }


def _output_scale(draw: Draw, terms: int) -> float:
    """Some outputs saturate, some do not; now and then the multiplier exceeds 1."""
    if draw.integer(0, 7) == 0:
        return draw.scale(0.0001, 0.01)
    return draw.scale(0.05, 2.0) * terms**0.5


@pytest.mark.parametrize("seed", range(60))
def test_conv_2d(seed: int) -> None:
    draw = Draw(seed)
    groups = draw.one_of(1, 1, 1, 2, 3)
    group_channels, per_group = draw.integer(1, 9), draw.integer(1, 9)
    taps = draw.one_of((1, 1), (3, 3), (draw.integer(1, 4), draw.integer(1, 5)))
    height, width = _axes(draw, *taps)
    if seed % 4 == 0:  # the kernel for 1x1 filters
        height = width = WindowAxis(draw.integer(1, 5), 1, 1, 1, "SAME")
        taps, groups = (1, 1), 1
    batches, outputs = draw.one_of(1, 1, 2), groups * per_group
    shape = (batches, height.in_size, width.in_size, groups * group_channels)

    b = ModelBuilder()
    x = b.input(shape, scale=draw.scale(), zero_point=draw.zero_point())
    scales = draw.scales(draw.one_of(1, outputs))
    w = b.constant(draw.int8((outputs, *taps, group_channels)), scales, axis=0)
    bias = b.constant(draw.bias(outputs), [0.1]) if draw.integer(0, 3) else ABSENT
    b.operator(
        "CONV_2D",
        (x, w, bias),
        (batches, height.out_size, width.out_size, outputs),
        scale=_output_scale(draw, taps[0] * taps[1] * group_channels),
        zero_point=draw.zero_point(),
        **_options(height, width, draw.activation()),
    )
    assert_as_tflm(b, [draw.int8(shape)])


@pytest.mark.parametrize("seed", range(60))
def test_depthwise_conv_2d(seed: int) -> None:
    draw = Draw(1000 + seed)
    channels, multiplier = draw.integer(1, 11), draw.one_of(1, 1, 1, 2, 3, 8)
    taps = draw.one_of((3, 3), (draw.integer(1, 4), draw.integer(1, 5)))
    height, width = _axes(draw, *taps)
    width = WindowAxis(width.in_size, width.taps, height.stride, width.dilation, width.padding)
    batches, outputs = draw.one_of(1, 1, 2), channels * multiplier
    shape = (batches, height.in_size, width.in_size, channels)

    b = ModelBuilder()
    x = b.input(shape, scale=draw.scale(), zero_point=draw.zero_point())
    scales = draw.scales(draw.one_of(1, outputs))
    w = b.constant(draw.int8((1, *taps, outputs)), scales, axis=3)
    inputs = [x, w]  # TFLM crashes on a bias that is listed as absent
    if draw.integer(0, 3):
        inputs.append(b.constant(draw.bias(outputs), [0.1]))
    b.operator(
        "DEPTHWISE_CONV_2D",
        inputs,
        (batches, height.out_size, width.out_size, outputs),
        scale=_output_scale(draw, taps[0] * taps[1]),
        zero_point=draw.zero_point(),
        depth_multiplier=multiplier,
        **_options(height, width, draw.activation()),
    )
    assert_as_tflm(b, [draw.int8(shape)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ["CONV_2D", "DEPTHWISE_CONV_2D"])
def test_images_of_one_column(kind: str, seed: int) -> None:
    """Sequences: the kernels see them lying along a row."""
    draw = Draw(3000 + seed)
    channels, taps = draw.integer(1, 10), draw.integer(1, 6)
    height = _axis(draw, taps)
    width = WindowAxis(1, 1, height.stride, 1, height.padding)
    shape = (draw.one_of(1, 2), height.in_size, 1, channels)
    outputs = channels if kind == "DEPTHWISE_CONV_2D" else draw.integer(1, 9)
    filters = (1, taps, 1, outputs) if kind == "DEPTHWISE_CONV_2D" else (outputs, taps, 1, channels)
    options = _options(height, width, draw.activation())
    if kind == "DEPTHWISE_CONV_2D":
        options["depth_multiplier"] = 1

    b = ModelBuilder()
    x = b.input(shape, scale=draw.scale(), zero_point=draw.zero_point())
    axis = 3 if kind == "DEPTHWISE_CONV_2D" else 0
    w = b.constant(draw.int8(filters), draw.scales(outputs), axis=axis)
    b.operator(
        kind,
        (x, w, b.constant(draw.bias(outputs), [0.1])),
        (shape[0], height.out_size, 1, outputs),
        scale=_output_scale(draw, taps * channels),
        zero_point=draw.zero_point(),
        **options,
    )
    assert_as_tflm(b, [draw.int8(shape)])


def test_sums_that_wrap_around() -> None:
    """The bias alone is out at the end of int32: folding must not change the result."""
    draw = Draw(7)
    b = ModelBuilder()
    x = b.input((1, 3, 3, 8), scale=0.5, zero_point=-128)
    w = b.constant(np.full((4, 3, 3, 8), -128, np.int8), [0.5])
    edge = np.array([2**31 - 1, -(2**31), 2**31 - 1000, -(2**31) + 1000], np.int32)
    b.operator(
        "CONV_2D", (x, w, b.constant(edge, [0.25])), (1, 3, 3, 4), scale=2.0**20,
        padding="SAME", stride_h=1, stride_w=1,
    )  # fmt: skip
    assert_as_tflm(b, [draw.int8((1, 3, 3, 8))])


@pytest.mark.parametrize("kind", ["CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV"])
def test_zero_points_of_filters_are_ignored(kind: str) -> None:
    draw = Draw(9)
    b = ModelBuilder()
    x = b.input((1, 5, 5, 4), scale=0.1, zero_point=3)
    filters = (1, 3, 3, 4) if kind == "DEPTHWISE_CONV_2D" else (4, 3, 3, 4)
    axis = 3 if kind == "DEPTHWISE_CONV_2D" else 0
    w = b.constant(draw.int8(filters), draw.scales(4), (5, -9, 0, 127), axis)
    lead = (b.constant(np.array([1, 5, 5, 4], np.int32)), w, x)
    steps = {"padding": "SAME", "stride_h": 1, "stride_w": 1}
    if kind == "DEPTHWISE_CONV_2D":
        steps["depth_multiplier"] = 1
    bias = b.constant(draw.bias(4), [0.1])
    operands = (*lead, bias) if kind == "TRANSPOSE_CONV" else (x, w, bias)
    b.operator(kind, operands, (1, 5, 5, 4), scale=9.0, zero_point=-4, **steps)
    assert_as_tflm(b, [draw.int8((1, 5, 5, 4))])
