"""SOFTMAX: along the last dimension."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import is_scalable, quantize_multiplier
from mcucomp.ops.base import (
    ConstantArray,
    Constraint,
    KernelCall,
    Node,
    OperatorDef,
    ParamValue,
    register,
)
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_option,
    has_rank,
    has_same_shape,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.element_types import by_type, has_types, where
from mcucomp.ops.exponents import difference_scale, has_multiplier, least_difference
from mcucomp.ops.rows import has_depth, rows_of
from mcucomp.ops.softmax_tables import EXP_RANGE, exp_table, reciprocal_table

# The sum of that many exponentials, each at most 2^19, stays below 2^32.
DEPTH_MAX = 8191
# So does that of these, each at most 2^15.
DEPTH_MAX_INT16 = 65535

# Of an int16 output's scale, relative; TFLM's rule.
_SLACK = 0.001
# (scale, zero point) by the types of input and output; TFLM takes no other.
_OUTPUTS = {
    (DType.INT8, DType.INT8): (1 / 256, -128),
    (DType.INT8, DType.INT16): (1 / 65536, -32768),
    (DType.INT16, DType.INT16): (1 / 32768, 0),
}


def _output_found(node: Node) -> str | None:
    result = node.output()
    wanted = _OUTPUTS.get((node.input(0).dtype, result.dtype))
    if wanted is None:
        return None
    scale, zero_point = wanted
    slack = 0.0 if result.dtype is DType.INT8 else _SLACK * scale
    if abs(scale_of(result) - scale) <= slack and zero_point_of(result) == zero_point:
        return None
    return f"scale {scale_of(result):.9g} and zero point {zero_point_of(result)}"


def _beta(node: Node) -> float:
    beta = node.option("beta")
    assert isinstance(beta, float)
    return beta


def _scale_found(node: Node) -> str | None:
    scale = _beta(node) * scale_of(node.input(0))
    return None if has_multiplier(scale) else f"{scale:.6g}"


def _int16_ratio(node: Node) -> float:
    return scale_of(node.input(0)) * _beta(node) / (EXP_RANGE / 65535)


def _int16_scale_found(node: Node) -> str | None:
    return None if is_scalable(_int16_ratio(node)) else f"{_int16_ratio(node):.6g}"


def _call(node: Node, kernel: str, params: dict[str, ParamValue]) -> KernelCall:
    source, result = node.input(0), node.output()
    return KernelCall(kernel, params, reads=(source.index,), writes=(result.index,))


def _lower_int8(node: Node) -> KernelCall:
    multiplier, exponent = quantize_multiplier(
        difference_scale(_beta(node) * scale_of(node.input(0)))
    )
    wide = node.output().dtype is DType.INT16
    return _call(
        node,
        "mcuc_softmax_s8_s16" if wide else "mcuc_softmax_s8",
        {
            **rows_of(node),
            "multiplier": multiplier,
            "diff_min": least_difference(exponent),
            "left_shift": exponent,
        },
    )


def _lower_int16(node: Node) -> KernelCall:
    multiplier, exponent = quantize_multiplier(_int16_ratio(node))
    return _call(
        node,
        "mcuc_softmax_s16",
        {
            "exp_table": ConstantArray("int16_t", exp_table()),
            "reciprocal_table": ConstantArray("int16_t", reciprocal_table()),
            **rows_of(node),
            "multiplier": multiplier,
            "right_shift": -exponent,
        },
    )


def _lower_float32(node: Node) -> KernelCall:
    return _call(node, "mcuc_softmax_f32", {**rows_of(node), "beta": _beta(node)})


SOFTMAX = register(
    OperatorDef(
        kind="SOFTMAX",
        summary="exponentials that add up to one, along the last dimension",
        constraints=(
            takes(INPUT),
            has_types(
                (INPUT, OUTPUT),
                (
                    (DType.FLOAT32, DType.FLOAT32),
                    (DType.INT8, (DType.INT8, DType.INT16)),
                    (DType.INT16, DType.INT16),
                ),
            ),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            Constraint(
                "output scale and zero point are 1/256 and -128; for int8 to int16 "
                "1/65536 and -32768; for int16 1/32768 and 0",
                _output_found,
            ),
            where(DType.INT8, has_depth(DEPTH_MAX)),
            where(DType.INT16, has_depth(DEPTH_MAX_INT16)),
            has_option(
                "beta",
                "beta is finite and above 0",
                lambda value: isinstance(value, float) and math.isfinite(value) and value > 0,
            ),
            where(DType.INT8, Constraint("beta * input scale is at least 2^-27", _scale_found)),
            where(
                DType.INT16,
                Constraint("beta * input scale is below 2^30 * 10 / 65535", _int16_scale_found),
            ),
        ),
        lower=by_type(
            {
                DType.FLOAT32: _lower_float32,
                DType.INT8: _lower_int8,
                DType.INT16: _lower_int16,
            }
        ),
        float_ulps=2,
    )
)
