"""FULLY_CONNECTED: with one scale for all outputs or one for each."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import folded_bias, quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    dims,
    has_elements,
    has_known_activation,
    has_option,
    has_rank,
    is_constant,
    quantization_of,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import array_of, blocked, int8_array, int32_array
from mcucomp.ops.convolution import (
    BIAS,
    FILTER,
    bias_matches,
    bias_of,
    dense_call,
    dense_plain_call,
    layer_quantization,
    layer_types,
    output_params,
    reads_plain_filter,
    real_multipliers,
    scales_fit,
    sums_fit,
)

# TFLM refuses a bias whose scale is further off, in units of the output scale.
_BIAS_SCALE_SLACK = 0.02


def _shapes_found(node: Node) -> str | None:
    source, weights, result = node.input(0), node.input(1), node.output()
    outputs, channels = weights.shape
    rows = source.elements // channels
    if rows * channels == source.elements and result.shape[-1:] == (outputs,):
        fits = result.elements == rows * outputs
    else:
        fits = False
    if fits:
        return None
    return f"input {dims(source.shape)}, filter {dims(weights.shape)}, output {dims(result.shape)}"


def _bias_scale_found(node: Node) -> str | None:
    bias = BIAS.of(node)
    if bias is None or node.input(0).dtype is DType.FLOAT32:
        return None
    filters = quantization_of(node.input(1))
    if len(filters.scales) > 1:
        return None
    q = bias.quantization
    bias_scale = q.scales[0] if q is not None and q.scales else 0.0
    product = scale_of(node.input(0)) * filters.scales[0]
    off = abs(product - bias_scale) / scale_of(node.output())
    return None if off <= _BIAS_SCALE_SLACK else f"{bias_scale:.6g} instead of {product:.6g}"


def _lower(node: Node) -> KernelCall:
    weights = array_of(node.input(1))
    if reads_plain_filter(node):
        return dense_plain_call(node, weights)
    if len(quantization_of(node.input(1)).scales) > 1:
        return dense_call(node, weights)
    source, result = node.input(0), node.output()
    outputs, channels = weights.shape
    multiplier, exponent = quantize_multiplier(real_multipliers(node)[0])
    bias = folded_bias(bias_of(node), weights, zero_point_of(source))
    params: dict[str, ParamValue] = {
        "filter": int8_array(blocked(weights), is_weight=True),
        "bias": int32_array(bias),
        "multiplier": multiplier,
        "rows": result.elements // outputs,
        "in_channels": channels,
        "out_channels": outputs,
        "right_shift": -exponent,
        **output_params(node, result),
    }
    return KernelCall(
        "mcuc_fully_connected_s8",
        params,
        reads=(source.index,),
        writes=(result.index,),
        macs=result.elements * channels,
    )


FULLY_CONNECTED = register(
    OperatorDef(
        kind="FULLY_CONNECTED",
        summary="dense layer with per-tensor or per-channel weights",
        constraints=(
            takes(INPUT, FILTER, BIAS, optional=1),
            layer_types((DType.INT32, DType.INT64)),
            is_constant(FILTER),
            is_constant(BIAS),
            has_rank(FILTER, 2),
            has_rank(OUTPUT, 1, 6),
            *(has_elements(role) for role in (INPUT, FILTER, OUTPUT)),
            *layer_quantization(filter_axis=0),
            has_known_activation(),
            has_option(
                "weights_format",
                "weights format is DEFAULT",
                lambda value: value in (None, "DEFAULT"),
            ),
            Constraint(
                "input is rows of the filter's width, output as many rows of its height",
                _shapes_found,
            ),
            bias_matches(filter_axis=0),
            sums_fit(slice(1, 2)),
            scales_fit(),
            Constraint(
                "bias scale differs from input scale * filter scale by at most 0.02 output scales",
                _bias_scale_found,
            ),
        ),
        lower=_lower,
    )
)
