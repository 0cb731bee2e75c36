"""FLOOR: the next whole number below."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import float_call, unary_definition

FLOOR = register(
    unary_definition("FLOOR", "the next whole number below", {DType.FLOAT32: float_call("d")})
)
