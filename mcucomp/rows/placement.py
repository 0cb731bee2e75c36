"""Which byte does each row start at?

In: a step graph in rows, an order, and its live peak, which no placement can
beat. Out: an offset for each buffer and each step's scratch. First fits over
several sequences of the objects; the object that ends highest is moved ahead
in the sequence, again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mcucomp.memory import StepGraph, round_up
from mcucomp.place import Placement
from mcucomp.rows.objects import MERGES, Objects, grouped_parts, objects_of, parts_of, placement_of

_STALE_ROUNDS = 12  # so many moves without a better arena, and a sequence is given up
_MOST_ROUNDS = 40
_BUMPED = 3  # of all first fits, so many are worth moving objects about
_MOST_WORK = 6_000_000  # forbidden intervals that are looked at to move them

# Largest first, and so on: objects by a key of their number.
SEQUENCES: dict[str, Callable[[Objects, int], tuple[int, ...]]] = {
    "largest": lambda o, k: (-o.sizes[k], o.lives[k].start),
    "largest area": lambda o, k: (-o.areas[k],),
    "earliest": lambda o, k: (o.lives[k].start, -o.sizes[k]),
    "longest": lambda o, k: (o.lives[k].start - o.lives[k].end, -o.sizes[k]),
    "latest": lambda o, k: (-o.lives[k].end, -o.sizes[k]),
}


@dataclass(frozen=True, slots=True)
class _Fit:
    """A first fit: the sequence that led to it, its offsets, and its highest byte."""

    objects: Objects
    sequence: tuple[int, ...]
    offsets: tuple[int, ...]
    told: str

    @property
    def top(self) -> int:
        ends = (o + size for o, size in zip(self.offsets, self.objects.sizes, strict=True))
        return max(ends, default=0)


def place_rows(
    step_graph: StepGraph,
    order: Sequence[int],
    floor_bytes: int,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Placement, tuple[int, ...]]:
    """(placement, the steps whose scratch its offsets have after those of the buffers).

    Stops at an arena of `floor_bytes`, and where `stop` says so with the best so far.
    """
    parts = parts_of(step_graph, order)
    alignment = step_graph.alignment
    fits: list[_Fit] = []
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for merge in MERGES:
        groups = grouped_parts(step_graph, parts, merge)
        if groups in seen:
            continue
        seen.add(groups)
        objects = objects_of(step_graph, parts, groups)
        for name in SEQUENCES:
            sequence = _sequence(objects, name)
            told = f"first fit of rows, {name} first, {merge} merged"
            offsets = first_fit(objects, sequence, alignment)
            fits.append(_Fit(objects, sequence, offsets, told))
            if _is_reached(fits[-1], alignment, floor_bytes) or stop():
                break
        fits.sort(key=lambda fit: fit.top)
        if _is_reached(fits[0], alignment, floor_bytes) or stop():
            break
    best = fits[0]
    for fit in fits[:_BUMPED]:
        if not _is_reached(best, alignment, floor_bytes) and not stop():
            rounds = min(_MOST_ROUNDS, _MOST_WORK // _BUMPED // (1 + fit.objects.intervals))
            found = _bumped(fit, alignment, floor_bytes, rounds)
            best = min(best, found, key=lambda fit: fit.top)
    placement = placement_of(step_graph, parts, best.objects, best.offsets, best.told)
    return placement, parts.scratch_steps


def _sequence(objects: Objects, name: str) -> tuple[int, ...]:
    key = SEQUENCES[name]
    return tuple(sorted(range(len(objects.sizes)), key=lambda k: key(objects, k)))


def _is_reached(fit: _Fit, alignment: int, floor_bytes: int) -> bool:
    return round_up(fit.top, alignment) <= floor_bytes


def _bumped(fit: _Fit, alignment: int, floor_bytes: int, rounds: int) -> _Fit:
    """The best of the first fits that moving the highest object ahead leads to."""
    best, stale = fit, 0
    for _ in range(rounds):
        if _is_reached(best, alignment, floor_bytes) or stale > _STALE_ROUNDS:
            break
        ends = [o + size for o, size in zip(fit.offsets, fit.objects.sizes, strict=True)]
        sequence = list(fit.sequence)
        place = sequence.index(ends.index(max(ends)))
        sequence.insert(place // 2, sequence.pop(place))
        offsets = first_fit(fit.objects, sequence, alignment)
        fit = replace(fit, sequence=tuple(sequence), offsets=offsets)
        stale += 1
        if fit.top < best.top:
            best, stale = fit, 0
    return best


def first_fit(objects: Objects, sequence: Sequence[int], alignment: int) -> tuple[int, ...]:
    """Each object in turn at the lowest multiple of the alignment that is allowed."""
    offsets = [-1] * len(objects.sizes)
    for k in sequence:
        taken = []
        for other, low, high in objects.forbidden[k]:
            base = offsets[other]
            if base >= 0 and high + base > 0:
                taken.append((low + base, high + base))
        taken.sort()
        offset = 0
        for low, high in taken:
            if low >= offset:
                break
            if high > offset:
                offset = -(-high // alignment) * alignment
        offsets[k] = offset
    return tuple(offsets)
