"""How do the scales of input and output compare?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import is_scalable
from mcucomp.ops.base import Constraint, Node
from mcucomp.ops.conditions import Role, has_zero_point, scale_of, tensor_of
from mcucomp.ops.element_types import where

QUANTIZED = (DType.INT8, DType.INT16)


def scale_ratio(node: Node) -> float:
    """input scale / output scale."""
    return scale_of(node.input(0)) / scale_of(node.output())


def is_scaled_below(
    wording: str = "input scale / output scale",
    real: Callable[[Node], float] = scale_ratio,
    dtypes: Sequence[DType] = QUANTIZED,
) -> Constraint:
    """Kernels can multiply by `real`, which `wording` names."""

    def found(node: Node) -> str | None:
        value = real(node)
        return None if is_scalable(value) else f"{value:.6g}"

    return where(dtypes, Constraint(f"{wording} is below 2^30", found))


def has_fixed_zero_point(dtype: DType, role: Role, zero_point: int) -> Constraint:
    """A zero point that follows from the operator."""
    return where(dtype, has_zero_point(role, zero_point), role)


def has_power_scale(role: Role, exponent: int) -> Constraint:
    """An int16 tensor of the scale 2^exponent, to a thousandth of an octave, as TFLM asks."""

    def found(node: Node) -> str | None:
        scale = scale_of(tensor_of(role, node))
        return None if abs(math.log2(scale) - exponent) <= 1e-3 else f"{scale:.9g}"

    return where(DType.INT16, Constraint(f"{role.name} scale is 2^{exponent}", found), role)
