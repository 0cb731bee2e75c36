"""EXP: exp(x)."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import transcendental, unary_definition

EXP = register(
    unary_definition("EXP", "exp(x)", {DType.FLOAT32: transcendental("e")}, float_ulps=1)
)
