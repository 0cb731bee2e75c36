"""Every number of the planner against all orders, and every certificate against the checker."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcucomp.certify import certificate, check
from mcucomp.memory import StepGraph
from mcucomp.order.cuts import least_during
from mcucomp.order.derived import mirrored
from mcucomp.order.forced_precedence import force
from mcucomp.order.integer_program import solve_order
from mcucomp.order.problem import bits, peak_of, problem_of
from mcucomp.order.search import search
from mcucomp.order.traps import forward_trap, reverse_trap
from mcucomp.planner import PlanOptions, plan
from tests.oracle import brute_force
from tests.support.step_graphs import drawn_graph

NO_LIMIT = 1 << 60
SHA256 = "0" * 64

graphs = st.integers(0, 2**32).map(lambda seed: drawn_graph(random.Random(seed)))
small_graphs = st.integers(0, 2**32).map(lambda seed: drawn_graph(random.Random(seed), 5))


@settings(max_examples=300, deadline=None)
@given(graphs)
def test_the_plan_is_the_best_of_all_orders_and_its_certificate_holds(graph: StepGraph) -> None:
    made = plan(graph)
    least_bytes = brute_force.least_peak(graph)
    assert made.peak_bytes == least_bytes == made.floor_bytes
    assert brute_force.peak(graph, made.order) == least_bytes
    document = json.loads(json.dumps(certificate(made, SHA256, graph)))
    assert check(document, graph, SHA256)
    assert made.verdict == ("proven" if made.arena_bytes == least_bytes else "open")


@settings(max_examples=150, deadline=None)
@given(graphs)
def test_an_order_costs_the_same_in_every_form(graph: StepGraph) -> None:
    problem = problem_of(graph)
    order = next(brute_force.all_orders(graph))
    numbers = [problem.steps.index(step) for step in order]
    peak_bytes = brute_force.peak(graph, order)
    assert peak_of(problem, numbers) == peak_bytes
    assert peak_of(mirrored(problem), numbers[::-1]) == peak_bytes


@settings(max_examples=150, deadline=None)
@given(small_graphs)
def test_a_cut_is_the_least_over_all_downsets(graph: StepGraph) -> None:
    problem = problem_of(graph)
    downsets = brute_force.downsets(graph)
    for v in range(problem.count):
        needed = {problem.steps[u] for u in bits(problem.ancestors[v])}
        allowed = [d for d in downsets if needed <= d and problem.steps[v] not in d]
        least_bytes = min(brute_force.during(graph, d, problem.steps[v]) for d in allowed)
        cut = least_during(problem, v, 0, 0, chains=True)
        # What is live at the first position alone is counted only where nothing else can run.
        assert cut.live_bytes <= least_bytes <= cut.live_bytes + problem.first_bytes
        used: dict[int, int] = {}
        for size_bytes, items in cut.chains:
            for item in items:
                used[item] = used.get(item, 0) + size_bytes
        assert all(size <= problem.items[item].size_bytes for item, size in used.items())


@settings(max_examples=60, deadline=None)
@given(small_graphs)
def test_growth_finds_the_best_trap_of_all_sets(graph: StepGraph) -> None:
    problem = problem_of(graph)
    trap = forward_trap(problem, 0, NO_LIMIT)
    best_bytes = brute_force.best_forward_trap(graph)
    found_bytes = 0 if trap is None else trap.bytes
    assert found_bytes <= best_bytes <= found_bytes + problem.first_bytes


@settings(max_examples=200, deadline=None)
@given(graphs)
def test_no_bound_is_above_the_best_order(graph: StepGraph) -> None:
    problem = problem_of(graph)
    least_bytes = brute_force.least_peak(graph)
    for trap in (forward_trap(problem, 0, NO_LIMIT), reverse_trap(problem, 0, NO_LIMIT)):
        assert trap is None or trap.bytes <= least_bytes
    assert force(problem, least_bytes, 10_000).bound is None
    forced = force(problem, least_bytes - 1, 10_000).bound
    assert forced is None or least_bytes - 1 < forced.bytes <= least_bytes


@settings(max_examples=200, deadline=None)
@given(graphs)
def test_the_search_finds_the_best_and_refutes_less(graph: StepGraph) -> None:
    problem = problem_of(graph)
    least_bytes = brute_force.least_peak(graph)
    found = search(problem, least_bytes, 1_000_000)
    assert found.order is not None
    assert peak_of(problem, found.order) == least_bytes
    refuted = search(problem, least_bytes - 1, 1_000_000)
    assert refuted.exhausted
    assert refuted.least_refused_bytes <= least_bytes


@settings(max_examples=25, deadline=None)
@given(small_graphs)
def test_the_integer_program_agrees_with_all_orders(graph: StepGraph) -> None:
    problem = problem_of(graph)
    least_bytes = brute_force.least_peak(graph)
    solved = solve_order(problem, list(range(problem.count)), 0)
    assert solved.claimed_bytes == least_bytes
    assert solved.order is not None
    assert peak_of(problem, solved.order) == least_bytes


@pytest.mark.parametrize("planner", ["auto", "traps", "search", "ilp", "file"])
def test_every_planner_is_sound_and_repeatable(planner: str) -> None:
    for seed in range(12):
        graph = drawn_graph(random.Random(seed))
        made = plan(graph, PlanOptions(planner=planner))
        again = plan(graph, PlanOptions(planner=planner))
        assert (made.order, made.offsets, made.floor) == (again.order, again.offsets, again.floor)
        least_bytes = brute_force.least_peak(graph)
        assert made.floor_bytes is not None
        assert made.floor_bytes <= least_bytes <= made.peak_bytes <= made.arena_bytes
        if planner in ("auto", "search", "ilp"):
            assert made.peak_bytes == least_bytes
        document = json.loads(json.dumps(certificate(made, SHA256, graph)))
        assert check(document, graph, SHA256)
