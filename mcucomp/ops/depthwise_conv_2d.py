"""DEPTHWISE_CONV_2D: any stride, dilation, padding and depth multiplier.

It is the same as a convolution with as many groups as input channels, and
lowered to that, but for int8 with a depth multiplier of 1: the kernel for that
reads channels side by side.
"""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import OUTPUT, has_shape, integer_option, zero_point_of
from mcucomp.ops.constants import array_of, int8_array
from mcucomp.ops.convolution import (
    Convolution,
    bias_matches,
    channel_params,
    common_constraints,
    output_params,
    reads_plain_filter,
    scales_fit,
    sums_fit,
)
from mcucomp.ops.windows import Window, fits_counters, window_of


def _window(node: Node) -> Window:
    _, taps_h, taps_w, _ = node.input(1).shape
    return window_of(node, taps_h, taps_w, dilated=True)


def _channels_found(node: Node) -> str | None:
    channels, (lead, _, _, outputs) = node.input(0).shape[3], node.input(1).shape
    multiplier = integer_option(node, "depth_multiplier")
    if lead == 1 and outputs == channels * multiplier:
        return None
    return f"{channels} channels, depth multiplier {multiplier}, filter {lead}x..x{outputs}"


def _output_shape(node: Node) -> tuple[int, ...]:
    window = _window(node)
    batches, outputs = node.input(0).shape[0], node.input(1).shape[3]
    return batches, window.height.out_size, window.width.out_size, outputs


def _lower(node: Node) -> KernelCall:
    weights = array_of(node.input(1))[0]
    channels = node.input(0).shape[3]
    if weights.shape[2] == channels and not reads_plain_filter(node):
        return _channelwise_call(node, weights)
    rows = np.moveaxis(weights, 2, 0)[..., np.newaxis]
    return Convolution(node, _window(node), rows, groups=channels).call()


def _channelwise_call(node: Node, weights: np.ndarray) -> KernelCall:
    source, result, window = node.input(0), node.output(), _window(node).lying()
    taps_h, taps_w, channels = weights.shape
    params: dict[str, ParamValue] = {
        "filter": int8_array(weights, is_weight=True),
        **channel_params(node, weights.reshape(-1, channels).T),
        "batches": source.shape[0],
        "in_height": window.height.in_size,
        "in_width": window.width.in_size,
        "out_height": window.height.out_size,
        "out_width": window.width.out_size,
        "channels": channels,
        "filter_height": window.height.taps,
        "filter_width": window.width.taps,
        "stride_h": window.height.stride,
        "stride_w": window.width.stride,
        "dilation_h": window.height.dilation,
        "dilation_w": window.width.dilation,
        "pad_top": window.height.pad_before,
        "pad_left": window.width.pad_before,
        "in_zero_point": zero_point_of(source),
        **output_params(node, result),
    }
    return KernelCall(
        "mcuc_depthwise_conv_2d_s8",
        params,
        reads=(source.index,),
        writes=(result.index,),
        macs=result.elements * taps_h * taps_w,
    )


DEPTHWISE_CONV_2D = register(
    OperatorDef(
        kind="DEPTHWISE_CONV_2D",
        summary="a filter, or several, for each input channel",
        constraints=(
            *common_constraints(filter_axis=3, int16_biases=(DType.INT64,)),
            Constraint(
                "filter is 1 x height x width x (input channels * depth multiplier)",
                _channels_found,
            ),
            bias_matches(filter_axis=3),
            fits_counters(_window),
            has_shape(OUTPUT, "input, filter, padding, strides and dilations", _output_shape),
            sums_fit(slice(1, 3)),
            scales_fit(),
        ),
        lower=_lower,
    )
)
