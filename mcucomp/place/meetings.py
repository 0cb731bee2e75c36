"""How far apart must two blocks that live together start?

In: blocks, and for some pairs the distances at which one may lie over the
other. Out: for each block whom it meets, and the nearest offset at which it
does not disturb a block that is placed.

A meeting of blocks a and b is told by distance = offset of a - offset of b. It
is fine up to -size of a, from size of b on, and in the allowed ranges between.
Everything is counted in multiples of the alignment.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block


@dataclass(frozen=True, slots=True)
class Range:
    """Distances from `low` to `high`, multiples of `unit` alone; None for no limit."""

    low: int | None
    high: int | None
    unit: int = 1


Overlaps = Mapping[tuple[int, int], Sequence[Range]]
"""For pairs (a, b) of blocks: where a may lie over b, in bytes: offset of a - offset of b."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What block `a` has to keep from block `other`; `ranges` ascending, whole multiples."""

    other: int
    below: int  # the highest distance at which a lies wholly below
    above: int  # the lowest at which it lies wholly above
    ranges: tuple[tuple[int, int, int], ...] = ()  # (first, last, unit)

    def up(self, distance: int) -> int:
        """The lowest distance that is fine and not below `distance`."""
        if distance <= self.below or distance >= self.above:
            return distance
        best = self.above
        for first, last, unit in self.ranges:
            found = max(first, -(-distance // unit) * unit)
            if found <= last:
                best = min(best, found)
        return best

    def down(self, distance: int) -> int:
        """The highest distance that is fine and not above `distance`."""
        if distance <= self.below or distance >= self.above:
            return distance
        best = self.below
        for first, last, unit in self.ranges:
            found = min(last, distance // unit * unit)
            if found >= first:
                best = max(best, found)
        return best


def meetings(blocks: Sequence[Block], alignment: int, overlaps: Overlaps) -> list[list[Meeting]]:
    """For each block its meetings, in units of the alignment; blocks without bytes meet nobody."""
    sizes = [round_up(b.size_bytes, alignment) // alignment for b in blocks]
    found: list[list[Meeting]] = [[] for _ in blocks]
    for a, one in enumerate(blocks):
        for b, other in enumerate(blocks):
            together = (
                one.lifetime.start < other.lifetime.end and other.lifetime.start < one.lifetime.end
            )
            if a == b or not together or not sizes[a] or not sizes[b]:
                continue
            allowed = [
                _in_units(r, alignment, sizes[a], sizes[b]) for r in overlaps.get((a, b), ())
            ]
            allowed += [
                (-last, -first, unit)
                for r in overlaps.get((b, a), ())
                for first, last, unit in (_in_units(r, alignment, sizes[b], sizes[a]),)
            ]
            ranges = tuple(sorted(r for r in allowed if r[0] <= r[1]))
            found[a].append(Meeting(b, -sizes[a], sizes[b], ranges))
    return found


def _in_units(allowed: Range, alignment: int, size: int, other_size: int) -> tuple[int, int, int]:
    """(first, last, unit) of a range of bytes, in units of the alignment and between the ends."""
    step = math.lcm(alignment, allowed.unit)
    low = -size * alignment if allowed.low is None else max(allowed.low, -size * alignment)
    high = other_size * alignment
    high = high if allowed.high is None else min(allowed.high, high)
    unit = step // alignment
    return -(-low // step) * unit, high // step * unit, unit
