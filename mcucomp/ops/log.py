"""LOG: the natural logarithm."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import transcendental, unary_definition

LOG = register(
    unary_definition(
        "LOG", "the natural logarithm", {DType.FLOAT32: transcendental("g")}, float_ulps=1
    )
)
