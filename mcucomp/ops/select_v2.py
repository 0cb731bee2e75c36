"""SELECT_V2: elements of one tensor or another, as a condition says."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.broadcasting import broadcast_shape
from mcucomp.ops.conditions import OUTPUT, Role, dims, has_elements, has_rank, has_type, takes
from mcucomp.ops.element_types import MOVABLE, has_type_among, has_type_of
from mcucomp.ops.movement import bytes_of
from mcucomp.ops.strides import RASTER_DIMENSIONS, broadcast_strides, leading, merged

CONDITION = Role("condition", 0)
FIRST = Role("first input", 1)
SECOND = Role("second input", 2)
_ALL = (CONDITION, FIRST, SECOND, OUTPUT)


def _shapes_found(node: Node) -> str | None:
    shapes = [node.input(i).shape for i in range(3)]
    values = broadcast_shape(shapes[1], shapes[2])
    whole = None if values is None else broadcast_shape(shapes[0], values)
    if whole == node.output().shape:
        return None
    return f"{', '.join(map(dims, shapes))} and {dims(node.output().shape)}"


def _lower(node: Node) -> KernelCall:
    condition, first, second, result = (
        node.input(0), node.input(1), node.input(2), node.output(),
    )  # fmt: skip
    rank = len(result.shape)
    strides = tuple(broadcast_strides(t.shape, rank) for t in (condition, first, second))
    shape, steps = merged(result.shape, strides)
    return KernelCall(
        "mcuc_select",
        {
            "shape": leading(shape, 1),
            "condition_strides": leading(steps[0], 0),
            "x_strides": leading(steps[1], 0),
            "y_strides": leading(steps[2], 0),
            "element_bytes": bytes_of(result),
        },
        reads=(condition.index, first.index, second.index),
        writes=(result.index,),
    )


SELECT_V2 = register(
    OperatorDef(
        kind="SELECT_V2",
        summary="elements of one tensor or another, as a condition says, with broadcasting",
        constraints=(
            takes(CONDITION, FIRST, SECOND),
            has_type(CONDITION, DType.BOOL),
            has_type_among(FIRST, MOVABLE),
            has_type_of(SECOND, FIRST),
            has_type_of(OUTPUT, FIRST),
            *(has_rank(role, 0, RASTER_DIMENSIONS) for role in _ALL),
            *(has_elements(role) for role in _ALL),
            Constraint("output has the shape that broadcasting the inputs gives", _shapes_found),
        ),
        lower=_lower,
    )
)
