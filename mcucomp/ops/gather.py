"""GATHER: what indices choose along one dimension."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.axes import axis_option, is_one_axis, rank_of, values_of, wrapped
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_shape,
    has_type,
    integer_option,
    takes,
)
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import run_of

INDICES = Role("indices tensor", 1)


def _axis(node: Node) -> int:
    return wrapped(axis_option(node), len(node.input(0).shape))


def _batch_dims(node: Node) -> int:
    return wrapped(integer_option(node, "batch_dims"), len(node.input(1).shape))


def _batches_found(node: Node) -> str | None:
    shape, indices, count = node.input(0).shape, node.input(1).shape, _batch_dims(node)
    if 0 <= count <= min(_axis(node), len(indices)) and shape[:count] == indices[:count]:
        return None
    return f"{count} for input {dims(shape)} and indices {dims(indices)}"


def _indices_found(node: Node) -> str | None:
    indices, size = node.input(1), node.input(0).shape[_axis(node)]
    wrong = [i for i in values_of(indices) if not 0 <= i < size] if indices.is_constant else []
    return f"{wrong[0]} of {size}" if wrong else None


def _output_shape(node: Node) -> tuple[int, ...]:
    shape, axis = node.input(0).shape, _axis(node)
    return (*shape[:axis], *node.input(1).shape[_batch_dims(node) :], *shape[axis + 1 :])


def _lower(node: Node) -> KernelCall:
    source, indices, result = node.input(0), node.input(1), node.output()
    axis, batch_dims = _axis(node), _batch_dims(node)
    return KernelCall(
        "mcuc_gather",
        {
            "batches": math.prod(source.shape[:batch_dims]),
            "outer": math.prod(source.shape[batch_dims:axis]),
            "axis_size": source.shape[axis],
            "count": math.prod(indices.shape[batch_dims:]),
            "run_bytes": run_of(source, axis + 1),
        },
        reads=(source.index, indices.index),
        writes=(result.index,),
    )


GATHER = register(
    OperatorDef(
        kind="GATHER",
        summary="what indices choose along one dimension; those outside it count as its ends",
        constraints=(
            takes(INPUT, INDICES),
            *same_types(MOVABLE),
            has_type(INDICES, DType.INT32),
            has_elements(INPUT),
            has_elements(INDICES),
            is_one_axis(axis_option, rank_of(INPUT)),
            Constraint(
                "batch_dims are dimensions before axis, equal in input and indices", _batches_found
            ),
            Constraint("constant indices lie inside the dimension", _indices_found),
            has_shape(OUTPUT, "input, indices, axis and batch_dims", _output_shape),
        ),
        lower=_lower,
    )
)
