"""TILE: a tensor repeated along its dimensions. TFLM has no such operator."""

from __future__ import annotations

import numpy as np

from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_shape,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, same_types
from mcucomp.ops.movement import bytes_of, strided_call, table_call
from mcucomp.ops.strides import RASTER_DIMENSIONS, dense_strides, merged

MULTIPLES = Role("multiples", 1)


def _multiples_found(node: Node) -> str | None:
    shape, multiples = node.input(0).shape, values_of(node.input(1))
    fits = len(multiples) == len(shape) and min(multiples, default=1) >= 1
    return None if fits else f"{dims(tuple(multiples))} for {dims(shape)}"


def _output_shape(node: Node) -> tuple[int, ...]:
    pairs = zip(node.input(0).shape, values_of(node.input(1)), strict=True)
    return tuple(size * count for size, count in pairs)


def _lower(node: Node) -> KernelCall:
    """As a walk that repeats each dimension, or by tables where that has too many dimensions."""
    source, result = node.input(0), node.output()
    multiples, strides = values_of(node.input(1)), dense_strides(source.shape)
    walk = tuple(n for pair in zip(multiples, source.shape, strict=True) for n in pair)
    steps = tuple(n for stride in strides for n in (0, stride))
    if len(merged(walk, (steps,))[0]) < RASTER_DIMENSIONS:
        return strided_call(source, result, walk, steps)
    width = bytes_of(source)
    offsets = [
        np.arange(size * count) % size * stride * width
        for size, count, stride in zip(source.shape, multiples, strides, strict=True)
    ]
    return table_call(source, result, offsets, width)


TILE = register(
    OperatorDef(
        kind="TILE",
        summary="a tensor repeated along its dimensions; not in TFLM",
        constraints=(
            takes(INPUT, MULTIPLES),
            *same_types(MOVABLE),
            has_type_among(MULTIPLES, INDEX),
            is_constant(MULTIPLES),
            has_rank(INPUT, 0, 6),
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("multiples has a number from 1 for each dimension", _multiples_found),
            has_shape(OUTPUT, "input and multiples", _output_shape),
        ),
        lower=_lower,
    )
)
