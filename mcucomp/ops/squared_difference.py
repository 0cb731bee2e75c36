"""SQUARED_DIFFERENCE: two tensors of the same shape or broadcast."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import is_scalable, quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.element_types import by_type, where
from mcucomp.ops.pairs import (
    FIRST,
    QUANTIZED,
    common_multipliers,
    pair_call,
    pair_constraints,
    quantized_constraints,
)
from mcucomp.ops.sums import plain

_LEFT_SHIFT = {DType.INT8: 7, DType.INT16: 0}


def _real_output(node: Node) -> float:
    """The scale of the square, over the output's; the denominator is taken in float32."""
    twice = 2 * max(scale_of(node.input(0)), scale_of(node.input(1)))
    shifted = np.float32(1 << 2 * _LEFT_SHIFT[node.input(0).dtype])
    return twice * twice / float(shifted * np.float32(scale_of(node.output())))


def _scales_found(node: Node) -> str | None:
    real = _real_output(node)
    return None if is_scalable(real) else f"{real:.6g}"


def _lower_quantized(node: Node) -> KernelCall:
    a, b, result = node.input(0), node.input(1), node.output()
    multipliers, right_shifts, _ = common_multipliers(a, b)
    multiplier, exponent = quantize_multiplier(_real_output(node))
    kind = "s16" if a.dtype is DType.INT16 else "s8"
    return pair_call(
        node,
        f"mcuc_squared_difference_{kind}",
        {
            "a_offset": -zero_point_of(a),
            "b_offset": -zero_point_of(b),
            **multipliers,
            "out_multiplier": multiplier,
            "out_zero_point": zero_point_of(result),
            **right_shifts,
            "out_right_shift": -exponent,
        },
    )


_LOWERINGS = {
    DType.FLOAT32: plain(DType.FLOAT32, "^", has_activation=False),
    DType.INT8: _lower_quantized,
    DType.INT16: _lower_quantized,
    DType.INT32: plain(DType.INT32, "^"),
}

SQUARED_DIFFERENCE = register(
    OperatorDef(
        kind="SQUARED_DIFFERENCE",
        summary="square of the difference of two tensors",
        constraints=(
            *pair_constraints(tuple(_LOWERINGS)),
            *quantized_constraints(activation=False),
            where(
                QUANTIZED,
                Constraint(
                    "twice the larger input scale, squared, is below 2^30 output scales",
                    _scales_found,
                ),
                FIRST,
            ),
        ),
        lower=by_type(_LOWERINGS, FIRST),
    )
)
