"""Slow, obvious answers where steps may write over what they read.

Shares no code with what it tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from mcucomp.memory.types import Overlap, StepGraph
from tests.oracle.brute_force import aligned, all_orders, live_at


def lives(graph: StepGraph, order: Sequence[int]) -> list[tuple[int, int]]:
    """For each buffer the first and the last position at which it is live."""
    found = []
    for buffer in graph.buffers:
        places = [order.index(s) for s in (*buffer.writers, *buffer.readers)]
        if not buffer.writers or buffer.from_start:
            places.append(0)
        if buffer.held:
            places.append(len(order) - 1)
        found.append((min(places), max(places)))
    return found


def allows(overlap: Overlap, distance: int) -> bool:
    low, high = overlap.low_bytes, overlap.high_bytes
    if low is not None and distance < low:
        return False
    if high is not None and distance > high:
        return False
    return distance % overlap.multiple_bytes == 0


def over(graph: StepGraph, order: Sequence[int]) -> dict[tuple[int, int], list[Overlap]]:
    """(read, written) for which an overlap is there in this order."""
    found: dict[tuple[int, int], list[Overlap]] = {}
    life = lives(graph, order)
    for o in graph.overlaps:
        k = order.index(o.step)
        ends = life[o.read][1] == k and not graph.buffers[o.read].held
        if ends and life[o.written][0] == k:
            found.setdefault((o.read, o.written), []).append(o)
    return found


def peak(graph: StepGraph, order: Sequence[int]) -> int:
    """The most bytes that any position needs, the bytes in common taken off."""
    needed = [live_at(graph, order, k) for k in range(len(order))]
    saved = [0] * len(order)
    room: dict[int, int] = {}  # bytes of the output that can lie over any input at all
    for (read, written), overlaps in over(graph, order).items():
        a = aligned(graph.buffers[read].size_bytes, graph.alignment)
        b = aligned(graph.buffers[written].size_bytes, graph.alignment)
        most = 0
        first = b
        for d in range(-a, b + 1):
            if d % graph.alignment == 0 and any(allows(o, d) for o in overlaps):
                most = max(most, len(set(range(b)) & set(range(d, d + a))))
                first = min(first, max(0, d))
        k = order.index(overlaps[0].step)
        saved[k] += most
        room[k] = max(room.get(k, 0), b - first)
    return max(
        n - min(s, room.get(k, 0)) for k, (n, s) in enumerate(zip(needed, saved, strict=True))
    )


def best_peak(graph: StepGraph) -> int:
    return min(peak(graph, order) for order in all_orders(graph))


def smallest_arena(graph: StepGraph, order: Sequence[int], limit_bytes: int) -> int:
    """The smallest arena of any offsets, up to `limit_bytes`; sizes must need no rounding.

    Scratch of different steps never lives together: each has the lowest place that is free.
    """
    life, common = lives(graph, order), over(graph, order)
    unit = graph.alignment
    sizes = [buffer.size_bytes for buffer in graph.buffers]
    best = limit_bytes
    for offsets in product(*(range(0, limit_bytes - s + 1, unit) for s in sizes)):
        arena = max(o + s for o, s in zip(offsets, sizes, strict=True))
        if arena < best and _fits(offsets, sizes, life, common):
            scratch = [
                _scratch_end(graph, order, k, offsets, life) for k in range(len(graph.steps))
            ]
            best = min(best, max(arena, *scratch))
    return best


def _scratch_end(
    graph: StepGraph,
    order: Sequence[int],
    position: int,
    offsets: Sequence[int],
    life: Sequence[tuple[int, int]],
) -> int:
    """Where the scratch of the step at `position` ends, as low as it can lie; 0 without any."""
    size = graph.steps[order[position]].scratch_bytes
    taken: set[int] = set()
    for offset, buffer, (first, last) in zip(offsets, graph.buffers, life, strict=True):
        if first <= position <= last:
            taken |= set(range(offset, offset + buffer.size_bytes))
    start = 0
    while taken & set(range(start, start + size)):
        start += graph.alignment
    return start + size if size else 0


def _fits(
    offsets: Sequence[int],
    sizes: Sequence[int],
    life: Sequence[tuple[int, int]],
    common: dict[tuple[int, int], list[Overlap]],
) -> bool:
    for a in range(len(sizes)):
        for b in range(a):
            together = life[a][0] <= life[b][1] and life[b][0] <= life[a][1]
            apart = offsets[a] + sizes[a] <= offsets[b] or offsets[b] + sizes[b] <= offsets[a]
            if not together or apart:
                continue
            fine = any(
                allows(o, offsets[read] - offsets[written])
                for read, written in ((a, b), (b, a))
                for o in common.get((read, written), ())
            )
            if not fine:
                return False
    return True
