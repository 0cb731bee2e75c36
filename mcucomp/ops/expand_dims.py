"""EXPAND_DIMS: the same bytes with one more dimension of 1, copied."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.conditions import INPUT, Role, is_constant
from mcucomp.ops.views import view_definition

AXIS = Role("axis tensor", 1)

EXPAND_DIMS = register(
    view_definition(
        "EXPAND_DIMS",
        "with one more dimension of 1; the output's own shape counts",
        (INPUT, AXIS),
        more=(is_constant(AXIS),),
    )
)
