"""ELU: exp(x) - 1 below 0."""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import round_half_away
from mcucomp.ops.base import Node, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.unary import table_of, transcendental, unary_definition


def _int8(node: Node, x: int) -> int:
    """In float32, as TFLM fills its table."""
    f = np.float32
    value = f(scale_of(node.input(0))) * f(x - zero_point_of(node.input(0)))
    if value < 0:
        value = f(math.exp(float(value))) - f(1)
    with np.errstate(over="ignore"):
        scaled = value * (f(1) / f(scale_of(node.output())))
    return round_half_away(min(max(float(scaled), -1e6), 1e6)) + zero_point_of(node.output())


ELU = register(
    unary_definition(
        "ELU",
        "exp(x) - 1 below 0, else x",
        {DType.FLOAT32: transcendental("x"), DType.INT8: table_of(_int8)},
        float_ulps=1,
    )
)
