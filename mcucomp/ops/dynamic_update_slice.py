"""DYNAMIC_UPDATE_SLICE: a tensor with a part of it replaced."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    takes,
)
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import bytes_of
from mcucomp.ops.strides import RASTER_DIMENSIONS, leading

UPDATE = Role("update", 1)
STARTS = Role("starts tensor", 2)


def _update_found(node: Node) -> str | None:
    shape, update = node.input(0).shape, node.input(1).shape
    if len(shape) == len(update) and all(u <= d for u, d in zip(update, shape, strict=True)):
        return None
    return f"{dims(update)} in {dims(shape)}"


def _starts_found(node: Node) -> str | None:
    shape, rank = node.input(2).shape, len(node.input(0).shape)
    return None if shape == (rank,) else f"{dims(shape)} for {rank} dimensions"


def _lower(node: Node) -> KernelCall:
    source, update, starts, result = node.input(0), node.input(1), node.input(2), node.output()
    width = bytes_of(source)

    def in_bytes(shape: tuple[int, ...]) -> tuple[int, ...]:
        return leading((*shape[:-1], shape[-1] * width), 1)

    return KernelCall(
        "mcuc_update_slice",
        {
            "shape": in_bytes(source.shape),
            "update_shape": in_bytes(update.shape),
            "rank": len(source.shape),
            "element_bytes": width,
            "size": source.size_bytes,
        },
        reads=(source.index, update.index, starts.index),
        writes=(result.index,),
    )


DYNAMIC_UPDATE_SLICE = register(
    OperatorDef(
        kind="DYNAMIC_UPDATE_SLICE",
        summary="a tensor with a part replaced; a part that would jut out is moved inside",
        constraints=(
            takes(INPUT, UPDATE, STARTS),
            *same_types(MOVABLE, UPDATE, OUTPUT),
            has_type(STARTS, DType.INT32),
            has_rank(INPUT, 1, RASTER_DIMENSIONS),
            *(has_elements(role) for role in (INPUT, UPDATE)),
            has_same_shape(INPUT, OUTPUT),
            Constraint("update fits into input", _update_found),
            Constraint("starts have a number for each dimension", _starts_found),
        ),
        lower=_lower,
    )
)
