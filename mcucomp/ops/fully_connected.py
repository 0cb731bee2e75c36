"""FULLY_CONNECTED: with one scale for all outputs or one for each."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import (
    INT8_MAX,
    INT8_MIN,
    activation_range,
    folded_bias,
    quantize_multiplier,
)
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    activation_of,
    dims,
    has_elements,
    has_known_activation,
    has_option,
    has_rank,
    is_constant,
    is_quantized,
    quantization_of,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import array_of, blocked, int8_array, int32_array
from mcucomp.ops.convolution import (
    BIAS,
    FILTER,
    UINT8_SHIFT,
    bias_matches,
    bias_of,
    dense_call,
    dense_plain_call,
    float_bias,
    layer_quantization,
    layer_types,
    output_params,
    reads_plain_filter,
    real_multipliers,
    scales_fit,
    sums_fit,
)
from mcucomp.ops.element_types import where
from mcucomp.ops.filters import counted_zero_point
from mcucomp.ops.products import product_call_f32, product_call_s8, walk
from mcucomp.ops.ranges import float_range

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


def _given_filter_found(node: Node) -> str | None:
    source, weights = node.input(0), node.input(1)
    if weights.is_constant:
        return None
    if source.dtype is not weights.dtype:
        return f"{weights.dtype.value}"
    return is_quantized(FILTER).found(node)


def _steps(node: Node) -> np.ndarray:
    """The filter's numbers less the zero point that counts, as int16 or float32."""
    stored = array_of(node.input(1))
    if stored.dtype == np.float32:
        return stored
    found: np.ndarray = stored.astype(np.int16) - counted_zero_point(node)
    return found


def _is_narrow(steps: np.ndarray) -> bool:
    return bool(steps.min() >= INT8_MIN and steps.max() <= INT8_MAX)


def _steps_found(node: Node) -> str | None:
    steps = _steps(node)
    return None if _is_narrow(steps) else f"{steps.min()} to {steps.max()}"


def _given_call(node: Node) -> KernelCall:
    """With a filter that is known when the layer runs: a product of two matrices."""
    source, result, bias = node.input(0), node.output(), bias_of(node)
    outputs, channels = node.input(1).shape
    places = walk(((), (), ()), (result.elements // outputs, channels, outputs), (False, True))
    if source.dtype is DType.FLOAT32:
        return product_call_f32(node, places, float_bias(node, outputs), float_range(node))
    limits = activation_range(activation_of(node), scale_of(result), zero_point_of(result))
    return product_call_s8(node, places, real_multipliers(node)[0], bias, limits)


def _lower(node: Node) -> KernelCall:
    if not node.input(1).is_constant:
        return _given_call(node)
    if node.input(1).dtype is DType.UINT8:
        return dense_plain_call(node, array_of(node.input(1)))
    weights = _steps(node)
    if weights.dtype == np.int16 and not _is_narrow(weights):
        stored = array_of(node.input(1)).astype(np.int16) + UINT8_SHIFT
        return dense_plain_call(node, stored.astype(np.uint8))
    if reads_plain_filter(node):
        return dense_plain_call(node, weights)
    weights = weights.astype(np.int8)
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
            is_constant(BIAS),
            has_rank(FILTER, 2),
            has_rank(OUTPUT, 1, 6),
            *(has_elements(role) for role in (INPUT, FILTER, OUTPUT)),
            *layer_quantization(filter_axis=0),
            Constraint(
                "a filter known at run time only has the type of input, and one scale",
                _given_filter_found,
            ),
            where(
                DType.INT16,
                Constraint("weights less their zero point fit int8", _steps_found),
            ),
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
