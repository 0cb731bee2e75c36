"""LOG_SOFTMAX: the logarithm of softmax, along the last dimension."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_rank,
    has_same_shape,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.element_types import by_type, same_types, where
from mcucomp.ops.exponents import difference_scale, has_multiplier, least_difference
from mcucomp.ops.rows import has_depth, rows_of

DEPTH_MAX = 4095


def _output_found(node: Node) -> str | None:
    scale, zero_point = scale_of(node.output()), zero_point_of(node.output())
    if scale == 1 / 16 and zero_point == 127:
        return None
    return f"scale {scale:.9g} and zero point {zero_point}"


def _scale_found(node: Node) -> str | None:
    scale = scale_of(node.input(0))
    return None if has_multiplier(scale) and scale < 1 << 5 else f"{scale:.6g}"


def _lower_int8(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    multiplier, exponent = quantize_multiplier(difference_scale(scale_of(source)))
    # Back from Q5.26 to a difference of stored values.
    reverse, reverse_exponent = quantize_multiplier(2.0 ** (31 - exponent) / multiplier)
    return KernelCall(
        "mcuc_log_softmax_s8",
        {
            **rows_of(node),
            "multiplier": multiplier,
            "diff_min": least_difference(exponent),
            "left_shift": exponent,
            "reverse_multiplier": reverse,
            "reverse_right_shift": -reverse_exponent,
        },
        reads=(source.index,),
        writes=(result.index,),
    )


def _lower_float32(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    return KernelCall("mcuc_log_softmax_f32", rows_of(node), (source.index,), (result.index,))


LOG_SOFTMAX = register(
    OperatorDef(
        kind="LOG_SOFTMAX",
        summary="the logarithm of softmax, along the last dimension",
        constraints=(
            takes(INPUT),
            *same_types((DType.FLOAT32, DType.INT8)),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            where(DType.INT8, has_depth(DEPTH_MAX)),
            where(
                DType.INT8, Constraint("output scale is 1/16 and its zero point 127", _output_found)
            ),
            where(
                DType.INT8, Constraint("input scale is at least 2^-27 and below 32", _scale_found)
            ),
        ),
        lower=by_type({DType.FLOAT32: _lower_float32, DType.INT8: _lower_int8}),
        float_ulps=1,
    )
)
