"""ABS: values without their sign."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, register
from mcucomp.ops.conditions import INPUT, OUTPUT, scale_of, zero_point_of
from mcucomp.ops.fixed_point import scaled_by
from mcucomp.ops.scales import has_fixed_zero_point, is_scaled_below, scale_ratio
from mcucomp.ops.unary import float_call, piecewise_int16, table_of, unary_definition


def _ratio(node: Node) -> float:
    """1 where the scales are the same: then nothing is scaled."""
    return 1.0 if scale_of(node.input(0)) == scale_of(node.output()) else scale_ratio(node)


def _int8(node: Node, x: int) -> int:
    value = abs(x - zero_point_of(node.input(0)))
    return scaled_by(value, _ratio(node)) + zero_point_of(node.output())


def _int16(node: Node) -> KernelCall:
    return piecewise_int16(node, _ratio(node), _ratio(node), negative_sign=-1)


ABS = register(
    unary_definition(
        "ABS",
        "values without their sign",
        {
            DType.FLOAT32: float_call("a"),
            DType.INT8: table_of(_int8),
            DType.INT16: _int16,
        },
        more=(
            *(has_fixed_zero_point(DType.INT16, role, 0) for role in (INPUT, OUTPUT)),
            is_scaled_below(),
        ),
    )
)
