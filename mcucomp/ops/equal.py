"""EQUAL: where elements of two tensors are equal."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.comparisons import ORDERED, comparison_definition

EQUAL = register(
    comparison_definition(
        "EQUAL", "where elements of two tensors are equal", "=", (DType.BOOL, *ORDERED)
    )
)
