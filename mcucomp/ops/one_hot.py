"""ONE_HOT: one value where an index says, another elsewhere. TFLM has no such operator."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value, scalar_of
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    OUTPUT,
    Role,
    has_elements,
    has_shape,
    integer_option,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, has_type_of
from mcucomp.ops.movement import bytes_of

INDICES = Role("indices tensor", 0)
DEPTH = Role("depth", 1)
ON = Role("value", 2)
OFF = Role("other value", 3)


def _axis(node: Node) -> int:
    """Where depth comes among the output's dimensions; -1 is behind all others."""
    axis, rank = integer_option(node, "axis"), len(node.input(0).shape)
    return rank if axis == -1 else axis


def _axis_found(node: Node) -> str | None:
    rank = len(node.input(0).shape)
    return None if 0 <= _axis(node) <= rank else f"axis {_axis(node)} for {rank + 1} dimensions"


def _output_shape(node: Node) -> tuple[int, ...]:
    shape, axis = node.input(0).shape, _axis(node)
    return (*shape[:axis], scalar_of(DEPTH)(node), *shape[axis:])


def _lower(node: Node) -> KernelCall:
    indices, result, axis = node.input(0), node.output(), _axis(node)
    return KernelCall(
        "mcuc_one_hot",
        {
            "outer": math.prod(indices.shape[:axis]),
            "depth": result.shape[axis],
            "inner": math.prod(indices.shape[axis:]),
            "element_bytes": bytes_of(result),
            "index_words": 2 if indices.dtype is DType.INT64 else 1,
        },
        reads=(indices.index, node.input(2).index, node.input(3).index),
        writes=(result.index,),
    )


ONE_HOT = register(
    OperatorDef(
        kind="ONE_HOT",
        summary="one value where an index says, another elsewhere; not in TFLM",
        constraints=(
            takes(INDICES, DEPTH, ON, OFF),
            has_type_among(INDICES, INDEX),
            has_type_among(DEPTH, (DType.INT32,)),
            has_type_among(ON, MOVABLE),
            has_type_of(OFF, ON),
            has_type_of(OUTPUT, ON),
            is_constant(DEPTH),
            *(has_one_value(role) for role in (DEPTH, ON, OFF)),
            has_elements(INDICES),
            has_elements(OUTPUT),
            Constraint("axis is a dimension of output", _axis_found),
            has_shape(OUTPUT, "indices, depth and axis", _output_shape),
        ),
        lower=_lower,
    )
)
