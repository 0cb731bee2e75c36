"""SQRT: the square root."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import float_call, unary_definition

SQRT = register(unary_definition("SQRT", "the square root", {DType.FLOAT32: float_call("q")}))
