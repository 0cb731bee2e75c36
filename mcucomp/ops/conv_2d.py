"""CONV_2D: any stride, dilation, padding and number of groups."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, has_shape
from mcucomp.ops.constants import array_of
from mcucomp.ops.convolution import (
    Convolution,
    bias_matches,
    common_constraints,
    has_wide_sums,
    scales_fit,
    sums_fit,
)
from mcucomp.ops.windows import Window, fits_counters, window_of


def _window(node: Node) -> Window:
    _, taps_h, taps_w, _ = node.input(1).shape
    return window_of(node, taps_h, taps_w, dilated=True)


def _groups_found(node: Node) -> str | None:
    channels, outputs = node.input(0).shape[3], node.input(1).shape[0]
    group_channels = node.input(1).shape[3]
    if channels % group_channels == 0 and outputs % (channels // group_channels) == 0:
        return None
    return f"{channels} input channels, {group_channels} in the filter, {outputs} outputs"


def _output_shape(node: Node) -> tuple[int, ...]:
    window = _window(node)
    batches, outputs = node.input(0).shape[0], node.input(1).shape[0]
    return batches, window.height.out_size, window.width.out_size, outputs


def _lower(node: Node) -> KernelCall:
    weights = array_of(node.input(1))
    groups = node.input(0).shape[3] // weights.shape[3]
    wide = has_wide_sums(node)
    return Convolution(node, _window(node), weights, groups, is_wide=wide).call()


CONV_2D = register(
    OperatorDef(
        kind="CONV_2D",
        summary="2-D convolution with per-tensor or per-channel weights, also grouped",
        constraints=(
            *common_constraints(filter_axis=0, int16_biases=(DType.INT32, DType.INT64)),
            Constraint(
                "input channels are a multiple of filter channels, and outputs of the groups",
                _groups_found,
            ),
            bias_matches(filter_axis=0),
            fits_counters(_window),
            has_shape(OUTPUT, "input, filter, padding, strides and dilations", _output_shape),
            sums_fit(slice(1, 4)),
            scales_fit(),
        ),
        lower=_lower,
    )
)
