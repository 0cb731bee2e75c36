"""PRELU: what is negative, times a factor of its own."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.broadcasting import broadcast_shape
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_same_shape,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.element_types import by_type, has_types
from mcucomp.ops.fixed_point import scaled_by
from mcucomp.ops.pairs import pair_call
from mcucomp.ops.scales import is_scaled_below, scale_ratio
from mcucomp.ops.strides import RASTER_DIMENSIONS
from mcucomp.ops.unary import table_of

ALPHA = Role("alpha", 1)


def _negative_ratio(node: Node) -> float:
    return scale_of(node.input(0)) * scale_of(node.input(1)) / scale_of(node.output())


def _shapes_found(node: Node) -> str | None:
    shape, alpha = node.input(0).shape, node.input(1).shape
    return None if broadcast_shape(shape, alpha) == shape else f"{dims(alpha)} to {dims(shape)}"


def _lower_quantized(node: Node) -> KernelCall:
    source, alpha, result = node.input(0), node.input(1), node.output()
    positive, positive_exponent = quantize_multiplier(scale_ratio(node))
    negative, negative_exponent = quantize_multiplier(_negative_ratio(node))
    return pair_call(
        node,
        "mcuc_prelu_s16" if source.dtype is DType.INT16 else "mcuc_prelu_s8",
        {
            "a_offset": -zero_point_of(source),
            "b_offset": -zero_point_of(alpha),
            "positive_multiplier": positive,
            "negative_multiplier": negative,
            "out_zero_point": zero_point_of(result),
            "positive_right_shift": -positive_exponent,
            "negative_right_shift": -negative_exponent,
        },
    )


def _int8(node: Node, x: int) -> int:
    """For an alpha of one value, which is constant: a table holds all there is to it."""
    alpha, result = node.input(1), node.output()
    value = x - zero_point_of(node.input(0))
    if value >= 0:
        return scaled_by(value, scale_ratio(node)) + zero_point_of(result)
    factor = values_of(alpha)[0] - zero_point_of(alpha)
    return scaled_by(value * factor, _negative_ratio(node)) + zero_point_of(result)


def _lower_int8(node: Node) -> KernelCall:
    alpha = node.input(1)
    is_one = alpha.is_constant and alpha.elements == 1
    return table_of(_int8)(node) if is_one else _lower_quantized(node)


PRELU = register(
    OperatorDef(
        kind="PRELU",
        summary="values above 0 as they are, others times a factor of their own",
        constraints=(
            takes(INPUT, ALPHA),
            has_types(
                (INPUT, ALPHA, OUTPUT),
                (
                    (DType.FLOAT32, DType.FLOAT32, DType.FLOAT32),
                    (DType.INT8, DType.INT8, DType.INT8),
                    (DType.INT16, DType.INT8, DType.INT16),
                ),
            ),
            *(has_rank(role, 0, RASTER_DIMENSIONS) for role in (INPUT, ALPHA)),
            *(has_elements(role) for role in (INPUT, ALPHA)),
            has_same_shape(INPUT, OUTPUT),
            Constraint("alpha broadcasts to the shape of input", _shapes_found),
            *(is_quantized(role) for role in (INPUT, ALPHA, OUTPUT)),
            is_scaled_below(),
            is_scaled_below("input scale * alpha scale / output scale", _negative_ratio),
        ),
        lower=by_type(
            {
                DType.FLOAT32: lambda node: pair_call(node, "mcuc_prelu_f32", {}),
                DType.INT8: _lower_int8,
                DType.INT16: _lower_quantized,
            }
        ),
    )
)
