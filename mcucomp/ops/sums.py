"""What do ADD and SUB have in common?

In: the sign of the second input. Out: lowerings for int8, int16, int32 and
float32, and the condition on their scales.
"""

from __future__ import annotations

from collections.abc import Callable

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.convolution import output_params
from mcucomp.ops.element_types import where
from mcucomp.ops.pairs import FIRST, QUANTIZED, common_multipliers, pair_call
from mcucomp.ops.ranges import float_range, int32_range

# Of both terms, so that rounding at their common scale loses little.
LEFT_SHIFT = {DType.INT8: 20, DType.INT16: 15}


def real_output(node: Node) -> float:
    """The scale of the sum, over the output's."""
    twice = 2 * max(scale_of(node.input(0)), scale_of(node.input(1)))
    return twice / ((1 << LEFT_SHIFT[node.input(0).dtype]) * scale_of(node.output()))


def _scale_found(node: Node) -> str | None:
    real = real_output(node)
    return None if real < 1 and quantize_multiplier(real)[1] <= 0 else f"{real:.6g}"


def scale_constraints() -> tuple[Constraint, ...]:
    """The multiplier of the output is below 1; TFLM aborts above it."""
    return tuple(
        where(
            dtype,
            Constraint(
                f"twice the larger input scale is less than 2^{LEFT_SHIFT[dtype]} output scales",
                _scale_found,
            ),
            FIRST,
        )
        for dtype in QUANTIZED
    )


def quantized_sum(kernel: str, sign: int) -> Callable[[Node], KernelCall]:
    def lower(node: Node) -> KernelCall:
        a, b, result = node.input(0), node.input(1), node.output()
        multipliers, right_shifts, _ = common_multipliers(a, b)
        multiplier, exponent = quantize_multiplier(real_output(node))
        return pair_call(
            node,
            kernel,
            {
                "a_offset": -zero_point_of(a),
                "b_offset": -zero_point_of(b),
                **multipliers,
                "out_multiplier": multiplier,
                **output_params(node, result),
                **right_shifts,
                "out_right_shift": -exponent,
                "b_sign": sign,
            },
        )

    return lower


def plain(
    dtype: DType, operation: str, *, has_activation: bool = True
) -> Callable[[Node], KernelCall]:
    """An operation of the kernels for float32 or int32, by its character."""
    kernel, limits = {
        DType.FLOAT32: ("mcuc_arithmetic_f32", float_range),
        DType.INT32: ("mcuc_arithmetic_s32", int32_range),
    }[dtype]

    def lower(node: Node) -> KernelCall:
        low, high = limits(node if has_activation else None)
        params = {"out_min": low, "out_max": high, "operation": ord(operation)}
        return pair_call(node, kernel, params)

    return lower
