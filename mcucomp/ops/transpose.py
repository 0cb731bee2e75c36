"""TRANSPOSE: elements of any type, up to six dimensions (64 bits: five)."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    is_constant,
    takes,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.element_types import MOVABLE, same_types, where
from mcucomp.ops.movement import strided_call
from mcucomp.ops.strides import RASTER_DIMENSIONS, dense_strides

PERMUTATION = Role("permutation", 1)


def _axes(node: Node) -> tuple[int, ...]:
    """The input dimension that each of the output is; negative ones count from the end."""
    rank = len(node.input(0).shape)
    return tuple(
        axis + rank if axis < 0 else axis for axis in array_of(node.input(1)).ravel().tolist()
    )


def _permutation_found(node: Node) -> str | None:
    axes, rank = _axes(node), len(node.input(0).shape)
    if sorted(axes) == list(range(rank)):
        return None
    given = array_of(node.input(1)).ravel().tolist()
    return f"{', '.join(map(str, given))} for {rank} dimensions"


def _output_shape(node: Node) -> tuple[int, ...]:
    shape = node.input(0).shape
    return tuple(shape[axis] for axis in _axes(node))


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    strides = dense_strides(source.shape)
    steps = tuple(strides[axis] for axis in _axes(node))
    return strided_call(source, result, result.shape, steps)


TRANSPOSE = register(
    OperatorDef(
        kind="TRANSPOSE",
        summary="dimensions in another order",
        constraints=(
            takes(INPUT, PERMUTATION),
            *same_types(MOVABLE),
            has_type(PERMUTATION, DType.INT32),
            is_constant(PERMUTATION),
            has_rank(INPUT, 1, RASTER_DIMENSIONS),
            where(DType.INT64, has_rank(INPUT, 1, RASTER_DIMENSIONS - 1)),
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("permutation names each dimension of input once", _permutation_found),
            has_shape(OUTPUT, "input and permutation", _output_shape),
        ),
        lower=_lower,
    )
)
