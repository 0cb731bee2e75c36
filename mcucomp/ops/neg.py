"""NEG: -x."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import float_call, unary_definition

NEG = register(unary_definition("NEG", "-x", {DType.FLOAT32: float_call("-")}))
