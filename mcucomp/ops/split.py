"""SPLIT: a tensor in parts along one dimension, which comes first."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value, is_one_axis, rank_of, scalar_of, wrapped
from mcucomp.ops.base import Constraint, Node, OperatorDef, register
from mcucomp.ops.conditions import Role, dims, has_type, is_constant
from mcucomp.ops.several import all_outputs, many_outputs
from mcucomp.ops.splitting import parts_add_up, parts_constraints, split_call

AXIS = Role("axis tensor", 0)
VALUE = Role("input", 1)


def _axis(node: Node) -> int:
    return wrapped(scalar_of(AXIS)(node), len(node.input(1).shape))


def _parts_found(node: Node) -> str | None:
    shapes = [t.shape for t in all_outputs(node)]
    return None if len(set(shapes)) == 1 else ", ".join(dims(shape) for shape in shapes)


SPLIT = register(
    OperatorDef(
        kind="SPLIT",
        summary="a tensor in parts along one dimension",
        constraints=(
            many_outputs(2),
            *parts_constraints(VALUE),
            has_type(AXIS, DType.INT32),
            is_constant(AXIS),
            has_one_value(AXIS),
            is_one_axis(scalar_of(AXIS), rank_of(VALUE)),
            parts_add_up(VALUE, _axis),
            Constraint("outputs are alike", _parts_found),
        ),
        lower=lambda node: split_call(node, VALUE, _axis(node)),
    )
)
