"""GREATER: where elements of two tensors are greater in the first."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.comparisons import comparison_definition

GREATER = register(
    comparison_definition("GREATER", "where elements of two tensors are greater in the first", ">")
)
