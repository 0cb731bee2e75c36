"""What do LOGISTIC and TANH have in common?

In: which of the two. Out: their int8 tables, and for int16 the table and
scaling by which the kernel interpolates.
"""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.element_types import where
from mcucomp.ops.fixed_point import divide_pot, logistic, scaled, tanh
from mcucomp.ops.unary import unary_call

_INTEGER_BITS = 4  # of an argument, in Q4.27
_FRACTION_BITS = 31 - _INTEGER_BITS
_STEP = 24  # entries of the int16 table to 1
# The multiplier of an int16 input, which is at least this times its scale, has 31 bits.
_INT16_STEPS = 4096 * 3
INT16_SCALE_LIMIT = 2**31 / _INT16_STEPS


def _argument(node: Node, x: int) -> tuple[int, bool]:
    """The input as Q4.27, and whether it is within the range of that."""
    value = x - zero_point_of(node.input(0))
    multiplier, exponent = quantize_multiplier(scale_of(node.input(0)) * 2.0**_FRACTION_BITS)
    radius = math.floor(((1 << _INTEGER_BITS) - 1) * 2.0**_FRACTION_BITS / 2.0**exponent)
    if abs(value) >= radius:
        return value, False
    return scaled(value, multiplier, exponent), True


def logistic_int8(node: Node, x: int) -> int:
    argument, is_inside = _argument(node, x)
    if not is_inside:
        return -128 if argument < 0 else 127
    return divide_pot(logistic(argument), 23) - 128


def tanh_int8(node: Node, x: int) -> int:
    argument, is_inside = _argument(node, x)
    if not is_inside:
        return -128 if argument < 0 else 127
    return divide_pot(tanh(argument), 24)


def sigmoid_table() -> np.ndarray:
    """65536 / (1 + exp(-i / 24)) for i < 256, corrected for straight lines in between."""
    steps = np.arange(-1, 257) / _STEP
    exact = 65536 / (1 + np.exp(-steps))
    curvature = exact[:-2] - 2 * exact[1:-1] + exact[2:]
    table = np.floor(exact[1:-1] - curvature / 16 + 0.5)
    table[255] = 65535
    rounded: np.ndarray = table.astype(np.uint16)
    return rounded


def _int16_scaling(scale: float, *, is_tanh: bool) -> tuple[int, int]:
    """(multiplier, shift) of an input, so that 3 / 4 of it are in Q3.12."""
    exponent = math.log2(scale)
    nearest = round(exponent)
    shift = 12 + nearest
    powers = (0, 1) if is_tanh else (0,)
    if abs(exponent - nearest) <= 1e-3 and shift in powers:
        return 3 << shift, 0
    multiplier, shift = scale * _INT16_STEPS, 0
    while multiplier <= 32767 / 2 and shift <= 30:
        shift += 1
        multiplier *= 2
    return int(multiplier), shift


def has_workable_scale() -> Constraint:
    """Of an int16 input; products with its multiplier wrap, as TFLM's do."""

    def found(node: Node) -> str | None:
        scale = scale_of(node.input(0))
        return None if scale < INT16_SCALE_LIMIT else f"{scale:.6g}"

    sentence = f"input scale is below {INT16_SCALE_LIMIT:,.0f}"
    return where(DType.INT16, Constraint(sentence, found))


def sigmoid_int16(node: Node, *, is_tanh: bool) -> KernelCall:
    multiplier, shift = _int16_scaling(scale_of(node.input(0)), is_tanh=is_tanh)
    return unary_call(
        node,
        "mcuc_sigmoid_s16",
        {
            "table": ConstantArray("uint16_t", sigmoid_table()),
            "size": node.input(0).elements,
            "multiplier": multiplier,
            "shift": shift,
            "is_tanh": int(is_tanh),
        },
    )
