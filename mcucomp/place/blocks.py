"""What is there to place, and what is a placement? The types of this room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcucomp.memory import Lifetime, round_up


@dataclass(frozen=True, slots=True)
class Block:
    """Something to place: `size_bytes` (unrounded) during `lifetime`."""

    size_bytes: int
    lifetime: Lifetime


@dataclass(frozen=True, slots=True)
class Placement:
    """An offset for each block, the highest byte in use, and the placer that found it."""

    offsets: tuple[int, ...]
    high_water_bytes: int
    placer: str


def highest_byte(blocks: Sequence[Block], offsets: Sequence[int]) -> int:
    """The largest offset plus unrounded bytes of any block; 0 where there is none."""
    return max(
        (o + b.size_bytes for o, b in zip(offsets, blocks, strict=True) if b.size_bytes), default=0
    )


def live_peak(blocks: Sequence[Block], alignment: int) -> int:
    """The most bytes, each block rounded up, that are live at one position."""
    change: dict[int, int] = {}
    for block in blocks:
        size_bytes = round_up(block.size_bytes, alignment)
        start, end = block.lifetime.start, block.lifetime.end
        change[start] = change.get(start, 0) + size_bytes
        change[end] = change.get(end, 0) - size_bytes
    peak_bytes = live_bytes = 0
    for position in sorted(change):
        live_bytes += change[position]
        peak_bytes = max(peak_bytes, live_bytes)
    return peak_bytes
