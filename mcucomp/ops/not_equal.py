"""NOT_EQUAL: where elements of two tensors are not equal."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.comparisons import ORDERED, comparison_definition

NOT_EQUAL = register(
    comparison_definition(
        "NOT_EQUAL", "where elements of two tensors are not equal", "!", (DType.BOOL, *ORDERED)
    )
)
