"""Step graphs of five families, drawn from a seed.

Every step writes one buffer; steps that nobody follows write outputs; steps
without a predecessor read an input. The families follow what planners are
usually tried on: random DAGs, series-parallel graphs, cells in the manner of
differentiable architecture search (Liu et al., 2019), chains with skips, and
small-world graphs (Watts and Strogatz, 1998) with every edge pointing forwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from mcucomp.memory import Buffer, Step, StepGraph

Predecessors = list[set[int]]


def graph_of(
    predecessors: Sequence[set[int]], draw: random.Random, unit_bytes: int, largest_units: int
) -> StepGraph:
    """A step graph whose step v reads what the steps of `predecessors[v]` write."""
    count = len(predecessors)
    readers: list[list[int]] = [[] for _ in range(count)]
    for step, before in enumerate(predecessors):
        for p in sorted(before):
            readers[p].append(step)
    buffers = [
        Buffer(
            f"value {v}",
            unit_bytes * draw.randint(1, largest_units),
            (v,),
            tuple(readers[v]),
            held=not readers[v],
        )
        for v in range(count)
    ]
    sources = tuple(v for v in range(count) if not predecessors[v])
    buffers.append(Buffer("input", unit_bytes * draw.randint(1, largest_units), (), sources))
    steps = tuple(Step(f"step {v}", "STEP") for v in range(count))
    return StepGraph(steps, tuple(buffers), (), unit_bytes)


def random_dag(count: int, draw: random.Random) -> StepGraph:
    """Each step reads one to three of the eight before it."""
    predecessors: Predecessors = [set()]
    for v in range(1, count):
        window = range(max(0, v - 8), v)
        wanted = draw.choice([1, 1, 1, 2, 2, 3])
        predecessors.append(set(draw.sample(window, min(wanted, len(window)))))
    return graph_of(predecessors, draw, 16, 64)


def series_parallel(count: int, draw: random.Random) -> StepGraph:
    """One step, split again and again: one after another, or side by side between two."""
    predecessors: Predecessors = []

    def build(size: int, before: set[int]) -> int:
        """Append `size` steps of which the first follows `before`; returns the last."""
        if size == 1:
            predecessors.append(set(before))
        elif size < 4 or draw.random() < 0.4:
            cut = draw.randint(1, size - 1)
            build(size - cut, {build(cut, before)})
        else:
            first = build(1, before)
            inner = size - 2
            branches = draw.randint(2, min(4, inner)) if inner > 1 else 1
            cuts = sorted(draw.sample(range(1, inner), branches - 1))
            sizes = [b - a for a, b in zip([0, *cuts], [*cuts, inner], strict=True)]
            build(1, {build(branch, {first}) for branch in sizes})
        return len(predecessors) - 1

    build(count, set())
    return graph_of(predecessors, draw, 16, 64)


def cells(count: int, draw: random.Random) -> StepGraph:
    """Cells of four sums of two earlier values each, joined at the end of the cell."""
    predecessors: Predecessors = [set(), {0}]
    outputs = [0, 1]
    while len(predecessors) < count:
        inside = outputs[-2:]
        sums = []
        for _ in range(4):
            operands = set()
            for source in draw.sample(inside, 2):
                operands.add(len(predecessors))
                predecessors.append({source})
            sums.append(len(predecessors))
            inside.append(len(predecessors))
            predecessors.append(operands)
        outputs.append(len(predecessors))
        predecessors.append(set(sums))
    return graph_of(predecessors[:count], draw, 64, 2)


def chain_with_skips(count: int, draw: random.Random) -> StepGraph:
    """Most steps follow the one before; some branch off earlier, some also read back."""
    predecessors: Predecessors = [set()]
    for v in range(1, count):
        before = {v - 1} if draw.random() < 0.75 else {draw.randint(max(0, v - 6), v - 1)}
        if draw.random() < 0.35:
            before.add(draw.randint(max(0, v - 10), v - 1))
        predecessors.append(before)
    return graph_of(predecessors, draw, 16, 64)


def small_world(count: int, draw: random.Random) -> StepGraph:
    """A ring in which each step knows its four nearest; three in four edges go elsewhere."""
    predecessors: Predecessors = [set() for _ in range(count)]
    for v in range(count):
        for distance in (1, 2):
            other = (v + distance) % count
            if draw.random() < 0.75:
                other = draw.randrange(count)
            if other != v:
                predecessors[max(v, other)].add(min(v, other))
    return graph_of(predecessors, draw, 16, 64)


FAMILIES: dict[str, Callable[[int, random.Random], StepGraph]] = {
    "random DAGs": random_dag,
    "series-parallel": series_parallel,
    "cells": cells,
    "chains with skips": chain_with_skips,
    "Watts-Strogatz": small_world,
}


def narrow_chain(count: int, draw: random.Random) -> StepGraph:
    """A long chain of small branching parts, all of whose orders pass the joints."""
    predecessors: Predecessors = [set()]
    while len(predecessors) < count:
        joint = len(predecessors) - 1
        ends = set()
        for _ in range(draw.randint(1, 4)):
            last = joint
            for _ in range(draw.randint(1, 4)):
                predecessors.append({last})
                last = len(predecessors) - 1
            ends.add(last)
        predecessors.append(ends)
    return graph_of(predecessors[:count], draw, 16, 64)
