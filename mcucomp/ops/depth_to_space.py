"""DEPTH_TO_SPACE: channels of a pixel as the pixels of a block."""

from __future__ import annotations

from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.blocks import block_size, depth_constraints
from mcucomp.ops.conditions import OUTPUT, has_shape
from mcucomp.ops.movement import strided_call


def _channels_found(node: Node) -> str | None:
    block, channels = block_size(node), node.input(0).shape[3]
    return None if channels % (block * block) == 0 else f"{channels} for blocks of {block}"


def _output_shape(node: Node) -> tuple[int, ...]:
    block, (n, h, w, c) = block_size(node), node.input(0).shape
    return n, h * block, w * block, c // (block * block)


def _lower(node: Node) -> KernelCall:
    source, result, block = node.input(0), node.output(), block_size(node)
    n, h, w, c = source.shape
    run = c // block
    return strided_call(source, result, (n, h, block, w, run), (h * w * c, w * c, run, c, 1))


DEPTH_TO_SPACE = register(
    OperatorDef(
        kind="DEPTH_TO_SPACE",
        summary="channels of a pixel as the pixels of a block",
        constraints=(
            *depth_constraints(),
            Constraint("channels are a multiple of block size squared", _channels_found),
            has_shape(OUTPUT, "input and block size", _output_shape),
        ),
        lower=_lower,
    )
)
