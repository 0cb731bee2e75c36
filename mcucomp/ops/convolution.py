"""What do CONV_2D and DEPTHWISE_CONV_2D have in common?

In: a convolution whose filter is seen as (output channels, height, width,
channels of a group). Out: the call of the kernel that computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import (
    DOT_TERMS_MAX,
    INT8_MAX,
    INT8_MIN,
    INT16_LIMITS,
    activation_range,
    channel_multipliers,
    folded_bias,
    is_scalable,
    is_widely_scalable,
    wide_multipliers,
)
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, ParamValue
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
    has_weight_scales,
    has_zero_point,
    is_constant,
    is_quantized,
    quantization_of,
    scale_of,
    takes,
    tensor_of,
    zero_point_of,
)
from mcucomp.ops.constants import (
    array_of,
    blocked,
    float_array,
    int8_array,
    int32_array,
    int64_array,
)
from mcucomp.ops.element_types import has_types, where
from mcucomp.ops.ranges import float_range
from mcucomp.ops.windows import Window, window_options

FILTER = Role("filter", 1)
BIAS = Role("bias", 2)


WEIGHTS = (DType.INT8, DType.INT4)
UINT8_SHIFT = 128


def layer_types(int16_biases: tuple[DType, ...]) -> Constraint:
    """The types of a layer with weights. A filter of int4 is unpacked when it is compiled."""
    return has_types(
        (INPUT, FILTER, BIAS, OUTPUT),
        (
            (DType.FLOAT32, DType.FLOAT32, DType.FLOAT32, DType.FLOAT32),
            (DType.INT8, (*WEIGHTS, DType.UINT8), DType.INT32, DType.INT8),
            (DType.INT16, DType.INT8, int16_biases, DType.INT16),
        ),
    )


def layer_quantization(filter_axis: int) -> tuple[Constraint, ...]:
    """Scales and zero points of a layer with weights, where it is quantised."""
    return (
        is_quantized(INPUT),
        is_quantized(OUTPUT),
        where(WEIGHTS, has_weight_scales(FILTER, filter_axis, shifted=True), FILTER),
        where(DType.UINT8, is_quantized(FILTER), FILTER),
        *(where(DType.INT16, has_zero_point(role, 0)) for role in (INPUT, OUTPUT)),
    )


def common_constraints(filter_axis: int, int16_biases: tuple[DType, ...]) -> tuple[Constraint, ...]:
    """What both kinds demand before shapes are compared; scales lie along `filter_axis`."""
    return (
        takes(INPUT, FILTER, BIAS, optional=1),
        layer_types(int16_biases),
        is_constant(FILTER),
        is_constant(BIAS),
        *(has_rank(role, 4) for role in (INPUT, FILTER, OUTPUT)),
        *(has_elements(role) for role in (INPUT, FILTER, OUTPUT)),
        *(has_small_dimensions(role) for role in (INPUT, FILTER, OUTPUT)),
        *layer_quantization(filter_axis),
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

    return where(
        DType.INT8,
        Constraint(f"an output is the sum of at most {DOT_TERMS_MAX:,} products", found),
    )


def real_multipliers(node: Node) -> list[float]:
    """input scale * filter scale / output scale, for each scale of the filter, in double."""
    input_scale, output_scale = scale_of(node.input(0)), scale_of(node.output())
    return [input_scale * scale / output_scale for scale in quantization_of(node.input(1)).scales]


def scales_fit(
    reals: Callable[[Node], list[float]] = real_multipliers,
    wording: str = "input scale * filter scale / output scale",
) -> Constraint:
    """Kernels can scale by what `reals` gives: for int16, whose sums have 64 bits, less."""

    def found(node: Node) -> str | None:
        if node.input(0).dtype is DType.FLOAT32:
            return None
        is_fine = is_widely_scalable if node.input(0).dtype is DType.INT16 else is_scalable
        wrong = [real for real in reals(node) if not is_fine(real)]
        return f"{wrong[0]:.6g}" if wrong else None

    return Constraint(f"{wording} is below 2^30, for int16 below 2^7", found)


def has_wide_sums(node: Node) -> bool:
    """Whether TFLM adds up in 64 bits and scales in one step; it is the bias that decides."""
    bias = BIAS.of(node)
    if bias is None:
        return node.operator.options.get("quantized_bias_type") != DType.INT32.value
    return bias.dtype is not DType.INT32


def reads_plain_filter(node: Node) -> bool:
    """Whether the layer's kernel reads the filter as it is, not in blocks."""
    return node.input(0).dtype is not DType.INT8 or node.input(1).dtype is DType.UINT8


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
    is_wide: bool = True

    def call(self) -> KernelCall:
        """The kernel call; for int8 a plain 1x1 filter has a kernel of its own."""
        if reads_plain_filter(self.node):
            return self._plain_call()
        plain = self.weights.shape[1:3] == (1, 1) and self.groups == 1
        axes = (self.window.height, self.window.width)
        still = all(axis.stride == 1 and axis.margins == (0, 0) for axis in axes)
        return self._dense_call() if plain and still else self._general_call()

    def _macs(self) -> int:
        return self.node.output().elements * int(np.prod(self.weights.shape[1:]))

    def _plain_call(self) -> KernelCall:
        """For types whose kernels read the filter as it is."""
        node, window = self.node, self.window
        outputs, _, _, group_channels = self.weights.shape
        geometry = {
            "batches": node.input(0).shape[0],
            "in_height": window.height.in_size,
            "in_width": window.width.in_size,
            "out_height": window.height.out_size,
            "out_width": window.width.out_size,
            "groups": self.groups,
            "group_in_channels": group_channels,
            "group_out_channels": outputs // self.groups,
            "filter_height": window.height.taps,
            "filter_width": window.width.taps,
            "stride_h": window.height.stride,
            "stride_w": window.width.stride,
            "dilation_h": window.height.dilation,
            "dilation_w": window.width.dilation,
            "pad_top": window.height.pad_before,
            "pad_left": window.width.pad_before,
        }
        return plain_layer_call(node, self.weights, geometry, self._macs(), is_wide=self.is_wide)

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
        "mcuc_conv_2d_s8__1x1",
        params,
        reads=(source.index,),
        writes=(result.index,),
        macs=result.elements * channels,
    )


