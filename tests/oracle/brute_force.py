"""Slow, obvious answers for small step graphs. Shares no code with what it tests.

Everything is worked out from the definition: a buffer is live at a position if
it lies between the first and the last position of the steps that touch it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from mcucomp.memory.types import StepGraph


def pairs(graph: StepGraph) -> set[tuple[int, int]]:
    """Which step must run directly before which."""
    result = set(graph.precedence)
    for buffer in graph.buffers:
        for writer in buffer.writers:
            result |= {(writer, reader) for reader in buffer.readers if reader != writer}
    return result


def all_orders(graph: StepGraph) -> Iterator[tuple[int, ...]]:
    """Every order that obeys every pair."""
    required = pairs(graph)
    count = len(graph.steps)

    def extend(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(order) == count:
            yield order
        for step in range(count):
            if step not in order and all(b in order for b, a in required if a == step):
                yield from extend((*order, step))

    yield from extend(())


def aligned(size_bytes: int, alignment: int) -> int:
    while size_bytes % alignment:
        size_bytes += 1
    return size_bytes


def live_at(graph: StepGraph, order: Sequence[int], position: int) -> int:
    """Bytes live while the step at `position` runs."""
    total = aligned(graph.steps[order[position]].scratch_bytes, graph.alignment)
    for buffer in graph.buffers:
        places = [order.index(s) for s in (*buffer.writers, *buffer.readers)]
        if not buffer.writers or buffer.from_start:
            places.append(0)
        if buffer.held:
            places.append(len(order) - 1)
        if min(places) <= position <= max(places):
            total += aligned(buffer.size_bytes, graph.alignment)
    return total


def peak(graph: StepGraph, order: Sequence[int]) -> int:
    return max(live_at(graph, order, k) for k in range(len(order)))


def least_peak(graph: StepGraph) -> int:
    """The least peak of any order."""
    return min(peak(graph, order) for order in all_orders(graph))


def downsets(graph: StepGraph) -> list[frozenset[int]]:
    """Every set of steps that holds what must precede its members."""
    required = pairs(graph)
    everything = range(len(graph.steps))
    return [
        frozenset(chosen)
        for size in range(len(graph.steps) + 1)
        for chosen in combinations(everything, size)
        if all(before in chosen for before, after in required if after in chosen)
    ]


def during(graph: StepGraph, ran: frozenset[int], step: int) -> int:
    """Bytes live while `step` runs after exactly `ran`."""
    total = aligned(graph.steps[step].scratch_bytes, graph.alignment)
    for buffer in graph.buffers:
        touched = {*buffer.writers, *buffer.readers}
        begun = not buffer.writers or buffer.from_start or touched & ran
        kept = buffer.held or touched - ran
        unread = not touched and not buffer.held
        live = not ran if unread else step in touched or bool(begun and kept)
        if live:
            total += aligned(buffer.size_bytes, graph.alignment)
    return total


def best_forward_trap(graph: StepGraph) -> int:
    """The largest bound of any set of steps that one of them must enter first."""
    count = len(graph.steps)
    states = downsets(graph)
    best = 0
    for size in range(1, count + 1):
        for chosen in combinations(range(count), size):
            least = None
            for step in chosen:
                for ran in states:
                    ready = all(b in ran for b, a in pairs(graph) if a == step)
                    if ready and not ran & set(chosen):
                        cost = during(graph, ran, step)
                        least = cost if least is None else min(least, cost)
            if least is not None:
                best = max(best, least)
    return best
