"""SIN: the sine."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import transcendental, unary_definition

SIN = register(
    unary_definition("SIN", "the sine", {DType.FLOAT32: transcendental("s")}, float_ulps=1)
)
