"""What do operators on a single tensor, element by element, have in common?

In: what each does for int8, int16 and float32. Out: definitions. For int8 an
operator becomes a table of 256 entries, computed here once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import INT8_MAX, INT8_MIN, INT16_LIMITS, quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_same_shape,
    is_quantized,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import int8_array
from mcucomp.ops.element_types import Lowering, by_type, same_types

ByteFunction = Callable[[Node, int], int]


def unary_definition(
    kind: str,
    summary: str,
    lowerings: Mapping[DType, Lowering],
    more: Sequence[Constraint] = (),
    float_ulps: int = 0,
) -> OperatorDef:
    """The definition of an operator on one tensor; `more` are its further constraints."""
    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            takes(INPUT),
            *same_types(tuple(lowerings)),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            *(
                is_quantized(role)
                for role in (INPUT, OUTPUT)
                if DType.INT8 in lowerings or DType.INT16 in lowerings
            ),
            *more,
        ),
        lower=by_type(lowerings),
        float_ulps=float_ulps,
    )


def unary_call(node: Node, kernel: str, params: Mapping[str, ParamValue]) -> KernelCall:
    """`size` comes first in the parameters of all these kernels, but for tables."""
    source, result = node.input(0), node.output()
    return KernelCall(kernel, params, reads=(source.index,), writes=(result.index,))


def table_of(function: ByteFunction) -> Lowering:
    """int8 by a table: `function` gives the stored output for a stored input, unclamped."""

    def lower(node: Node) -> KernelCall:
        values = [
            min(max(function(node, x), INT8_MIN), INT8_MAX) for x in range(INT8_MIN, INT8_MAX + 1)
        ]
        table = int8_array(np.array(values, np.int8))
        size = node.input(0).elements
        return unary_call(node, "mcuc_lookup_s8", {"table": table, "size": size})

    return lower


def float_call(operation: str) -> Lowering:
    """float32 by a kernel that knows operations by a character and takes bounds."""
    return bounded_float_call(operation, lambda node: (0.0, 0.0))


def bounded_float_call(
    operation: str, parameters: Callable[[Node], tuple[float, float]]
) -> Lowering:
    def lower(node: Node) -> KernelCall:
        first, second = parameters(node)
        return unary_call(
            node,
            "mcuc_unary_f32",
            {
                "size": node.input(0).elements,
                "first": first,
                "second": second,
                "operation": ord(operation),
            },
        )

    return lower


def transcendental(function: str) -> Lowering:
    """float32 by a function of the C library, by the kernel's character for it."""

    def lower(node: Node) -> KernelCall:
        params = {"size": node.input(0).elements, "operation": ord(function)}
        kernel = "mcuc_exponential_f32" if function in "eltx" else "mcuc_transcendental_f32"
        return unary_call(node, kernel, params)

    return lower


def piecewise_int16(
    node: Node,
    positive: float,
    negative: float,
    *,
    negative_sign: int = 1,
    limits: tuple[int, int] = INT16_LIMITS,
) -> KernelCall:
    """int16 at one scale above the zero point, at another below; that one may be negative."""
    source, result = node.input(0), node.output()
    positive_multiplier, positive_exponent = quantize_multiplier(positive)
    negative_multiplier, negative_exponent = quantize_multiplier(abs(negative))
    return unary_call(
        node,
        "mcuc_piecewise_s16",
        {
            "size": source.elements,
            "positive_multiplier": positive_multiplier,
            "negative_multiplier": negative_multiplier,
            "in_zero_point": zero_point_of(source),
            "out_zero_point": zero_point_of(result),
            "out_min": limits[0],
            "out_max": limits[1],
            "positive_right_shift": -positive_exponent,
            "negative_right_shift": -negative_exponent,
            "negative_sign": negative_sign,
            "out_sign": 1 if negative >= 0 else -1,
        },
    )
