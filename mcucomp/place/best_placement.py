"""What is the smallest arena for this order?

In: blocks with lifetimes, and their live peak, which no placement can beat.
Out: a placement: the quick ones first, then the level search and the constraint
solver at the live peak, then the level search between it and the best known, and
for few blocks the integer program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block, Placement, highest_byte
from mcucomp.place.constraint_solver import solver_fit
from mcucomp.place.greedy import SORT_KEYS, first_fit
from mcucomp.place.integer_program import fits, solve_offsets
from mcucomp.place.level_search import level_search
from mcucomp.place.meetings import Overlaps
from mcucomp.place.overlap_search import place_overlapping

_PLACED_A_NODE = 5  # blocks that the overlap search places in the time of a node
_SOLVER_BLOCKS = 1_000  # with more, a single try takes minutes
_PROGRAM_BLOCKS = 24  # with more the program takes longer than it is worth


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to try: nodes of the level search and tries of the constraint solver at the
    floor, and nodes at each halving above it.

    `orders` is for how many orders of equal peak it is worth that.
    """

    nodes: int
    tries: int
    halving_nodes: int
    orders: int


# Little for many orders first, then much for the first order.
EFFORTS = (Effort(0, 0, 0, 16), Effort(3_000, 0, 0, 16), Effort(40_000, 8, 6_000, 1))


def place(
    blocks: Sequence[Block],
    alignment: int,
    floor_bytes: int,
    effort: Effort = EFFORTS[-1],
    limit_s: float | None = None,
) -> Placement:
    """The best placement found; stops at one whose arena is `floor_bytes`."""
    started_s = time.monotonic()

    def stop() -> bool:
        return limit_s is not None and time.monotonic() - started_s > limit_s

    best = quick_placement(blocks, alignment)
    if _arena(best, alignment) <= floor_bytes or not effort.nodes or stop():
        return best
    fit = level_search(blocks, alignment, floor_bytes, effort.nodes, stop)
    if fit.offsets is not None:
        return _placement(blocks, fit.offsets, "level search")
    if effort.tries and not fit.impossible and len(blocks) <= _SOLVER_BLOCKS:
        fit = solver_fit(blocks, alignment, floor_bytes, effort.tries, stop)
        if fit.offsets is not None and fits(blocks, alignment, fit.offsets):
            return _placement(blocks, fit.offsets, "constraint solver")
    if effort.halving_nodes:
        best = _halve(blocks, alignment, floor_bytes, best, effort.halving_nodes, stop)
    if effort.halving_nodes and len(blocks) <= _PROGRAM_BLOCKS and not stop():
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
    effort: Effort = EFFORTS[-1],
    limit_s: float | None = None,
) -> Placement:
    """The same where some pairs may overlap."""
    started_s = time.monotonic()

    def stop() -> bool:
        return limit_s is not None and time.monotonic() - started_s > limit_s

    work = effort.nodes * _PLACED_A_NODE
    best = place_overlapping(blocks, alignment, floor_bytes, overlaps, work, stop)
    if _arena(best, alignment) <= floor_bytes or not effort.nodes or stop():
        return best
    # Where few overlaps matter the level search may know better.
    capacity_bytes = _arena(best, alignment) - alignment
    fit = level_search(blocks, alignment, capacity_bytes, effort.halving_nodes, stop)
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
    nodes: int,
    stop: Callable[[], bool],
) -> Placement:
    """Level searches half-way between what is out of reach and what is reached."""
    low_bytes = floor_bytes + alignment
    while low_bytes < _arena(best, alignment) and not stop():
        middle_bytes = (low_bytes + _arena(best, alignment) - alignment) // 2
        capacity_bytes = middle_bytes // alignment * alignment
        fit = level_search(blocks, alignment, capacity_bytes, nodes, stop)
        if fit.offsets is not None:
            best = _placement(blocks, fit.offsets, "level search")
        else:
            low_bytes = capacity_bytes + alignment
    return best


def _placement(blocks: Sequence[Block], offsets: tuple[int, ...], placer: str) -> Placement:
    return Placement(offsets, highest_byte(blocks, offsets), placer)


def _arena(placement: Placement, alignment: int) -> int:
    return round_up(placement.high_water_bytes, alignment)
