"""GREATER_EQUAL: where elements of two tensors are greater in the first or equal."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.comparisons import comparison_definition

GREATER_EQUAL = register(
    comparison_definition(
        "GREATER_EQUAL", "where elements of two tensors are greater in the first or equal", "g"
    )
)
