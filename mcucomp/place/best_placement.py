"""What is the smallest arena for this order?

In: blocks with lifetimes, and their live peak, which no placement can beat.
Out: a placement: the quick ones first, then the level search at the live peak,
then between it and the best known, and for few blocks the integer program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block, Placement, highest_byte
from mcucomp.place.greedy import SORT_KEYS, first_fit
from mcucomp.place.integer_program import solve_offsets
from mcucomp.place.level_search import level_search
from mcucomp.place.meetings import Overlaps
from mcucomp.place.overlap_search import place_overlapping

_LIMIT_NODES = 200_000
_HALVING_NODES = 20_000
_PROGRAM_BLOCKS = 24  # with more the program takes longer than it is worth


def place(
    blocks: Sequence[Block], alignment: int, floor_bytes: int, limit_s: float | None = None
) -> Placement:
    """The best placement found; stops at one whose arena is `floor_bytes`."""
    started_s = time.monotonic()

    def stop() -> bool:
        return limit_s is not None and time.monotonic() - started_s > limit_s

    best = quick_placement(blocks, alignment)
    if _arena(best, alignment) <= floor_bytes or stop():
        return best
    fit = level_search(blocks, alignment, floor_bytes, _LIMIT_NODES, stop)
    if fit.offsets is not None:
        return _placement(blocks, fit.offsets, "level search")
    best = _halve(blocks, alignment, floor_bytes, best, stop)
    if len(blocks) <= _PROGRAM_BLOCKS and not stop():
        offsets = solve_offsets(blocks, alignment, floor_bytes, best.offsets, limit_s)
        if offsets is not None:
            better = _placement(blocks, offsets, "integer program")
            best = min(best, better, key=lambda p: p.high_water_bytes)
    return best


def place_with_overlaps(
    blocks: Sequence[Block],
    alignment: int,
    floor_bytes: int,
    overlaps: Overlaps,
    limit_s: float | None = None,
) -> Placement:
    """The same where some pairs may overlap; never worse than what the level search finds."""
    started_s = time.monotonic()

    def stop() -> bool:
        return limit_s is not None and time.monotonic() - started_s > limit_s

    best = place_overlapping(blocks, alignment, floor_bytes, overlaps, stop)
    if _arena(best, alignment) <= floor_bytes or stop():
        return best
    capacity_bytes = _arena(best, alignment) - alignment
    fit = level_search(blocks, alignment, capacity_bytes, _HALVING_NODES, stop)
    return best if fit.offsets is None else _placement(blocks, fit.offsets, "level search")


def quick_placement(blocks: Sequence[Block], alignment: int) -> Placement:
    """The best of the first fits; the first of several."""
    found = []
    for name, key in SORT_KEYS.items():
        sequence = sorted(range(len(blocks)), key=lambda i: key(i, blocks[i]))
        found.append(_placement(blocks, first_fit(blocks, alignment, sequence), name))
    return min(found, key=lambda p: p.high_water_bytes)


def _halve(
    blocks: Sequence[Block],
    alignment: int,
    floor_bytes: int,
    best: Placement,
    stop: Callable[[], bool],
) -> Placement:
    """Level searches half-way between what is out of reach and what is reached."""
    low_bytes = floor_bytes + alignment
    while low_bytes < _arena(best, alignment) and not stop():
        middle_bytes = (low_bytes + _arena(best, alignment) - alignment) // 2
        capacity_bytes = middle_bytes // alignment * alignment
        fit = level_search(blocks, alignment, capacity_bytes, _HALVING_NODES, stop)
        if fit.offsets is not None:
            best = _placement(blocks, fit.offsets, "level search")
        else:
            low_bytes = capacity_bytes + alignment
    return best


def _placement(blocks: Sequence[Block], offsets: tuple[int, ...], placer: str) -> Placement:
    return Placement(offsets, highest_byte(blocks, offsets), placer)


def _arena(placement: Placement, alignment: int) -> int:
    return round_up(placement.high_water_bytes, alignment)
