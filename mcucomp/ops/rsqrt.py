"""RSQRT: 1 / sqrt(x)."""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Node, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.fixed_point import inverse_square_root, scaled
from mcucomp.ops.scales import is_scaled_below
from mcucomp.ops.unary import float_call, table_of, unary_definition

_SHIFT = 20  # of 1 / sqrt(x) before it is scaled


def _ratio(node: Node) -> float:
    """1 / (sqrt(input scale) * output scale), the product in float32."""
    root = np.float32(math.sqrt(scale_of(node.input(0))))
    with np.errstate(over="ignore"):
        product = float(root * np.float32(scale_of(node.output())))
    return 1 / product if product > 0 else math.inf


def _int8(node: Node, x: int) -> int:
    """Below the zero point TFLM stops with an error; here it is as at the zero point."""
    value = x - zero_point_of(node.input(0))
    if value <= 0:
        return 127
    root, exponent = inverse_square_root(value)
    inverse = scaled(1, root, exponent + _SHIFT)
    multiplier, out_exponent = quantize_multiplier(_ratio(node))
    return scaled(inverse, multiplier, out_exponent - _SHIFT) + zero_point_of(node.output())


RSQRT = register(
    unary_definition(
        "RSQRT",
        "1 / sqrt(x); of int8 the largest value where x is 0 or less",
        {DType.FLOAT32: float_call("r"), DType.INT8: table_of(_int8)},
        more=(is_scaled_below("1 / (sqrt(input scale) * output scale)", _ratio, (DType.INT8,)),),
    )
)
