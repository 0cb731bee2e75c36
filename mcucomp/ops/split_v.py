"""SPLIT_V: a tensor in parts of given sizes along one dimension."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value, is_one_axis, rank_of, scalar_of, wrapped
from mcucomp.ops.base import Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, Role, has_type, is_constant
from mcucomp.ops.several import many_outputs
from mcucomp.ops.splitting import parts_add_up, parts_constraints, split_call

SIZES = Role("sizes tensor", 1)
AXIS = Role("axis tensor", 2)


def _axis(node: Node) -> int:
    return wrapped(scalar_of(AXIS)(node), len(node.input(0).shape))


SPLIT_V = register(
    OperatorDef(
        kind="SPLIT_V",
        summary="a tensor in parts along one dimension; the outputs' own sizes count",
        constraints=(
            many_outputs(3),
            *parts_constraints(INPUT),
            has_type(AXIS, DType.INT32),
            is_constant(SIZES),
            is_constant(AXIS),
            has_one_value(AXIS),
            is_one_axis(scalar_of(AXIS), rank_of(INPUT)),
            parts_add_up(INPUT, _axis),
        ),
        lower=lambda node: split_call(node, INPUT, _axis(node)),
    )
)
