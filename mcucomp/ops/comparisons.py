"""What do the operators that compare two tensors have in common?

In: the comparison. Out: its definition. Of quantised tensors the values that
they stand for are compared, in fixed-point numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef
from mcucomp.ops.conditions import Role, is_quantized, quantization_of, scale_of, zero_point_of
from mcucomp.ops.element_types import by_type, where
from mcucomp.ops.pairs import FIRST, SECOND, pair_call, pair_constraints

_KERNELS = {
    DType.BOOL: "b8",
    DType.FLOAT32: "f32",
    DType.INT8: "s8",
    DType.INT32: "s32",
    DType.INT64: "s64",
}
ORDERED = (DType.FLOAT32, DType.INT8, DType.INT32, DType.INT64)


def _is_fine(role: Role) -> Constraint:
    def found(node: Node) -> str | None:
        tensor = role.of(node)
        scale = quantization_of(tensor).scales[0]
        return None if quantize_multiplier(scale)[1] <= 0 else f"{scale:.6g}"

    constraint = Constraint(f"{role.name} has a scale below 1", found)
    return where(DType.INT8, constraint, FIRST)


def _lowering(dtype: DType, operation: str) -> Callable[[Node], KernelCall]:
    def lower(node: Node) -> KernelCall:
        params = {"operation": ord(operation)}
        if dtype is DType.INT8:
            a, b = node.input(0), node.input(1)
            (a_multiplier, a_exponent), (b_multiplier, b_exponent) = (
                quantize_multiplier(scale_of(t)) for t in (a, b)
            )
            params = {
                "a_offset": -zero_point_of(a),
                "b_offset": -zero_point_of(b),
                "a_multiplier": a_multiplier,
                "b_multiplier": b_multiplier,
                "a_right_shift": -a_exponent,
                "b_right_shift": -b_exponent,
                **params,
            }
        return pair_call(node, f"mcuc_compare_{_KERNELS[dtype]}", params)

    return lower


def comparison_definition(
    kind: str, summary: str, operation: str, dtypes: tuple[DType, ...] = ORDERED
) -> OperatorDef:
    """The definition of a comparison, which kernels know by a character."""
    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            *pair_constraints(dtypes, DType.BOOL),
            *(is_quantized(role) for role in (FIRST, SECOND)),
            *(_is_fine(role) for role in (FIRST, SECOND)),
        ),
        lower=by_type({dtype: _lowering(dtype, operation) for dtype in dtypes}, FIRST),
    )
