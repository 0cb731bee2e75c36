"""EXPAND_DIMS: the same bytes with one more dimension of 1, copied."""

from __future__ import annotations

from mcucomp.ops.axes import has_one_value, is_one_axis, rank_of, scalar_of
from mcucomp.ops.base import Node, register
from mcucomp.ops.conditions import INPUT, Role, is_constant
from mcucomp.ops.element_types import INDEX, has_type_among
from mcucomp.ops.views import view_definition

AXIS = Role("axis tensor", 1)


def _new_rank(node: Node) -> int:
    return rank_of(INPUT)(node) + 1


EXPAND_DIMS = register(
    view_definition(
        "EXPAND_DIMS",
        "with one more dimension of 1; the output's own shape counts",
        (INPUT, AXIS),
        more=(
            is_constant(AXIS),
            has_type_among(AXIS, INDEX),
            has_one_value(AXIS),
            is_one_axis(scalar_of(AXIS), _new_rank),
        ),
    )
)
