"""RSQRT: 1 / sqrt(x)."""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import KernelCall, Node, register
from mcucomp.ops.conditions import INPUT, OUTPUT, scale_of, zero_point_of
from mcucomp.ops.fixed_point import inverse_square_root, scaled
from mcucomp.ops.scales import has_fixed_zero_point, is_scaled_below
from mcucomp.ops.unary import float_call, table_of, unary_call, unary_definition

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


def _int16(node: Node) -> KernelCall:
    multiplier, exponent = quantize_multiplier(_ratio(node))
    if exponent < _SHIFT - 31:  # beyond what the kernel shifts: nothing is left of any root
        multiplier, exponent = 0, _SHIFT
    return unary_call(
        node,
        "mcuc_rsqrt_s16",
        {
            "size": node.input(0).elements,
            "multiplier": multiplier,
            "in_zero_point": zero_point_of(node.input(0)),
            "out_zero_point": zero_point_of(node.output()),
            "right_shift": _SHIFT - exponent,
        },
    )


RSQRT = register(
    unary_definition(
        "RSQRT",
        "1 / sqrt(x); of int8 and int16 the largest value where x is 0 or less",
        {DType.FLOAT32: float_call("r"), DType.INT8: table_of(_int8), DType.INT16: _int16},
        more=(
            *(has_fixed_zero_point(DType.INT16, role, 0) for role in (INPUT, OUTPUT)),
            is_scaled_below("1 / (sqrt(input scale) * output scale)", _ratio),
        ),
    )
)
