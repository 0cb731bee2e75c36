"""What do RESIZE_NEAREST_NEIGHBOR and RESIZE_BILINEAR have in common?

In: input and output sizes and two options. Out: constraints on them.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, Node
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_small_dimensions,
    has_type,
    is_constant,
    takes,
)

SIZE = Role("size", 1)


def _size_found(node: Node) -> str | None:
    values = values_of(node.input(1))
    return None if len(values) == 2 else f"{len(values)}"


def _output_shape(node: Node) -> tuple[int, ...]:
    batches, _, _, channels = node.input(0).shape
    height, width = values_of(node.input(1))
    return batches, height, width, channels


def is_aligned(node: Node) -> bool:
    return bool(node.operator.options.get("align_corners"))


def is_centred(node: Node) -> bool:
    return bool(node.operator.options.get("half_pixel_centers"))


def resize_constraints(*types: Constraint) -> tuple[Constraint, ...]:
    return (
        takes(INPUT, SIZE),
        *types,
        has_type(SIZE, DType.INT32),
        is_constant(SIZE),
        has_rank(INPUT, 4),
        has_elements(INPUT),
        has_elements(OUTPUT),
        has_small_dimensions(INPUT),
        has_small_dimensions(OUTPUT),
        Constraint("size has two numbers", _size_found),
        has_shape(OUTPUT, "input and size", _output_shape),
    )
