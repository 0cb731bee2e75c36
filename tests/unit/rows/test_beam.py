"""Offsets that beams find: within the capacity, apart from each other, the same every time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mcucomp.memory import Buffer, Step, StepGraph
from mcucomp.rows.beam import beam_fit
from mcucomp.rows.closing import closer_placement
from mcucomp.rows.objects import Objects, grouped_parts, objects_of, parts_of

ALIGNMENT = 4


def drawn(seed: int, steps: int = 24) -> tuple[StepGraph, tuple[int, ...], int]:
    """A graph of buffers that each live for a few steps, its only order, and its live peak."""
    random = np.random.default_rng(seed)
    buffers = []
    live = np.zeros(steps, dtype=np.int64)
    for k in range(steps - 1):
        size_bytes = 4 * int(random.integers(1, 13))
        last = min(steps - 1, k + int(random.integers(1, 9)))
        buffers.append(Buffer(f"buffer {k}", size_bytes, (k,), (last,)))
        live[k : last + 1] += size_bytes
    chain = tuple((k, k + 1) for k in range(steps - 1))
    named = tuple(Step(f"step {k}", "ADD") for k in range(steps))
    graph = StepGraph(named, tuple(buffers), chain, alignment=ALIGNMENT)
    return graph, tuple(range(steps)), int(live.max())


def objects_from(graph: StepGraph, order: tuple[int, ...]) -> Objects:
    parts = parts_of(graph, order)
    return objects_of(graph, parts, grouped_parts(graph, parts, "equal"))


def highest_end(graph: StepGraph, order: tuple[int, ...], offsets: tuple[int, ...]) -> int:
    """The highest end; no two buffers that live together may share a byte."""
    lives = [(b.writers[0], b.readers[0]) for b in graph.buffers]
    spans = [(o, o + b.size_bytes) for o, b in zip(offsets, graph.buffers, strict=False)]
    for k in order:
        here = sorted(
            span for span, (first, last) in zip(spans, lives, strict=True) if first <= k <= last
        )
        assert all(low[1] <= high[0] for low, high in itertools.pairwise(here))
    return max(end for _, end in spans)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_found_fits_and_is_found_again(seed: int) -> None:
    graph, order, peak_bytes = drawn(seed)
    objects = objects_from(graph, order)
    capacity_bytes = peak_bytes * 5 // 4 // ALIGNMENT * ALIGNMENT
    fits = [beam_fit(objects, ALIGNMENT, capacity_bytes, draw) for draw in range(4)]
    found = [fit.offsets for fit in fits if fit.offsets is not None]
    assert found
    for offsets in found:
        assert all(offset % ALIGNMENT == 0 for offset in offsets)
        assert highest_end(graph, order, objects.offsets_of_parts(offsets)) <= capacity_bytes
    assert fits == [beam_fit(objects, ALIGNMENT, capacity_bytes, draw) for draw in range(4)]


def test_below_the_live_peak_nothing_fits_and_the_birth_is_named() -> None:
    graph, order, peak_bytes = drawn(1)
    objects = objects_from(graph, order)
    fit = beam_fit(objects, ALIGNMENT, peak_bytes - ALIGNMENT)
    assert fit.offsets is None
    assert fit.stuck is not None
    time, size_bytes = fit.stuck
    assert size_bytes == graph.buffers[fit.births].size_bytes
    assert graph.buffers[fit.births].writers == (time,)


def test_a_closer_placement_is_closer() -> None:
    closer = 0
    for seed in range(8):
        graph, order, peak_bytes = drawn(seed)
        loose_bytes = peak_bytes * 3 // 2
        placement = closer_placement(graph, order, peak_bytes, loose_bytes)
        assert placement is not None
        highest = highest_end(graph, order, placement.offsets)
        assert highest == placement.high_water_bytes < loose_bytes
        closer += placement.high_water_bytes * 20 <= peak_bytes * 21
    assert closer > 4


def test_planning_that_is_to_stop_has_no_closer_placement() -> None:
    graph, order, peak_bytes = drawn(0)
    assert closer_placement(graph, order, peak_bytes, peak_bytes * 2, lambda: True) is None


@pytest.mark.parametrize("more_bytes", [1, 3, 4, 5])
def test_between_neighbouring_capacities_nothing_is_looked_for(more_bytes: int) -> None:
    graph = StepGraph((Step("step", "ADD"),), (Buffer("buffer", 4, (0,), ()),), alignment=4)
    assert closer_placement(graph, (0,), 4, 4 + more_bytes) is None
