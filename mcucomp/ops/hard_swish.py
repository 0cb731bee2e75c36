"""HARD_SWISH: x * relu6(x + 3) / 6."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, Node, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.element_types import where
from mcucomp.ops.fixed_point import divide_pot
from mcucomp.ops.unary import float_call, table_of, unary_definition

_INT16_BITS = 15
_INT16_MAX = 2**15 - 1


def _saturated(x: int) -> int:
    return min(max(x, -_INT16_MAX - 1), _INT16_MAX)


def _multiply_high16(a: int, b: int) -> int:
    """a * b / 2^15, rounded half up."""
    return (a * b + (1 << 14)) >> 15


def _divide_pot16(x: int, n: int) -> int:
    """x / 2^n as TFLM rounds int16: from 2^16 on its mask has ones alone, and -1 or 1 is left."""
    if n > _INT16_BITS:
        return 1 if x >= 0 else -1
    return divide_pot(x, n)


def _multiplier16(real: np.float32) -> tuple[int, int]:
    multiplier, exponent = quantize_multiplier(float(real))
    narrow = _INT16_MAX if multiplier >= 2**31 - 2**15 else (multiplier + 2**15) >> 16
    return narrow, exponent


def _ratios(node: Node) -> tuple[np.float32, np.float32]:
    """(to the output's scale, to that in which 32768 is 3), of an input shifted left by 7."""
    high = np.float32(scale_of(node.input(0))) / np.float32(128)
    return high / np.float32(scale_of(node.output())), high / np.float32(3 / 32768)


def _int8(node: Node, x: int) -> int:
    to_output, to_gate = _ratios(node)
    (out_multiplier, out_exponent), (multiplier, exponent) = (
        _multiplier16(to_output), _multiplier16(to_gate),
    )  # fmt: skip
    value = (x - zero_point_of(node.input(0))) * 128
    product = _multiply_high16(value, out_multiplier)
    gate = _saturated(value << max(exponent - 1, 0))
    gate = _multiply_high16(gate, multiplier)
    if exponent > 0:
        gate = _saturated(gate << 1)
    gate = _divide_pot16(gate, max(-exponent, 0))
    gate = (gate + 32768) >> 1
    gated = gate * product
    high = abs(gated) >> 15
    scaled = _divide_pot16(high if gated >= 0 else -high, -out_exponent)
    return scaled + zero_point_of(node.output())


def _scale_found(node: Node) -> str | None:
    to_output, _ = _ratios(node)
    return None if quantize_multiplier(float(to_output))[1] <= 0 else f"{to_output:.6g}"


HARD_SWISH = register(
    unary_definition(
        "HARD_SWISH",
        "x * relu6(x + 3) / 6",
        {DType.FLOAT32: float_call("h"), DType.INT8: table_of(_int8)},
        more=(
            where(
                DType.INT8,
                Constraint("input scale / (128 * output scale) is below 1", _scale_found),
            ),
        ),
    )
)
