"""Can a first fit be repaired until it stays below a target?

In: objects, a sequence whose first fit ends above the target, and the target. Out: a sequence
whose first fit does not, or None where the limit of work was reached.

What is too much is summed up over all objects that end above the target: a period of rows
after the other is repaired, although the highest byte stays until the last of them is. A move
puts an object that ends too high right before another that is in its way, and every
other time shifts a third one a little. Moves that make it no worse are kept. All draws are
seeded, and the limit is one of work: the same objects have the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from mcucomp.rows.objects import Objects

_SEED = 1
_NEIGHBOURS = 12  # the last of those in the way
_SHIFT = 25


def repaired(
    objects: Objects,
    sequence: Sequence[int],
    alignment: int,
    target_bytes: int,
    limit_placed: int,
    stop: Callable[[], bool],
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """(sequence, offsets) that end at `target_bytes` or below, within `limit_placed` placements."""
    draw = random.Random(_SEED)
    now = list(sequence)
    offsets = [-1] * len(now)
    excess_bytes = _refit(objects, now, alignment, offsets, 0, target_bytes)
    placed = len(now)
    while excess_bytes and placed < limit_placed and not stop():
        moved, first = _moved(objects, now, offsets, target_bytes, draw)
        if moved is None:
            continue
        fitted = list(offsets)
        found = _refit(objects, moved, alignment, fitted, first, target_bytes)
        placed += len(now) - first
        if found <= excess_bytes:
            now, offsets, excess_bytes = moved, fitted, found
    return None if excess_bytes else (tuple(now), tuple(offsets))


def _moved(
    objects: Objects,
    sequence: Sequence[int],
    offsets: Sequence[int],
    target_bytes: int,
    draw: random.Random,
) -> tuple[list[int] | None, int]:
    """Another sequence, and where it begins to differ."""
    bad = [k for k in sequence if offsets[k] + objects.sizes[k] > target_bytes]
    moved, k = list(sequence), draw.choice(bad)
    place = moved.index(k)
    before = [j for j in range(place) if moved[j] in objects.forbidden[k]][-_NEIGHBOURS:]
    if not before:
        return None, 0
    first = draw.choice(before)
    moved.insert(first, moved.pop(place))
    if draw.random() < 0.5:
        other = moved.index(draw.choice(list(objects.forbidden[k])))
        shifted = min(max(0, other + draw.randint(-_SHIFT, _SHIFT)), len(moved) - 1)
        moved.insert(shifted, moved.pop(other))
        first = min(first, other, shifted)
    return moved, first


def _refit(
    objects: Objects,
    sequence: Sequence[int],
    alignment: int,
    offsets: list[int],
    first: int,
    target_bytes: int,
) -> int:
    """First fit from place `first` on, into `offsets`; returns the bytes above the target."""
    for k in sequence[first:]:
        offsets[k] = -1
    excess_bytes = sum(
        max(0, offsets[k] + objects.sizes[k] - target_bytes) for k in sequence[:first]
    )
    for k in sequence[first:]:
        offsets[k] = lowest(objects, k, offsets, alignment)
        excess_bytes += max(0, offsets[k] + objects.sizes[k] - target_bytes)
    return excess_bytes


def lowest(objects: Objects, k: int, offsets: Sequence[int], alignment: int) -> int:
    """The lowest allowed multiple of the alignment for object k; others at -1 are not there."""
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
    return offset
