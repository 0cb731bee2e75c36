"""RELU: what is negative becomes 0."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import INT16_LIMITS
from mcucomp.ops.base import KernelCall, Node, register
from mcucomp.ops.conditions import INPUT, OUTPUT, zero_point_of
from mcucomp.ops.fixed_point import scaled_by
from mcucomp.ops.scales import has_fixed_zero_point, is_scaled_below, scale_ratio
from mcucomp.ops.unary import bounded_float_call, piecewise_int16, table_of, unary_definition


def _int8(node: Node, x: int) -> int:
    """Clamped after scaling, as in TFLM: a left shift may make any sign of another."""
    value = scaled_by(x - zero_point_of(node.input(0)), scale_ratio(node))
    return max(0, value) + zero_point_of(node.output())


def _int16(node: Node) -> KernelCall:
    limits = (zero_point_of(node.output()), INT16_LIMITS[1])
    ratio = scale_ratio(node)
    return piecewise_int16(node, ratio, ratio, limits=limits)


RELU = register(
    unary_definition(
        "RELU",
        "the larger of each value and 0",
        {
            DType.FLOAT32: bounded_float_call("c", lambda node: (0.0, math.inf)),
            DType.INT8: table_of(_int8),
            DType.INT16: _int16,
        },
        more=(
            *(has_fixed_zero_point(DType.INT16, role, 0) for role in (INPUT, OUTPUT)),
            is_scaled_below(),
        ),
    )
)
