"""BATCH_TO_SPACE_ND: pixels of several batches as blocks of one."""

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
from mcucomp.ops.conditions import OUTPUT, Role, has_shape
from mcucomp.ops.movement import run_of, table_call

CROPS = Role("crops tensor", 2)


def _batches_found(node: Node) -> str | None:
    batches, block = node.input(0).shape[0], block_of(node)
    return None if batches % (block[0] * block[1]) == 0 else f"{batches}"


def _output_shape(node: Node) -> tuple[int, ...]:
    n, h, w, c = image_shape(node.input(0).shape)
    block, (tall, wide) = block_of(node), margins_of(node)
    image = (n // (block[0] * block[1]), h * block[0] - sum(tall), w * block[1] - sum(wide), c)
    return plain_shape(image, len(node.input(0).shape))


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    (top, _), (left, _) = margins_of(node)
    offsets = blocked_offsets(result, source, block_of(node), (top, left))
    return table_call(source, result, offsets, run_of(source, len(source.shape) - 1))


BATCH_TO_SPACE_ND = register(
    OperatorDef(
        kind="BATCH_TO_SPACE_ND",
        summary="pixels of several batches as blocks of one, cut off around",
        constraints=(
            *batch_constraints(CROPS),
            Constraint("batches are a multiple of the block's pixels", _batches_found),
            has_shape(OUTPUT, "input, block shape and crops", _output_shape),
        ),
        lower=_lower,
    )
)
