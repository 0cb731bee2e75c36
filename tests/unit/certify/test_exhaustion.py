"""The checker's own search finds an order exactly where there is one, in either direction."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcucomp.certify import exhaustion
from mcucomp.certify.exhaustion import Costs, Search, search_again
from mcucomp.errors import CheckFailed
from mcucomp.memory import Buffer, Step, StepGraph
from tests.oracle import brute_force
from tests.support.step_graphs import drawn_graph

graphs = st.integers(0, 2**32).map(lambda seed: drawn_graph(random.Random(seed)))


def precedence(graph: StepGraph) -> tuple[list[int], list[int]]:
    """All that must run before each step, and all that must run after it, from the definition."""
    before = [0] * len(graph.steps)
    for _ in graph.steps:
        for first, then in brute_force.pairs(graph):
            before[then] |= before[first] | 1 << first
    after = [sum(1 << w for w, b in enumerate(before) if b >> v & 1) for v in range(len(before))]
    return before, after


@settings(max_examples=200, deadline=None)
@given(graphs)
def test_there_is_an_order_within_the_least_peak_and_none_below(graph: StepGraph) -> None:
    least_bytes = brute_force.least_peak(graph)
    before, after = precedence(graph)
    assert search_again(graph, before, after, least_bytes - 1, "c") >= 1
    with pytest.raises(CheckFailed) as caught:
        search_again(graph, before, after, least_bytes, "c")
    assert str(caught.value) == f"plan.json: c.bytes: an order within {least_bytes:,} B exists"


@settings(max_examples=200, deadline=None)
@given(graphs)
def test_time_may_run_backwards(graph: StepGraph) -> None:
    least_bytes = brute_force.least_peak(graph)
    before, after = precedence(graph)
    if not Costs(graph, True).can_be_searched:
        return
    for budget_bytes, exists in ((least_bytes - 1, False), (least_bytes, True)):
        backwards = Search(Costs(graph, True), after, before, budget_bytes)
        if exists:
            with pytest.raises(CheckFailed, match="exists"):
                backwards.states(1 << 20, "c")
        else:
            assert backwards.states(1 << 20, "c")


def test_a_search_that_is_too_large_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustion, "LIMITS_STATES", (1, 3))
    # Only the middle step does not fit: hard to see from the start and from the end.
    steps = tuple(Step(f"s{k}", "STEP") for k in range(17))
    buffers = [Buffer(f"a{k}", 3 + k, (k,), (8,)) for k in range(8)]
    buffers += [Buffer(f"b{k}", 3 + k, (8,), (9 + k,)) for k in range(8)]
    graph = StepGraph(steps, tuple(buffers), (), 1)
    with pytest.raises(CheckFailed) as caught:
        search_again(graph, *precedence(graph), 103, "c")
    assert str(caught.value) == "plan.json: c: cannot be repeated within 3 states"
