"""LESS: where elements of two tensors are less in the first."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.comparisons import comparison_definition

LESS = register(
    comparison_definition("LESS", "where elements of two tensors are less in the first", "<")
)
