"""TRANSPOSE_CONV: each input pixel, times the filter, added to where it reaches."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import (
    channel_multipliers,
    is_scalable,
    is_widely_scalable,
    wide_multipliers,
)
from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import (
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_known_activation,
    has_rank,
    has_small_dimensions,
    has_weight_scales,
    has_zero_point,
    integer_option,
    is_constant,
    is_quantized,
    quantization_of,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import array_of, float_array, int8_array, int32_array, int64_array
from mcucomp.ops.convolution import output_params
from mcucomp.ops.element_types import has_type_among, has_types, where
from mcucomp.ops.ranges import float_range
from mcucomp.ops.windows import WindowAxis, window_options

SHAPE = Role("shape", 0)
FILTER = Role("filter", 1)
INPUT = Role("input", 2)
BIAS = Role("bias", 3)
_IMAGES = (INPUT, FILTER, OUTPUT)


def _axes(node: Node) -> tuple[WindowAxis, WindowAxis]:
    """Height and width of the convolution that leads from output to input."""
    padding = str(node.option("padding"))
    (_, height, width, _), (_, taps_h, taps_w, _) = node.output().shape, node.input(1).shape
    return (
        WindowAxis(height, taps_h, integer_option(node, "stride_h"), 1, padding),
        WindowAxis(width, taps_w, integer_option(node, "stride_w"), 1, padding),
    )


def _channels_found(node: Node) -> str | None:
    source, weights, result = node.input(2).shape, node.input(1).shape, node.output().shape
    if source[3] == weights[3] and result[3] == weights[0] and source[0] == result[0]:
        return None
    return f"input {dims(source)}, filter {dims(weights)}, output {dims(result)}"


def _shape_found(node: Node) -> str | None:
    shape = tuple(values_of(node.input(0))) if node.input(0).is_constant else node.output().shape
    return (
        None if shape == node.output().shape else f"{dims(shape)}, not {dims(node.output().shape)}"
    )


def _bias_found(node: Node) -> str | None:
    bias = BIAS.of(node)
    fits = bias is None or bias.elements == node.input(1).shape[0]
    return None if bias is None or fits else dims(bias.shape)


def _reals(node: Node) -> list[float]:
    source, result = scale_of(node.input(2)), scale_of(node.output())
    return [source * scale / result for scale in quantization_of(node.input(1)).scales]


def _scales_found(node: Node) -> str | None:
    is_fine = is_widely_scalable if node.input(2).dtype is DType.INT16 else is_scalable
    wrong = [real for real in _reals(node) if not is_fine(real)]
    return f"{wrong[0]:.6g}" if wrong else None


def _geometry(node: Node) -> dict[str, ParamValue]:
    batches, in_height, in_width, in_channels = node.input(2).shape
    _, out_height, out_width, out_channels = node.output().shape
    height, width = _axes(node)
    return {
        "batches": batches,
        "in_height": in_height,
        "in_width": in_width,
        "in_channels": in_channels,
        "out_height": out_height,
        "out_width": out_width,
        "out_channels": out_channels,
        "filter_height": height.taps,
        "filter_width": width.taps,
        "stride_h": height.stride,
        "stride_w": width.stride,
        "pad_top": height.pad_before,
        "pad_left": width.pad_before,
    }


def _channels(node: Node, bias: np.ndarray) -> dict[str, ParamValue]:
    """Filter, bias and scaling of each output channel."""
    weights, dtype = array_of(node.input(1)), node.input(2).dtype
    if dtype is DType.FLOAT32:
        return {"filter": float_array(weights, is_weight=True), "bias": float_array(bias)}
    is_int16 = dtype is DType.INT16
    scaling = wide_multipliers if is_int16 else channel_multipliers
    multipliers, right_shifts = scaling(_reals(node), len(weights))
    return {
        "filter": int8_array(weights, is_weight=True),
        "bias": int64_array(bias) if is_int16 else int32_array(bias),
        "multiplier": int32_array(multipliers),
        "right_shift": int8_array(right_shifts),
    }


def _output(node: Node) -> dict[str, ParamValue]:
    dtype, result = node.input(2).dtype, node.output()
    if dtype is DType.FLOAT32:
        low, high = float_range(node)
        return {"out_min": low, "out_max": high}
    output = output_params(node, result)
    if dtype is DType.INT16:
        return {"out_min": output["out_min"], "out_max": output["out_max"]}
    return {"in_zero_point": zero_point_of(node.input(2)), **output}


_SUFFIXES = {DType.FLOAT32: "f32", DType.INT8: "s8", DType.INT16: "s16"}


def _lower(node: Node) -> KernelCall:
    source, result, bias = node.input(2), node.output(), BIAS.of(node)
    outputs, taps_h, taps_w, _ = node.input(1).shape
    values = np.zeros(outputs) if bias is None else array_of(bias).ravel()
    return KernelCall(
        f"mcuc_transpose_conv_{_SUFFIXES[source.dtype]}",
        {**_channels(node, values), **_geometry(node), **_output(node)},
        reads=(source.index,),
        writes=(result.index,),
        macs=source.elements * outputs * taps_h * taps_w,
    )


TRANSPOSE_CONV = register(
    OperatorDef(
        kind="TRANSPOSE_CONV",
        summary="each input pixel, times the filter, added to where it reaches",
        constraints=(
            takes(SHAPE, FILTER, INPUT, BIAS, optional=1),
            has_types(
                (INPUT, FILTER, BIAS, OUTPUT),
                (
                    (DType.FLOAT32, DType.FLOAT32, DType.FLOAT32, DType.FLOAT32),
                    (DType.INT8, DType.INT8, DType.INT32, DType.INT8),
                    (DType.INT16, DType.INT8, (DType.INT16, DType.INT64), DType.INT16),
                ),
            ),
            has_type_among(SHAPE, (DType.INT32,)),
            is_constant(FILTER),
            is_constant(BIAS),
            *(has_rank(role, 4) for role in _IMAGES),
            *(has_elements(role) for role in _IMAGES),
            *(has_small_dimensions(role) for role in _IMAGES),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            where(DType.INT8, has_weight_scales(FILTER, 0, shifted=True), FILTER),
            *(where(DType.INT16, has_zero_point(role, 0), INPUT) for role in (INPUT, OUTPUT)),
            has_known_activation(),
            *window_options(dilated=False),
            Constraint(
                "filter is output channels x height x width x input channels", _channels_found
            ),
            Constraint("bias has one value for each output channel", _bias_found),
            Constraint("a constant shape is that of the output", _shape_found),
            where(
                (DType.INT8, DType.INT16),
                Constraint(
                    "input scale * filter scale / output scale is below 2^30, for int16 below 2^7",
                    _scales_found,
                ),
                INPUT,
            ),
        ),
        lower=_lower,
    )
)
