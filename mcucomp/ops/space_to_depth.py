"""SPACE_TO_DEPTH: the pixels of a block as channels of one."""

from __future__ import annotations

from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.blocks import block_size, deep_walk, depth_constraints
from mcucomp.ops.conditions import OUTPUT, dims, has_shape
from mcucomp.ops.movement import strided_call


def _blocks_found(node: Node) -> str | None:
    block, (_, h, w, _) = block_size(node), node.input(0).shape
    return None if h % block == w % block == 0 else f"{dims((h, w))} in blocks of {block}"


def _output_shape(node: Node) -> tuple[int, ...]:
    block, (n, h, w, c) = block_size(node), node.input(0).shape
    return n, h // block, w // block, c * block * block


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    return strided_call(source, result, *deep_walk(source.shape, block_size(node)))


SPACE_TO_DEPTH = register(
    OperatorDef(
        kind="SPACE_TO_DEPTH",
        summary="the pixels of a block as channels of one",
        constraints=(
            *depth_constraints(),
            Constraint("height and width are multiples of block size", _blocks_found),
            has_shape(OUTPUT, "input and block size", _output_shape),
        ),
        lower=_lower,
    )
)
