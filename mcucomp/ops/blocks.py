"""How do operators turn blocks of pixels into batches or channels, and back?

In: block sizes, and what is cut off. Out: where each run of bytes lies.
"""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, Node
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_option,
    has_rank,
    has_type,
    integer_option,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import run_of

BLOCK = Role("block shape", 1)


def batch_constraints(margins: Role) -> tuple[Constraint, ...]:
    """What SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND demand before shapes are compared."""

    def found(node: Node) -> str | None:
        block, pairs, rank = node.input(1), node.input(2), len(node.input(0).shape)
        spatial = rank - 2
        if block.elements != spatial or pairs.elements != 2 * spatial:
            return f"{block.elements} and {pairs.elements} for {rank} dimensions"
        if min(values_of(block)) < 1 or min(values_of(pairs)) < 0:
            return f"{min(values_of(block))} and {min(values_of(pairs))}"
        return None

    return (
        takes(INPUT, BLOCK, margins),
        *same_types(MOVABLE),
        *(has_type(role, DType.INT32) for role in (BLOCK, margins)),
        is_constant(BLOCK),
        is_constant(margins),
        has_rank(INPUT, 3, 4),
        has_elements(INPUT),
        has_elements(OUTPUT),
        Constraint(
            f"block shape has a number from 1, {margins.name} two from 0, for each inner dimension",
            found,
        ),
    )


def block_of(node: Node) -> tuple[int, int]:
    """Block height and width; 1 for the height of a tensor of three dimensions."""
    values = values_of(node.input(1))
    return (1, values[0]) if len(values) == 1 else (values[0], values[1])


def margins_of(node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    """(before, after) of height and width."""
    values = values_of(node.input(2))
    values = [0, 0, *values] if len(values) == 2 else values
    return (values[0], values[1]), (values[2], values[3])


def image_shape(shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """As batches, height, width and channels."""
    n, *inner, c = shape
    h, w = inner if len(inner) == 2 else (1, inner[0])
    return n, h, w, c


def plain_shape(image: tuple[int, int, int, int], rank: int) -> tuple[int, ...]:
    """The same with the dimensions that a tensor of `rank` has."""
    return image if rank == 4 else (image[0], image[2], image[3])


def blocked_offsets(
    space: Tensor, batched: Tensor, block: tuple[int, int], before: tuple[int, int]
) -> list[np.ndarray]:
    """Where in `batched` each run of channels of `space` lies, as tables for n, y and x.

    Pixel y of `space` is pixel (y + before) // block of the batch (y + before) % block.
    """
    n, h, w, _ = image_shape(space.shape)
    _, height, width, _ = image_shape(batched.shape)
    run = run_of(batched, len(batched.shape) - 1)
    batch = height * width * run
    y, x = np.arange(h) + before[0], np.arange(w) + before[1]
    return [
        np.arange(n) * batch,
        (y % block[0]) * block[1] * n * batch + y // block[0] * width * run,
        (x % block[1]) * n * batch + x // block[1] * run,
    ]


def depth_constraints() -> tuple[Constraint, ...]:
    """What SPACE_TO_DEPTH and DEPTH_TO_SPACE demand before shapes are compared."""
    return (
        takes(INPUT),
        *same_types(MOVABLE),
        has_rank(INPUT, 4),
        has_elements(INPUT),
        has_elements(OUTPUT),
        has_option(
            "block_size",
            "block size is at least 1",
            lambda value: isinstance(value, int) and value >= 1,
        ),
    )


def block_size(node: Node) -> int:
    return integer_option(node, "block_size")


def deep_walk(shape: tuple[int, ...], block: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How the blocks of an image are its depth: (shape, strides in elements) of it as
    batches, block rows, block columns, rows in a block, and a row of a block's pixels.
    """
    n, h, w, c = shape
    sizes = (n, h // block, w // block, block, block * c)
    return sizes, (h * w * c, block * w * c, block * c, w * c, 1)
