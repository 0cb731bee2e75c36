"""Order and offsets together, against every order with every placement."""

from __future__ import annotations

import random

import pytest

from mcucomp import planner
from mcucomp.memory import Buffer, Step, StepGraph, round_up
from mcucomp.order.problem import problem_of
from mcucomp.place import Effort, quick_placement
from mcucomp.place.joint_program import solve_jointly
from mcucomp.place.level_search import level_search
from mcucomp.planner import blocks_of, plan
from tests.oracle import brute_force
from tests.support.step_graphs import drawn_graph
from tests.unit.place.test_constraint_solver import GAP, overlaps


def gap_graph(*loose: int) -> StepGraph:
    """`GAP` as the buffers of a chain of steps, of which some need not follow the one before."""
    steps = max(block.lifetime.end for block in GAP)
    buffers = []
    for number, block in enumerate(GAP):
        first, last = block.lifetime.start, block.lifetime.end - 1
        readers = (last,) if last > first else ()
        buffers.append(Buffer(f"b{number}", block.size_bytes, (first,), readers))
    return StepGraph(
        tuple(Step(f"s{k}", "STEP") for k in range(steps)),
        tuple(buffers),
        tuple((k, k + 1) for k in range(steps - 1) if k not in loose),
        1,
    )


def least_arena(graph: StepGraph) -> int:
    """Over all orders of least peak, the least arena."""
    peak_bytes = brute_force.least_peak(graph)
    arenas = []
    for order in brute_force.all_orders(graph):
        if brute_force.peak(graph, order) == peak_bytes:
            blocks, _ = blocks_of(graph, order)
            capacity_bytes = peak_bytes
            while level_search(blocks, graph.alignment, capacity_bytes, 100_000).offsets is None:
                capacity_bytes += graph.alignment
            arenas.append(capacity_bytes)
    return min(arenas)


@pytest.mark.parametrize("loose", [(2, 5), (4, 6)])
def test_another_order_reaches_the_peak_where_the_first_ones_do_not(loose: tuple[int, ...]) -> None:
    graph = gap_graph(*loose)
    made = plan(graph)
    assert (made.peak_bytes, made.arena_bytes, made.verdict) == (9, 9, "proven")
    assert made.placer == "joint program"
    blocks, _ = blocks_of(graph, made.order)
    assert not overlaps(blocks, made.offsets)
    assert brute_force.peak(graph, made.order) == 9 == least_arena(graph)


def test_where_one_order_is_all_there_is_the_gap_stays() -> None:
    made = plan(gap_graph())
    assert (made.peak_bytes, made.arena_bytes, made.verdict) == (9, 10, "open")
    assert solve_jointly(gap_graph(), problem_of(gap_graph()), 9, 10, work=1.0) is None


def test_it_is_as_good_as_all_orders_and_never_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one first fit of one order before it, so that it has something to do."""
    monkeypatch.setattr(planner, "EFFORTS", (Effort(0, 0, 0, 1),))
    worked = 0
    graphs = [drawn_graph(random.Random(seed), 6) for seed in range(250)]
    for graph in [*graphs, gap_graph(3), gap_graph(4)]:
        made = plan(graph)
        blocks, scratch_steps = blocks_of(graph, made.order)
        offsets = made.offsets + tuple(made.scratch_offsets[s] or 0 for s in scratch_steps)
        assert not overlaps(blocks, offsets)
        assert made.peak_bytes == brute_force.least_peak(graph)
        if made.placer == "joint program":
            worked += 1
            assert made.arena_bytes == least_arena(graph)
        else:
            quick = quick_placement(blocks, graph.alignment)
            assert made.arena_bytes == round_up(quick.high_water_bytes, graph.alignment)
            assert made.arena_bytes == least_arena(graph)
    assert worked >= 2


def test_a_peak_that_no_order_has_is_not_exceeded() -> None:
    graph = gap_graph(2, 5)
    assert solve_jointly(graph, problem_of(graph), 8, 12, work=5.0) is None
    assert solve_jointly(graph, problem_of(graph), 9, 12, work=5.0) is not None
