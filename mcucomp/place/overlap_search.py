"""Which offsets make the smallest arena where blocks may lie over each other?

In: blocks, the distances at which pairs of them may overlap, a floor. Out: a
placement. Blocks are placed one after the other, each at the lowest or at the
highest offset within a capacity that disturbs none before it. The sequence and
the end from which each block is placed decide the result: the first are simple
ones, forwards and backwards in time; then the best is changed a little, again and
again, and a change is kept unless it makes the arena larger. Draws are seeded
and the work is counted, so the same blocks have the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block, Placement, highest_byte
from mcucomp.place.greedy import SORT_KEYS
from mcucomp.place.meetings import Meeting, Overlaps, meetings

_SEED = 1
_PATIENCE = 400  # changes in vain before the search starts over from another sequence
_CAPACITIES = 12  # steps between the floor and what is reached


@dataclass(frozen=True, slots=True)
class _Recipe:
    """Blocks in the sequence in which they are placed; `top[b]`: from the highest offset down."""

    sequence: tuple[int, ...]
    top: tuple[bool, ...]


@dataclass(slots=True)
class _Kitchen:
    """What recipes are cooked with, in units of the alignment."""

    sizes: Sequence[int]
    meetings: Sequence[Sequence[Meeting]]

    def cook(self, recipe: _Recipe, capacity: int) -> tuple[int, list[int]]:
        """(units of arena, offset of each block)."""
        offsets = [-1] * len(self.sizes)
        arena = 0
        for b in recipe.sequence:
            offset = -1
            if recipe.top[b]:
                offset = self._highest(b, offsets, capacity - self.sizes[b])
            if offset < 0:
                offset = self._lowest(b, offsets)
            offsets[b] = offset
            arena = max(arena, offset + self.sizes[b])
        return arena, offsets

    def _lowest(self, b: int, offsets: Sequence[int]) -> int:
        offset, moved = 0, True
        while moved:
            moved = False
            for meeting in self.meetings[b]:
                base = offsets[meeting.other]
                if base >= 0:
                    fine = base + meeting.up(offset - base)
                    if fine != offset:
                        offset, moved = fine, True
        return offset

    def _highest(self, b: int, offsets: Sequence[int], offset: int) -> int:
        """The highest fine offset up to `offset`; below 0 where there is none."""
        moved = True
        while moved and offset >= 0:
            moved = False
            for meeting in self.meetings[b]:
                base = offsets[meeting.other]
                if base >= 0:
                    fine = base + meeting.down(offset - base)
                    if fine != offset:
                        offset, moved = fine, True
        return offset


def place_overlapping(
    blocks: Sequence[Block],
    alignment: int,
    floor_bytes: int,
    overlaps: Overlaps,
    work: int,
    stop: Callable[[], bool] = lambda: False,
) -> Placement:
    """The smallest arena that is found; the search ends at one of `floor_bytes`.

    `work` is how many times a block may be placed beyond the simple sequences.
    """
    sizes = [round_up(b.size_bytes, alignment) // alignment for b in blocks]
    kitchen = _Kitchen(sizes, meetings(blocks, alignment, overlaps))
    floor = -(-floor_bytes // alignment)
    best, offsets = _search(kitchen, blocks, floor, work, stop)
    placed = tuple(offset * alignment for offset in offsets)
    assert best * alignment >= highest_byte(blocks, placed)
    return Placement(placed, highest_byte(blocks, placed), "overlap search")


def _search(
    kitchen: _Kitchen,
    blocks: Sequence[Block],
    floor: int,
    work: int,
    stop: Callable[[], bool],
) -> tuple[int, list[int]]:
    draw = np.random.default_rng(_SEED)
    starts = list(_simple(blocks))
    ranked = sorted(
        ((kitchen.cook(recipe, floor), k) for k, recipe in enumerate(starts)),
        key=lambda cooked: (cooked[0][0], cooked[1]),
    )
    best, best_offsets = ranked[0][0]
    tries = work // max(1, len(blocks))
    turn = 0
    while best > floor and tries > 0 and not stop():
        recipe = starts[ranked[turn % len(ranked)][1]]
        # Blocks placed from above end where the capacity says: try several.
        capacity = floor + (best - floor) * (turn % _CAPACITIES) // _CAPACITIES
        arena, offsets = kitchen.cook(recipe, capacity)
        vain = 0
        while vain < _PATIENCE and tries > 0 and arena > floor:
            tries -= 1
            changed = _changed(recipe, blocks, draw)
            cooked = kitchen.cook(changed, capacity)
            vain = 0 if cooked[0] < arena else vain + 1
            if cooked[0] <= arena:
                recipe, (arena, offsets) = changed, cooked
        if arena < best:
            best, best_offsets = arena, offsets
        turn += 1
    return best, best_offsets


def _simple(blocks: Sequence[Block]) -> Iterator[_Recipe]:
    """Sequences by size and by time, all from below, all from above, and alternating."""
    count = len(blocks)
    by_time = sorted(range(count), key=lambda b: (blocks[b].lifetime.start, b))
    sequences = [tuple(reversed(by_time)), tuple(by_time)]
    for key in SORT_KEYS.values():
        sequences.append(tuple(sorted(range(count), key=lambda b: key(b, blocks[b]))))
    turns = [False] * count
    for k, b in enumerate(by_time):
        turns[b] = bool(k % 2)
    for sequence in sequences:
        for top in ((False,) * count, (True,) * count, tuple(turns)):
            yield _Recipe(sequence, top)


def _changed(recipe: _Recipe, blocks: Sequence[Block], draw: np.random.Generator) -> _Recipe:
    """One block earlier or later in the sequence, or from the other end, or both."""
    count = len(recipe.sequence)
    sequence, top = list(recipe.sequence), list(recipe.top)
    for _ in range(1 + int(draw.integers(3))):
        # Large blocks decide; small ones seldom do.
        a, b = (int(k) for k in draw.integers(count, size=2))
        k = a if blocks[sequence[a]].size_bytes >= blocks[sequence[b]].size_bytes else b
        block = sequence[k]
        if draw.random() < 0.5:
            top[block] = not top[block]
        if draw.random() < 0.6:
            sequence.insert(int(draw.integers(count)), sequence.pop(k))
    return _Recipe(tuple(sequence), tuple(top))