def plain_layer_call(
    node: Node,
    weights: np.ndarray,
    geometry: Mapping[str, int],
    macs: int,
    *,
    is_wide: bool = True,
) -> KernelCall:
    """The call of the general convolution for int16 or float32, or for weights of uint8.

    Those are the numbers of a filter with a zero point, of int8 with UINT8_SHIFT added.
    """
    source, result = node.input(0), node.output()
    if weights.dtype == np.uint8:
        return _uint8_filter_call(node, weights, geometry, macs)
    if source.dtype is DType.FLOAT32:
        kernel = "mcuc_conv_2d_f32"
        low, high = float_range(node)
        params: dict[str, ParamValue] = {
            "filter": float_array(weights, is_weight=True),
            "bias": float_array(float_bias(node, len(weights))),
            **geometry,
            "out_min": low,
            "out_max": high,
        }
    else:
        kernel = "mcuc_conv_2d_s16"
        output = output_params(node, result)
        params = {
            "filter": int8_array(weights, is_weight=True),
            **wide_channel_params(node, len(weights), is_wide=is_wide),
            **geometry,
            "out_min": output["out_min"],
            "out_max": output["out_max"],
            "is_wide": int(is_wide),
        }
    return KernelCall(kernel, params, (source.index,), (result.index,), macs=macs)


def _uint8_filter_call(
    node: Node, weights: np.ndarray, geometry: Mapping[str, int], macs: int
) -> KernelCall:
    source, result, bias = node.input(0), node.output(), bias_of(node)
    shift = 0 if node.input(1).dtype is DType.UINT8 else UINT8_SHIFT
    multipliers, right_shifts = channel_multipliers(real_multipliers(node), len(weights))
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("uint8_t", np.ascontiguousarray(weights).ravel(), is_weight=True),
        "bias": int32_array(np.zeros(len(weights)) if bias is None else bias),
        "multiplier": int32_array(multipliers),
        "right_shift": int8_array(right_shifts),
        **geometry,
        "in_zero_point": zero_point_of(source),
        "filter_zero_point": zero_point_of(node.input(1)) + shift,
        **output_params(node, result),
    }
    reads, writes = (source.index,), (result.index,)
    return KernelCall("mcuc_conv_2d_s8_u8", params, reads, writes, macs=macs)


def dense_plain_call(node: Node, weights: np.ndarray) -> KernelCall:
    """A (outputs, channels) layer as a convolution of single pixels, its filter as it is."""
    outputs, channels = weights.shape
    rows = node.output().elements // outputs
    sizes = {"batches": 1, "in_height": 1, "in_width": rows, "out_height": 1, "out_width": rows}
    groups = {"groups": 1, "group_in_channels": channels, "group_out_channels": outputs}
    ones = ("filter_height", "filter_width", "stride_h", "stride_w", "dilation_h", "dilation_w")
    geometry = {**sizes, **groups, **dict.fromkeys(ones, 1), "pad_top": 0, "pad_left": 0}
    macs = node.output().elements * channels
    return plain_layer_call(node, weights, geometry, macs, is_wide=has_wide_sums(node))


def float_bias(node: Node, outputs: int) -> np.ndarray:
    """Without a bias TFLM adds 0."""
    bias = bias_of(node)
    return np.zeros(outputs, np.float32) if bias is None else bias


def wide_channel_params(
    node: Node,
    outputs: int,
    *,
    is_wide: bool,
) -> dict[str, ParamValue]:
    """Bias, multiplier and shift of each channel of an int16 layer."""
    bias = bias_of(node)
    scaling = wide_multipliers if is_wide else channel_multipliers
    multipliers, right_shifts = scaling(real_multipliers(node), outputs)
    return {
        "bias": int64_array(np.zeros(outputs) if bias is None else bias),
        "multiplier": int32_array(multipliers),
        "right_shift": int8_array(right_shifts),
    }


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
    """Zero point and range of an int8 or int16 output with a fused activation."""
    limits = INT16_LIMITS if result.dtype is DType.INT16 else (INT8_MIN, INT8_MAX)
    low, high = activation_range(
        activation_of(node), scale_of(result), zero_point_of(result), limits
    )
    return {"out_zero_point": zero_point_of(result), "out_min": low, "out_max": high}
