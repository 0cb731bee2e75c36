"""SOFTMAX: int8 to int8, along the last dimension."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.clearance import ascending, elementwise
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_option,
    has_rank,
    has_same_shape,
    has_type,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)

# The sum of that many exponentials, each at most 2^19, stays below 2^31.
DEPTH_MAX = 4095

_INTEGER_BITS = 5  # of a difference to the maximum, in Q5.26
_FRACTION_BITS = 31 - _INTEGER_BITS
_REAL_MAX = float(2**31 - 1)


def _output_found(node: Node) -> str | None:
    scale, zero_point = scale_of(node.output()), zero_point_of(node.output())
    if scale == 1 / 256 and zero_point == -128:
        return None
    return f"scale {scale:.9g} and zero point {zero_point}"


def _depth_found(node: Node) -> str | None:
    depth = node.input(0).shape[-1]
    return None if depth <= DEPTH_MAX else f"{depth:,}"


def _real_multiplier(node: Node) -> float:
    beta = node.option("beta")
    assert isinstance(beta, float)
    return min(beta * scale_of(node.input(0)) * 2.0**_FRACTION_BITS, _REAL_MAX)


def _scale_found(node: Node) -> str | None:
    multiplier, exponent = quantize_multiplier(_real_multiplier(node))
    if multiplier > 0 and exponent >= 0:
        return None
    return f"{math.ldexp(_real_multiplier(node), -_FRACTION_BITS):.6g}"


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    multiplier, exponent = quantize_multiplier(_real_multiplier(node))
    radius = math.floor(((1 << _INTEGER_BITS) - 1) * (1 << _FRACTION_BITS) / (1 << exponent))
    depth = source.shape[-1]
    return KernelCall(
        "mcuc_softmax_s8",
        {
            "rows": source.elements // depth,
            "depth": depth,
            "multiplier": multiplier,
            "diff_min": -radius,
            "left_shift": exponent,
        },
        reads=(source.index,),
        writes=(result.index,),
        clearances=(ascending(0, elementwise(source.elements)),),
    )


SOFTMAX = register(
    OperatorDef(
        kind="SOFTMAX",
        summary="exponentials that add up to one, along the last dimension",
        constraints=(
            takes(INPUT),
            has_type(INPUT, DType.INT8),
            has_type(OUTPUT, DType.INT8),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            Constraint("output scale is 1/256 and its zero point -128", _output_found),
            Constraint(f"the last dimension is at most {DEPTH_MAX:,}", _depth_found),
            has_option(
                "beta",
                "beta is finite and above 0",
                lambda value: isinstance(value, float) and math.isfinite(value) and value > 0,
            ),
            Constraint("beta * input scale is at least 2^-27", _scale_found),
        ),
        lower=_lower,
    )
)
