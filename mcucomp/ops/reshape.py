"""RESHAPE: the same bytes under another shape, copied."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.conditions import INPUT, Role
from mcucomp.ops.views import view_definition

SHAPE = Role("shape", 1)


RESHAPE = register(
    view_definition(
        "RESHAPE",
        "the same values under another shape; the output's own shape counts",
        (INPUT, SHAPE),
        optional=1,
    )
)
