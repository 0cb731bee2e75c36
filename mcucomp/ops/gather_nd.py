"""GATHER_ND: what vectors of indices choose along the first dimensions."""

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
    has_shape,
    has_type,
    takes,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import byte_strides, run_of
from mcucomp.ops.strides import RASTER_DIMENSIONS

INDICES = Role("indices tensor", 1)


def _depth(node: Node) -> int:
    return node.input(1).shape[-1]


def _depth_found(node: Node) -> str | None:
    depth, rank = _depth(node), len(node.input(0).shape)
    return None if depth <= rank else f"{depth} for {rank} dimensions"


def _indices_found(node: Node) -> str | None:
    indices, shape = node.input(1), node.input(0).shape
    if not indices.is_constant:
        return None
    for vector in array_of(indices).reshape(-1, _depth(node)).tolist():
        if any(not 0 <= i < size for i, size in zip(vector, shape, strict=False)):
            return f"{', '.join(str(i) for i in vector)} for input {dims(shape)}"
    return None


def _output_shape(node: Node) -> tuple[int, ...]:
    return (*node.input(1).shape[:-1], *node.input(0).shape[_depth(node) :])


def _filled(values: tuple[int, ...], filler: int) -> tuple[int, ...]:
    return (*values, *(filler,) * (RASTER_DIMENSIONS - len(values)))


def _lower(node: Node) -> KernelCall:
    source, indices, result = node.input(0), node.input(1), node.output()
    depth = _depth(node)
    return KernelCall(
        "mcuc_gather_nd",
        {
            "count": indices.elements // depth,
            "depth": depth,
            "run_bytes": run_of(source, depth),
            "sizes": _filled(source.shape[:depth], 1),
            "strides": _filled(byte_strides(source)[:depth], 0),
        },
        reads=(source.index, indices.index),
        writes=(result.index,),
    )


GATHER_ND = register(
    OperatorDef(
        kind="GATHER_ND",
        summary="what vectors of indices choose; those outside a dimension count as its ends",
        constraints=(
            takes(INPUT, INDICES),
            *same_types(MOVABLE),
            has_type(INDICES, DType.INT32),
            has_rank(INPUT, 1, RASTER_DIMENSIONS),
            has_rank(INDICES, 1, RASTER_DIMENSIONS),
            has_elements(INPUT),
            has_elements(INDICES),
            Constraint("indices name at most all dimensions of input", _depth_found),
            Constraint("constant indices lie inside their dimensions", _indices_found),
            has_shape(OUTPUT, "input and indices", _output_shape),
        ),
        lower=_lower,
    )
)
