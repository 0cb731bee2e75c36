"""COS: the cosine."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import transcendental, unary_definition

COS = register(
    unary_definition("COS", "the cosine", {DType.FLOAT32: transcendental("c")}, float_ulps=1)
)
