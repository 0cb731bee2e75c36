"""What do MEAN and SUM have in common?

A mean of int8 or int16 is a sum whose multiplier is divided by the number of
its elements.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef
from mcucomp.ops.conditions import INPUT, OUTPUT, is_quantized, zero_point_of
from mcucomp.ops.element_types import by_type, where
from mcucomp.ops.reductions import reduced_count, reduction_constraints, reduction_walk
from mcucomp.ops.scales import is_scaled_below, scale_ratio

# The sum of that many differences stays below 2^31.
_ELEMENTS_MAX = {DType.INT8: 1 << 23, DType.INT16: 1 << 15}


def _count_found(node: Node) -> str | None:
    count = reduced_count(node)
    return None if count <= _ELEMENTS_MAX[node.input(0).dtype] else f"{count:,}"


def mean_multiplier(real: float, count: int) -> tuple[int, int]:
    """(multiplier, exponent) of real / count, as TFLM divides the integer multiplier.

    It is first shifted left as far as `count` has bits, then divided, truncating.
    """
    multiplier, exponent = quantize_multiplier(real)
    shift = min(count.bit_length() - 1, 32, 31 + exponent)
    return (multiplier << shift) // count, exponent - shift


def mean_definition(kind: str, summary: str, *, is_mean: bool) -> OperatorDef:
    """The definition of MEAN or SUM."""

    def quantized(node: Node) -> KernelCall:
        source, result, count = node.input(0), node.output(), reduced_count(node)
        multiplier, exponent = mean_multiplier(scale_ratio(node), count if is_mean else 1)
        kernel = "mcuc_mean_s16" if source.dtype is DType.INT16 else "mcuc_mean_s8"
        scaling = {
            "mcuc_mean_s8": ("right_shift", "out_zero_point"),
            "mcuc_mean_s16": ("out_zero_point", "right_shift"),
        }[kernel]
        values = {"right_shift": -exponent, "out_zero_point": zero_point_of(result)}
        return KernelCall(
            kernel,
            {
                **reduction_walk(node, "mean"),
                "offset": -zero_point_of(source) * count,
                "multiplier": multiplier,
                **{name: values[name] for name in scaling},
            },
            reads=(source.index,),
            writes=(result.index,),
        )

    def float32(node: Node) -> KernelCall:
        return float_reduction(node, "m" if is_mean else "+")

    lowerings = {DType.FLOAT32: float32, DType.INT8: quantized, DType.INT16: quantized}
    noun = kind.lower()
    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            *reduction_constraints(tuple(lowerings)),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            *(
                where(
                    dtype,
                    Constraint(f"a {noun} is of at most {most:,} elements", _count_found),
                )
                for dtype, most in _ELEMENTS_MAX.items()
            ),
            is_scaled_below(),
        ),
        lower=by_type(lowerings),
    )


def float_reduction(node: Node, operation: str) -> KernelCall:
    """A reduction of float32, by the kernel's character for it."""
    source, result = node.input(0), node.output()
    return KernelCall(
        "mcuc_reduce_f32",
        {
            **reduction_walk(node, "reduced"),
            "count": reduced_count(node),
            "operation": ord(operation),
        },
        reads=(source.index,),
        writes=(result.index,),
    )
