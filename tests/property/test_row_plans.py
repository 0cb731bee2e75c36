"""Plans in rows: run in an arena that knows whose its bytes are, and against brute force."""

from __future__ import annotations

import copy
import dataclasses
import functools
import json

import numpy as np
import pytest

from mcucomp.certify.digest import digest_of
from mcucomp.errors import CheckFailed
from mcucomp.ir import Graph, Model
from mcucomp.memory import TensorUse, uses_of
from mcucomp.memory.row_graph import STREAMED_INPUT, row_model
from mcucomp.ops import KernelCall
from mcucomp.order.problem import problem_of
from mcucomp.planning import ModelPlan, check_document, plan_document, plan_graphs
from mcucomp.rewrite import rewrite
from mcucomp.rows.plan import RowPlanned, plan_rows, row_plan
from mcucomp.rows.segments import surely_live
from mcucomp.rows.types import RowPlan
from mcucomp.rules import parse
from tests.oracle import brute_overlap
from tests.support.drawn_graphs import draw_images
from tests.support.row_arena import ArenaError, RowArena

RULES = parse("all,rows")
MUTATED = 4
MOST_STEPS = 10  # for brute force
SEEDS = range(40)
SHARED = "shared"


def drawn(
    seed: int, operators: tuple[int, int] = (3, 14), heights: tuple[int, int] = (3, 14)
) -> Graph:
    return rewrite(draw_images(seed, operators, heights), RULES).graphs[0]


def uses_in(graph: Graph) -> tuple[TensorUse, ...]:
    return uses_of(Model("drawn.tflite", "0" * 64, (graph,)))


def calls_of(graph: Graph) -> list[KernelCall]:
    calls = [use.call for use in uses_in(graph)]
    assert all(call is not None for call in calls)
    return [call for call in calls if call is not None]


def run(graph: Graph, planned: RowPlanned, plan: RowPlan | None = None) -> int:
    return RowArena(graph, calls_of(graph), planned.model.forms, plan or planned.row_plan).run()


@pytest.mark.parametrize("io", [SHARED, STREAMED_INPUT])
@pytest.mark.parametrize("alignment", [1, 4, 16])
def test_drawn_graphs_run_in_their_arenas(alignment: int, io: str) -> None:
    streamed = 0
    for seed in SEEDS:
        graph = drawn(seed)
        planned = plan_rows(graph, uses_in(graph), alignment, io=io, rules=RULES)
        plan = planned.plan
        assert run(graph, planned) == plan.high_water_bytes, seed
        assert plan.floor_bytes is not None
        assert plan.floor_bytes <= plan.peak_bytes <= plan.arena_bytes
        streamed += any(len(segment) > 1 for segment in planned.segments)
    assert streamed > 4


def test_a_few_operators_in_rows_do_too() -> None:
    for seed in SEEDS:
        graph = drawn(seed)
        possible = sorted(row_model(graph, uses_in(graph), 4, rules=RULES).possible)
        chosen = possible[seed % 2 :: 2]
        planned = plan_rows(graph, uses_in(graph), 4, rules=RULES, streamed=chosen)
        assert set(planned.model.forms) <= set(chosen)
        assert run(graph, planned) == planned.plan.high_water_bytes, seed


def test_no_order_needs_less_than_the_floor() -> None:
    met = small = 0
    for seed in range(120):
        graph = drawn(seed, (1, 4), (2, 4))
        planned = plan_rows(graph, uses_in(graph), 1, rules=RULES)
        steps = planned.model.step_graph
        if len(steps.steps) > MOST_STEPS:
            continue
        small += 1
        best = brute_overlap.best_peak(steps)
        assert planned.plan.floor_bytes is not None
        assert planned.plan.floor_bytes <= best <= planned.plan.peak_bytes, seed
        problem = problem_of(steps)
        assert all(surely_live(problem, v) <= best for v in range(problem.count)), seed
        met += planned.plan.floor_bytes == planned.plan.peak_bytes
    assert small > 20
    assert met > small * 0.9


@functools.cache
def streamed_models() -> tuple[Model, ...]:
    """Models that are planned in rows because that takes less."""
    found = []
    for seed in range(200):
        model = draw_images(seed, (6, 12), (8, 14))
        if plan_graphs(model, 4, rules=RULES).main.rows is not None:
            found.append(model)
        if len(found) == MUTATED:
            break
    return tuple(found)


def mutated(planned: ModelPlan, random: np.random.Generator) -> tuple[int, int]:
    """A buffer of a plan, and another offset for it."""
    buffers = planned.main.memory.step_graph.buffers
    k = int(random.integers(len(buffers)))
    offset = planned.main.plan.offsets[k]
    while offset == planned.main.plan.offsets[k]:
        offset = int(random.integers(planned.main.plan.arena_bytes // 4)) * 4
    return k, offset


@pytest.mark.parametrize("number", range(MUTATED))
def test_a_plan_that_loses_a_row_is_refused(number: int) -> None:
    model = streamed_models()[number]
    planned = plan_graphs(model, 4, rules=RULES)
    rows = planned.main.rows
    assert rows is not None
    document = json.loads(json.dumps(plan_document(planned)))
    check_document(document, model)
    random = np.random.default_rng(number)
    lost = 0
    for _ in range(40):
        k, offset = mutated(planned, random)
        offsets = list(planned.main.plan.offsets)
        offsets[k] = offset
        plan = dataclasses.replace(planned.main.plan, offsets=tuple(offsets))
        try:
            run(planned.model.graphs[0], rows, row_plan(planned.model.graphs[0], rows.model, plan))
        except ArenaError:
            lost += 1
            changed = copy.deepcopy(document)
            changed["buffers"][k]["offset"] = offset
            changed["digest"] = digest_of(changed)
            with pytest.raises(CheckFailed):
                check_document(changed, model)
    assert lost > 10


def test_an_order_that_runs_a_row_too_early_is_refused() -> None:
    model = streamed_models()[0]
    document = json.loads(json.dumps(plan_document(plan_graphs(model, 4, rules=RULES))))
    order = document["order"]
    for k in range(len(order) - 1):
        changed = copy.deepcopy(document)
        changed["order"][k : k + 2] = order[k + 1], order[k]
        changed["digest"] = digest_of(changed)
        with pytest.raises(CheckFailed):
            check_document(changed, model)


def test_a_list_of_other_operators_in_rows_is_refused() -> None:
    model = streamed_models()[0]
    document = json.loads(json.dumps(plan_document(plan_graphs(model, 4, rules=RULES))))
    for listed, what in (
        (None, "does not list the operators that run in rows"),
        ([*document["in_rows"], 10_000], "names operators that cannot run in rows, or twice"),
        ([*document["in_rows"], *document["in_rows"]], "names operators that cannot run in rows"),
    ):
        with pytest.raises(CheckFailed, match=what):
            check_document({**document, "in_rows": listed}, model)
    with pytest.raises(CheckFailed, match="steps"):
        check_document({**document, "in_rows": document["in_rows"][1:]}, model)
