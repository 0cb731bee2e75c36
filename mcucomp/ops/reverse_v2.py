"""REVERSE_V2: backwards along some dimensions."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import values_of, wrapped
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import strided_call
from mcucomp.ops.strides import dense_strides

AXES = Role("axes tensor", 1)
_DIMENSIONS = 5


def _axes_found(node: Node) -> str | None:
    rank, given = len(node.input(0).shape), values_of(node.input(1))
    axes = [wrapped(axis, rank) for axis in given]
    if len(set(axes)) == len(axes) and all(0 <= axis < rank for axis in axes):
        return None
    return f"{', '.join(map(str, given))} for {rank} dimensions"


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    steps, start = list(dense_strides(source.shape)), 0
    for axis in values_of(node.input(1)):
        axis = wrapped(axis, len(source.shape))
        start += steps[axis] * (source.shape[axis] - 1)
        steps[axis] = -steps[axis]
    return strided_call(source, result, source.shape, steps, start)


REVERSE_V2 = register(
    OperatorDef(
        kind="REVERSE_V2",
        summary="backwards along some dimensions",
        constraints=(
            takes(INPUT, AXES),
            *same_types(MOVABLE),
            has_type(AXES, DType.INT32),
            is_constant(AXES),
            has_rank(INPUT, 1, _DIMENSIONS),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            Constraint("axes are different dimensions of input", _axes_found),
        ),
        lower=_lower,
    )
)
