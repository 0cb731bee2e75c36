"""CONCATENATION: any number of tensors of any type."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import axis_option, is_one_axis, rank_of, wrapped
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    OUTPUT,
    dims,
    has_elements,
    has_option,
    is_quantized,
    quantization_of,
)
from mcucomp.ops.element_types import MOVABLE, has_type_among, where
from mcucomp.ops.movement import joined_call, run_of
from mcucomp.ops.several import all_inputs, has_alike, many_inputs

_SAME = "inputs have the scale and zero point of output"


def _is_quantized(node: Node) -> bool:
    return any(t.quantization is not None for t in (node.output(), *all_inputs(node)))


def _uint8_found(node: Node) -> str | None:
    """Bytes that are not quantised have no scale that could differ."""
    if not _is_quantized(node):
        return None
    return is_quantized(OUTPUT).found(node) or _quantization_found(node)


def _quantization_found(node: Node) -> str | None:
    wanted = quantization_of(node.output())
    for i, tensor in enumerate(all_inputs(node)):
        q = tensor.quantization
        if q is None or (q.scales, q.zero_points) != (wanted.scales, wanted.zero_points):
            scale, zero_point = (q.scales[0], q.zero_points[0]) if q else (0.0, 0)
            return (
                f"input {i} with scale {scale:.9g} and zero point {zero_point}, "
                f"output with scale {wanted.scales[0]:.9g} and {wanted.zero_points[0]}"
            )
    return None


def _shapes_found(node: Node) -> str | None:
    result, tensors = node.output(), all_inputs(node)
    axis, rank = wrapped(axis_option(node), len(result.shape)), len(result.shape)
    fits = all(
        len(t.shape) == rank and (*t.shape[:axis], *t.shape[axis + 1 :])
        == (*result.shape[:axis], *result.shape[axis + 1 :])
        for t in tensors
    )  # fmt: skip
    if fits and sum(t.shape[axis] for t in tensors) == result.shape[axis]:
        return None
    return f"{', '.join(dims(t.shape) for t in tensors)} and {dims(result.shape)}"


def _lower(node: Node) -> KernelCall:
    result, tensors = node.output(), all_inputs(node)
    axis = wrapped(axis_option(node), len(result.shape))
    return joined_call(tensors, result, [run_of(t, axis) for t in tensors])


CONCATENATION = register(
    OperatorDef(
        kind="CONCATENATION",
        summary="tensors behind each other along one dimension",
        constraints=(
            many_inputs(),
            has_type_among(OUTPUT, MOVABLE),
            has_alike("the type of output", lambda t: t.dtype, lambda d: d.value),
            has_elements(OUTPUT),
            is_one_axis(axis_option, rank_of(OUTPUT)),
            Constraint("inputs have output's shape, and add up to it along axis", _shapes_found),
            has_option(
                "fused_activation_function",
                "there is no fused activation",
                lambda value: value in ("NONE", None),
            ),
            where(DType.INT8, is_quantized(OUTPUT), OUTPUT),
            where(DType.INT8, Constraint(_SAME, _quantization_found), OUTPUT),
            where(DType.UINT8, Constraint(_SAME, _uint8_found), OUTPUT),
        ),
        lower=_lower,
    )
)
