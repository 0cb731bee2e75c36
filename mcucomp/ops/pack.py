"""PACK: tensors of one shape side by side along a new dimension."""

from __future__ import annotations

from mcucomp.ops.axes import axis_option, is_one_axis, rank_of, wrapped
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, dims, has_elements
from mcucomp.ops.element_types import MOVABLE, has_type_among
from mcucomp.ops.movement import joined_call, run_of
from mcucomp.ops.several import all_inputs, has_alike, many_inputs


def _shapes_found(node: Node) -> str | None:
    result, tensors = node.output(), all_inputs(node)
    axis = wrapped(axis_option(node), len(result.shape))
    part = (*result.shape[:axis], *result.shape[axis + 1 :])
    if all(t.shape == part for t in tensors) and result.shape[axis] == len(tensors):
        return None
    return f"{len(tensors)} of {dims(tensors[0].shape)} and {dims(result.shape)}"


def _lower(node: Node) -> KernelCall:
    result, tensors = node.output(), all_inputs(node)
    axis = wrapped(axis_option(node), len(result.shape))
    return joined_call(tensors, result, [run_of(result, axis + 1)] * len(tensors))


PACK = register(
    OperatorDef(
        kind="PACK",
        summary="tensors of one shape side by side along a new dimension",
        constraints=(
            many_inputs(),
            has_type_among(OUTPUT, MOVABLE),
            has_alike("the type of output", lambda t: t.dtype, lambda d: d.value),
            has_elements(OUTPUT),
            is_one_axis(axis_option, rank_of(OUTPUT)),
            Constraint("output is all inputs along axis, which they do not have", _shapes_found),
        ),
        lower=_lower,
    )
)
