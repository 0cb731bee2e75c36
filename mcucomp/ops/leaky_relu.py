"""LEAKY_RELU: what is negative, times alpha."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, register
from mcucomp.ops.conditions import has_option, scale_of, zero_point_of
from mcucomp.ops.fixed_point import scaled_by
from mcucomp.ops.scales import is_scaled_below, scale_ratio
from mcucomp.ops.unary import bounded_float_call, piecewise_int16, table_of, unary_definition


def _alpha(node: Node) -> float:
    alpha = node.option("alpha")
    assert isinstance(alpha, (int, float))
    return float(alpha)


def _negative_ratio(node: Node) -> float:
    return scale_of(node.input(0)) * _alpha(node) / scale_of(node.output())


def _int8(node: Node, x: int) -> int:
    value, ratio = x - zero_point_of(node.input(0)), _negative_ratio(node)
    if value >= 0:
        scaled = scaled_by(value, scale_ratio(node))
    else:
        scaled = scaled_by(value, abs(ratio)) * (1 if ratio >= 0 else -1)
    return scaled + zero_point_of(node.output())


def _int16(node: Node) -> KernelCall:
    return piecewise_int16(node, scale_ratio(node), _negative_ratio(node))


LEAKY_RELU = register(
    unary_definition(
        "LEAKY_RELU",
        "values above 0 as they are, others times alpha",
        {
            DType.FLOAT32: bounded_float_call("l", lambda node: (_alpha(node), 0.0)),
            DType.INT8: table_of(_int8),
            DType.INT16: _int16,
        },
        more=(
            has_option(
                "alpha",
                "alpha is finite",
                lambda value: isinstance(value, (int, float)) and math.isfinite(value),
            ),
            is_scaled_below(),
            is_scaled_below(
                "input scale * alpha / output scale", lambda node: abs(_negative_ratio(node))
            ),
        ),
    )
)
