"""LESS_EQUAL: where elements of two tensors are less in the first or equal."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.comparisons import comparison_definition

LESS_EQUAL = register(
    comparison_definition(
        "LESS_EQUAL", "where elements of two tensors are less in the first or equal", "l"
    )
)
