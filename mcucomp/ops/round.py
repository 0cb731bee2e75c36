"""ROUND: the nearest whole number, halves to even."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.unary import float_call, unary_definition

ROUND = register(
    unary_definition(
        "ROUND", "the nearest whole number, halves to even", {DType.FLOAT32: float_call("n")}
    )
)
