"""What do CONV_2D and DEPTHWISE_CONV_2D have in common?

In: a convolution whose filter is seen as (output channels, height, width,
channels of a group). Out: the call of the kernel that computes it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import (
    DOT_TERMS_MAX,
    activation_range,
    channel_multipliers,
    folded_bias,
    is_scalable,
)
from mcucomp.ops.base import Clearance, Constraint, KernelCall, Node, ParamValue
from mcucomp.ops.clearance import ascending, convolution, dense, dense_backward
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    activation_of,
    dims,
    has_elements,
    has_known_activation,
    has_rank,
    has_small_dimensions,
    has_type,
    has_weight_scales,
    is_constant,
    is_quantized,
    quantization_of,
    scale_of,
    takes,
    tensor_of,
    zero_point_of,
)
from mcucomp.ops.constants import array_of, blocked, int8_array, int32_array
from mcucomp.ops.windows import Window, window_options

DENSE = "mcuc_conv_2d_s8__1x1"
DENSE_BACKWARD = f"{DENSE}_backward"
_PIXELS_TOGETHER = 2

FILTER = Role("filter", 1)
BIAS = Role("bias", 2)


def common_constraints(filter_axis: int) -> tuple[Constraint, ...]:
    """What both kinds demand before shapes are compared; scales lie along `filter_axis`."""
    return (
        takes(INPUT, FILTER, BIAS, optional=1),
        has_type(INPUT, DType.INT8),
        has_type(FILTER, DType.INT8),
        has_type(BIAS, DType.INT32),
        has_type(OUTPUT, DType.INT8),
        is_constant(FILTER),
        is_constant(BIAS),
        *(has_rank(role, 4) for role in (INPUT, FILTER, OUTPUT)),
        *(has_elements(role) for role in (INPUT, FILTER, OUTPUT)),
        *(has_small_dimensions(role) for role in (INPUT, FILTER, OUTPUT)),
        is_quantized(INPUT),
        is_quantized(OUTPUT),
        has_weight_scales(FILTER, filter_axis),
        has_known_activation(),
        *window_options(dilated=True),
    )


def bias_matches(filter_axis: int) -> Constraint:
    def found(node: Node) -> str | None:
        bias = BIAS.of(node)
        outputs = tensor_of(FILTER, node).shape[filter_axis]
        return None if bias is None or bias.elements == outputs else dims(bias.shape)

    return Constraint("bias has one value for each output channel", found)


def sums_fit(terms_shape: slice) -> Constraint:
    """Sums of products stay within int32: `terms_shape` are the filter's dimensions summed over."""

    def found(node: Node) -> str | None:
        shape = tensor_of(FILTER, node).shape[terms_shape]
        terms = int(np.prod(shape, dtype=np.int64))
        return None if terms <= DOT_TERMS_MAX else f"{terms:,}"

    return Constraint(f"an output is the sum of at most {DOT_TERMS_MAX:,} products", found)


def real_multipliers(node: Node) -> list[float]:
    """input scale * filter scale / output scale, for each scale of the filter, in double."""
    input_scale, output_scale = scale_of(node.input(0)), scale_of(node.output())
    return [input_scale * scale / output_scale for scale in quantization_of(node.input(1)).scales]


def scales_fit() -> Constraint:
    def found(node: Node) -> str | None:
        wrong = [real for real in real_multipliers(node) if not is_scalable(real)]
        return f"{wrong[0]:.6g}" if wrong else None

    return Constraint("input scale * filter scale / output scale is below 2^30", found)


def bias_of(node: Node) -> np.ndarray | None:
    bias = BIAS.of(node)
    return None if bias is None else array_of(bias).ravel()


@dataclass(frozen=True, slots=True)
class Convolution:
    """A convolution, its filter as (output channels, height, width, channels of a group)."""

    node: Node
    window: Window
    weights: np.ndarray
    groups: int

    def call(self) -> KernelCall:
        """The kernel call; a 1x1 filter without stride, margins or groups has its own."""
        plain = self.weights.shape[1:3] == (1, 1) and self.groups == 1
        axes = (self.window.height, self.window.width)
        still = all(axis.stride == 1 and axis.margins == (0, 0) for axis in axes)
        return self._dense_call() if plain and still else self._general_call()

    def _macs(self) -> int:
        return self.node.output().elements * int(np.prod(self.weights.shape[1:]))

    def _dense_call(self) -> KernelCall:
        node = self.node
        outputs, _, _, channels = self.weights.shape
        return dense_call(node, self.weights.reshape(outputs, channels))

    def _general_call(self) -> KernelCall:
        node, window = self.node, self.window.lying()
        source, result = node.input(0), node.output()
        outputs, _, _, group_channels = self.weights.shape
        per_group = outputs // self.groups
        rows = self.weights.reshape(outputs, -1)
        filters = [
            blocked(rows[start : start + per_group]) for start in range(0, outputs, per_group)
        ]
        params: dict[str, ParamValue] = {
            "filter": int8_array(np.concatenate(filters), is_weight=True),
            **channel_params(node, rows),
            "batches": source.shape[0],
            "in_height": window.height.in_size,
            "in_width": window.width.in_size,
            "out_height": window.height.out_size,
            "out_width": window.width.out_size,
            "groups": self.groups,
            "group_in_channels": group_channels,
            "group_out_channels": per_group,
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
            "mcuc_conv_2d_s8",
            params,
            reads=(source.index,),
            writes=(result.index,),
            macs=self._macs(),
            clearances=(
                ascending(
                    0,
                    convolution(window, source.shape[0], self.groups, group_channels, per_group),
                ),
            ),
        )


def dense_call(node: Node, weights: np.ndarray) -> KernelCall:
    """The same (outputs, channels) layer for every pixel or row of the input."""
    source, result = node.input(0), node.output()
    outputs, channels = weights.shape
    params: dict[str, ParamValue] = {
        "filter": int8_array(blocked(weights), is_weight=True),
        **channel_params(node, weights),
        "pixels": result.elements // outputs,
        "in_channels": channels,
        "out_channels": outputs,
        **output_params(node, result),
    }
    return KernelCall(
        DENSE,
        params,
        reads=(source.index,),
        writes=(result.index,),
        macs=result.elements * channels,
        clearances=_dense_clearances(result.elements // outputs, channels, outputs),
    )


def _dense_clearances(pixels: int, channels: int, outputs: int) -> tuple[Clearance, ...]:
    """Of the kernel and of its backward form, two pixels at a time."""
    above = dense_backward(pixels, channels, outputs, _PIXELS_TOGETHER)
    return (
        ascending(0, dense(pixels, channels, outputs, _PIXELS_TOGETHER)),
        Clearance(0, high_bytes=None if above is None else -above, kernel=DENSE_BACKWARD),
    )


def channel_params(node: Node, weights: np.ndarray) -> dict[str, ParamValue]:
    """Folded bias, multiplier and shift of each output channel; weights are a row a channel."""
    bias = folded_bias(bias_of(node), weights, zero_point_of(node.input(0)))
    multipliers, right_shifts = channel_multipliers(real_multipliers(node), len(weights))
    return {
        "bias": int32_array(bias),
        "multiplier": int32_array(multipliers),
        "right_shift": int8_array(right_shifts),
    }


def output_params(node: Node, result: Tensor) -> dict[str, ParamValue]:
    """Zero point and range of an int8 output with a fused activation."""
    low, high = activation_range(activation_of(node), scale_of(result), zero_point_of(result))
    return {"out_zero_point": zero_point_of(result), "out_min": low, "out_max": high}
