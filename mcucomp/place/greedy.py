"""Quick placements: first fit over several orders of the blocks.

In: blocks, each with bytes and a lifetime. Out: an offset for each, such that
blocks that live together do not overlap. No promise about the best total;
that is checked against the live peak afterwards.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block

# Each maps (index, block) to a sort key. Largest first with later blocks first
# among equals is TensorFlow Lite Micro's own rule.
SORT_KEYS: dict[str, Callable[[int, Block], tuple[int, ...]]] = {
    "largest first": lambda i, b: (-b.size_bytes, i),
    "largest first, later first": lambda i, b: (-b.size_bytes, -i),
    "longest first": lambda i, b: (b.lifetime.start - b.lifetime.end, -b.size_bytes, i),
    "largest area first": lambda i, b: (
        -b.size_bytes * (b.lifetime.end - b.lifetime.start),
        i,
    ),
    "earliest first": lambda i, b: (b.lifetime.start, -b.size_bytes, i),
}


def first_fit(blocks: Sequence[Block], alignment: int, sequence: Sequence[int]) -> tuple[int, ...]:
    """Place the blocks in `sequence`, each at the lowest free multiple of `alignment`."""
    starts = sorted({block.lifetime.start for block in blocks})
    placed_at: list[list[int]] = [[] for _ in starts]  # two blocks live together share a start
    offsets: dict[int, int] = {}
    for index in sequence:
        block = blocks[index]
        first = bisect.bisect_left(starts, block.lifetime.start)
        after = bisect.bisect_left(starts, block.lifetime.end)
        beside = {other for placed in placed_at[first:after] for other in placed}
        neighbours = sorted(
            (offsets[other], offsets[other] + round_up(blocks[other].size_bytes, alignment))
            for other in beside
        )
        offset = 0
        for start, end in neighbours:
            if start - offset >= block.size_bytes:
                break
            offset = max(offset, end)
        offsets[index] = offset
        for placed in placed_at[first:after]:
            placed.append(index)
    return tuple(offsets[i] for i in range(len(blocks)))
