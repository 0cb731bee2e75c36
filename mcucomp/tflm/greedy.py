"""Where does TFLM's own planner put each block?

In: blocks, and the offsets that the file prescribes for some of them. Out: an
offset for each block, as TFLM's default planner gives it, to the byte: what the
file prescribes first, then the largest first, of equal ones the later first,
each at the lowest address at which nothing that is in use with it lies.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence

from mcucomp.tflm.blocks import Block, overlapping


def greedy(blocks: Sequence[Block], pinned: Mapping[int, int]) -> tuple[int, ...]:
    """An offset a block; `pinned` holds those that are prescribed, by block.

    A prescribed offset is taken unseen, so two of them may overlap. A gap is
    measured between neighbours in the list of all that is placed; a block that
    lies over others hides nothing.
    """
    offsets: dict[int, int] = {}
    starts: list[int] = []
    placed: list[int] = []

    def put(index: int, offset: int) -> None:
        at = bisect.bisect_right(starts, offset)
        starts.insert(at, offset)
        placed.insert(at, index)
        offsets[index] = offset

    for index in sorted(pinned):
        put(index, pinned[index])
    rest = [i for i in range(len(blocks)) if i not in pinned]
    for index in sorted(rest, key=lambda i: (-blocks[i].size_bytes, -i)):
        block, offset = blocks[index], 0
        for other in placed:
            if not overlapping(blocks[other].lifetime, block.lifetime):
                continue
            if offsets[other] - offset >= block.size_bytes:
                break
            offset = max(offset, offsets[other] + blocks[other].size_bytes)
        put(index, offset)
    return tuple(offsets[i] for i in range(len(blocks)))


def pinned_blocks(
    blocks: Sequence[Block], prescribed: Mapping[tuple[int, int], int]
) -> dict[int, int]:
    """Which blocks have a prescribed offset; `prescribed` is by (graph, tensor)."""
    return {
        index: prescribed[block.graph, block.tensor]
        for index, block in enumerate(blocks)
        if block.tensor is not None and (block.graph, block.tensor) in prescribed
    }


def head_bytes(blocks: Sequence[Block], offsets: Sequence[int]) -> int:
    """The planner's high-water mark: the highest end of any block, 0 where there is none."""
    return max((o + b.size_bytes for o, b in zip(offsets, blocks, strict=True)), default=0)
