"""ARG_MIN: where the smallest value is along one dimension."""

from __future__ import annotations

from mcucomp.ops.arg_extrema import arg_definition
from mcucomp.ops.base import register

ARG_MIN = register(
    arg_definition(
        "ARG_MIN", "where the first of the smallest values is along one dimension", is_min=True
    )
)
