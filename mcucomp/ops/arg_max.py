"""ARG_MAX: where the largest value is along one dimension."""

from __future__ import annotations

from mcucomp.ops.arg_extrema import arg_definition
from mcucomp.ops.base import register

ARG_MAX = register(
    arg_definition(
        "ARG_MAX", "where the first of the largest values is along one dimension", is_min=False
    )
)
