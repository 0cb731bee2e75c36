"""CEIL: the next whole number above."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import float_call, unary_definition

CEIL = register(
    unary_definition("CEIL", "the next whole number above", {DType.FLOAT32: float_call("u")})
)
