"""Which byte does each row start at?

In: a step graph in rows, an order, and its live peak, which no placement can
beat. Out: an offset for each buffer and each step's scratch. First fits over
several sequences of the objects; the object that ends highest is moved ahead
in the sequence, again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcucomp.memory import StepGraph, round_up
from mcucomp.place import Placement
from mcucomp.rows.objects import MERGES, Objects, objects_of, parts_of

_STALE_ROUNDS = 20  # so many moves without a better arena, and a sequence is given up
_MOST_ROUNDS = 60

# Largest first, and so on: objects by a key of their number.
SEQUENCES: dict[str, Callable[[Objects, int], tuple[int, ...]]] = {
    "largest": lambda o, k: (-o.sizes[k], o.lives[k].start),
    "largest area": lambda o, k: (-o.areas[k],),
    "earliest": lambda o, k: (o.lives[k].start, -o.sizes[k]),
    "longest": lambda o, k: (o.lives[k].start - o.lives[k].end, -o.sizes[k]),
    "latest": lambda o, k: (-o.lives[k].end, -o.sizes[k]),
}


def place_rows(
    step_graph: StepGraph,
    order: Sequence[int],
    floor_bytes: int,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Placement, tuple[int, ...]]:
    """(placement, the steps whose scratch its offsets have after those of the buffers)."""
    parts = parts_of(step_graph, order)
    alignment = step_graph.alignment
    best: Placement | None = None
    for merge in MERGES:
        objects = objects_of(step_graph, parts, merge)
        for name in SEQUENCES:
            if best is not None and (
                round_up(best.high_water_bytes, alignment) <= floor_bytes or stop()
            ):
                return best, parts.scratch_steps
            offsets = _bumped(objects, name, alignment, floor_bytes)
            top = _highest(objects, offsets)
            if best is None or top < best.high_water_bytes:
                told = f"first fit of rows, {name} first, {merge} merged"
                best = Placement(objects.offsets_of_parts(offsets), top, told)
    assert best is not None
    return best, parts.scratch_steps


def _bumped(objects: Objects, name: str, alignment: int, floor_bytes: int) -> tuple[int, ...]:
    """The best of the first fits that moving the highest object ahead leads to."""
    sequence = sorted(range(len(objects.sizes)), key=lambda k: SEQUENCES[name](objects, k))
    best: tuple[int, ...] = ()
    best_top = stale = 0
    for _ in range(_MOST_ROUNDS):
        offsets = first_fit(objects, sequence, alignment)
        top = _highest(objects, offsets)
        if not best or top < best_top:
            best, best_top, stale = offsets, top, 0
        stale += 1
        if round_up(top, alignment) <= floor_bytes or stale > _STALE_ROUNDS:
            break
        worst = next(k for k, o in enumerate(offsets) if o + objects.sizes[k] == top)
        place = sequence.index(worst)
        sequence.pop(place)
        sequence.insert(place // 2, worst)
    return best


def first_fit(objects: Objects, sequence: Sequence[int], alignment: int) -> tuple[int, ...]:
    """Each object in turn at the lowest multiple of the alignment that is allowed."""
    offsets = [-1] * len(objects.sizes)
    for k in sequence:
        taken = []
        for other, intervals in objects.forbidden[k].items():
            base = offsets[other]
            if base >= 0:
                taken += [(low + base, high + base) for low, high in intervals if high + base > 0]
        taken.sort()
        offset = 0
        for low, high in taken:
            if low >= offset:
                break
            if high > offset:
                offset = -(-high // alignment) * alignment
        offsets[k] = offset
    return tuple(offsets)


def _highest(objects: Objects, offsets: Sequence[int]) -> int:
    return max((o + size for o, size in zip(offsets, objects.sizes, strict=True)), default=0)
