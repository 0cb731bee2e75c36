"""BROADCAST_TO: a tensor repeated along dimensions where it has 1."""

from __future__ import annotations

from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.broadcasting import broadcast_shape
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    takes,
)
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, same_types
from mcucomp.ops.movement import strided_call
from mcucomp.ops.strides import broadcast_strides

SHAPE = Role("shape", 1)
_DIMENSIONS = 5


def _shapes_found(node: Node) -> str | None:
    shape, result = node.input(0).shape, node.output().shape
    if broadcast_shape(shape, result) == result:
        return None
    return f"{dims(shape)} and {dims(result)}"


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    strides = broadcast_strides(source.shape, len(result.shape))
    return strided_call(source, result, result.shape, strides)


BROADCAST_TO = register(
    OperatorDef(
        kind="BROADCAST_TO",
        summary="repeated along dimensions of 1; the output's own shape counts",
        constraints=(
            takes(INPUT, SHAPE),
            *same_types(MOVABLE),
            has_type_among(SHAPE, INDEX),
            has_rank(INPUT, 0, _DIMENSIONS),
            has_rank(OUTPUT, 0, _DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("input broadcasts to the shape of output", _shapes_found),
        ),
        lower=_lower,
    )
)
