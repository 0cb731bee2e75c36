"""SPACE_TO_BATCH_ND: each pixel of a block in a batch of its own.

Pixels that are added around hold 0, for int8 too: that is what TensorFlow
Lite Micro does, where TensorFlow Lite takes the zero point.
"""

from __future__ import annotations

from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.blocks import (
    batch_constraints,
    block_of,
    blocked_offsets,
    image_shape,
    margins_of,
    plain_shape,
)
from mcucomp.ops.conditions import OUTPUT, Role, dims, has_shape
from mcucomp.ops.movement import run_of, scatter_call

PADDINGS = Role("paddings tensor", 2)


def _padded(node: Node) -> tuple[int, int]:
    _, h, w, _ = image_shape(node.input(0).shape)
    (top, bottom), (left, right) = margins_of(node)
    return h + top + bottom, w + left + right


def _blocks_found(node: Node) -> str | None:
    padded, block = _padded(node), block_of(node)
    if padded[0] % block[0] == 0 and padded[1] % block[1] == 0:
        return None
    return f"{dims(padded)} in blocks of {dims(block)}"


def _output_shape(node: Node) -> tuple[int, ...]:
    n, _, _, c = image_shape(node.input(0).shape)
    (height, width), block = _padded(node), block_of(node)
    image = (n * block[0] * block[1], height // block[0], width // block[1], c)
    return plain_shape(image, len(node.input(0).shape))


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    (top, _), (left, _) = margins_of(node)
    offsets = blocked_offsets(source, result, block_of(node), (top, left))
    return scatter_call(source, result, offsets, run_of(source, len(source.shape) - 1))


SPACE_TO_BATCH_ND = register(
    OperatorDef(
        kind="SPACE_TO_BATCH_ND",
        summary="each pixel of a block in a batch of its own; pixels added around are 0",
        constraints=(
            *batch_constraints(PADDINGS),
            Constraint("padded height and width are multiples of the block's", _blocks_found),
            has_shape(OUTPUT, "input, block shape and paddings", _output_shape),
        ),
        lower=_lower,
    )
)
