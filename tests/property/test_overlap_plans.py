"""Plans whose steps write over their inputs: floors, offsets and certificates by brute force."""

from __future__ import annotations

import copy
import random
from dataclasses import replace
from typing import Any

import pytest

from mcucomp.certify import certificate, check
from mcucomp.certify.digest import digest_of
from mcucomp.errors import CheckFailed
from mcucomp.memory import Buffer, Overlap, Step, StepGraph, lifetimes
from mcucomp.order import PLANNERS
from mcucomp.order.derived import mirrored
from mcucomp.order.problem import peak_of, problem_of
from mcucomp.planner import PlanOptions, plan
from tests.oracle import brute_overlap

SHA256 = "0" * 64
UNIT = 4


def drawn(draw: random.Random, steps: int, largest: int) -> StepGraph:
    """Each step reads one to three buffers and writes one; some overlaps, of every kind."""
    readers: dict[int, list[int]] = {0: []}
    overlaps = []
    sizes = [UNIT * draw.randint(1, largest) for _ in range(steps + 1)]
    for step in range(steps):
        inputs = draw.sample(range(step + 1), min(step + 1, draw.choice([1, 1, 2, 3])))
        readers[step + 1] = []
        for buffer in inputs:
            readers[buffer].append(step)
        forms = ["", "other"] if len(inputs) == 1 else [""]
        for buffer in inputs:
            for form in forms if draw.random() < 0.7 else []:
                overlaps.append(_overlap(draw, step, buffer, step + 1, form, largest))
    buffers = tuple(
        Buffer(f"b{k}", sizes[k], (k - 1,) if k else (), tuple(readers[k]),
               held=not readers[k] or draw.random() < 0.1)
        for k in range(steps + 1)
    )  # fmt: skip
    scratch = [UNIT * draw.choice([0, 0, 0, 1, 3]) for _ in range(steps)]
    return StepGraph(
        tuple(Step(f"s{k}", "STEP", scratch[k]) for k in range(steps)), buffers, (), UNIT,
        tuple(overlaps), "orders+overlap",
    )  # fmt: skip


def _overlap(
    draw: random.Random, step: int, read: int, written: int, form: str, largest: int
) -> Overlap:
    reach = draw.randint(-2 * UNIT, largest * UNIT)
    multiple = draw.choice([1, 1, 1, 8, 12])
    if form or draw.random() < 0.2:
        return Overlap(step, read, written, None, -reach, multiple, form)
    low = None if draw.random() < 0.1 else reach
    return Overlap(step, read, written, low, None, multiple, form)


def graphs(count: int, steps: int, largest: int, seed: int) -> list[StepGraph]:
    draw = random.Random(seed)
    return [drawn(draw, draw.randint(2, steps), largest) for _ in range(count)]


@pytest.mark.parametrize("planner", sorted(PLANNERS))
def test_no_floor_is_above_what_brute_force_finds(planner: str) -> None:
    gaps = 0
    for graph in graphs(30 if planner != "ilp" else 15, 6, 9, seed=3):
        found = plan(graph, PlanOptions(planner=planner))
        best = brute_overlap.best_peak(graph)
        assert found.floor_bytes is not None
        floor_bytes = best if found.floor_kind == "drift" else found.floor_bytes
        assert floor_bytes <= best <= found.peak_bytes
        assert found.peak_bytes == brute_overlap.peak(graph, found.order)
        gaps += found.peak_bytes != best
    if planner in ("auto", "search", "ilp"):
        assert not gaps, f"{gaps} plans have a larger peak than the best order"


def test_most_floors_meet_the_best_order() -> None:
    tight = [plan(g).floor_bytes == brute_overlap.best_peak(g) for g in graphs(30, 6, 9, seed=4)]
    assert sum(tight) >= 27


def test_backwards_no_order_costs_more() -> None:
    for graph in graphs(60, 6, 9, seed=6):
        problem = problem_of(graph)
        order = sorted(range(problem.count), key=lambda v: (problem.ancestors[v].bit_count(), v))
        assert peak_of(mirrored(problem), order[::-1]) <= peak_of(problem, order)


def test_placements_are_valid_and_seldom_larger_than_the_smallest() -> None:
    larger = 0
    for graph in graphs(12, 3, 3, seed=7):
        found = plan(graph)
        check(certificate(found, SHA256, graph), graph, SHA256)
        without_scratch = replace(graph, steps=tuple(Step(s.name, s.kind) for s in graph.steps))
        bare = plan(without_scratch)
        smallest = brute_overlap.smallest_arena(without_scratch, bare.order, bare.arena_bytes)
        larger += bare.arena_bytes > smallest
    assert larger <= 1


def test_certificates_of_larger_graphs_are_accepted() -> None:
    overlapping = 0
    for graph in graphs(40, 14, 40, seed=8):
        found = plan(graph)
        sentences = check(certificate(found, SHA256, graph), graph, SHA256)
        if found.verdict == "proven":
            assert sentences[-1].startswith("so under orders+overlap no order")
        lives = lifetimes(graph, found.order)
        overlapping += any(
            lives[a].start < lives[b].end
            and lives[b].start < lives[a].end
            and found.offsets[a] < found.offsets[b] + graph.buffers[b].size_bytes
            and found.offsets[b] < found.offsets[a] + graph.buffers[a].size_bytes
            for a in range(len(graph.buffers))
            for b in range(a)
        )
    assert overlapping > 20


CHAIN = StepGraph(
    (Step("a", "CONV"), Step("b", "CONV"), Step("c", "CONV")),
    (
        Buffer("in", 16, (), (0,)),
        Buffer("x", 16, (0,), (1, 2)),
        Buffer("y", 16, (1,), (2,)),
        Buffer("out", 8, (2,), (), held=True),
    ),
    (),
    4,
    (Overlap(0, 0, 1, 4), Overlap(1, 1, 2, 0), Overlap(2, 1, 3, 0), Overlap(2, 2, 3, 0)),
    "orders+overlap",
)


def document() -> dict[str, Any]:
    return certificate(plan(CHAIN), SHA256, CHAIN)


def refused(changed: dict[str, Any], graph: StepGraph = CHAIN) -> str:
    changed["digest"] = digest_of(changed)
    with pytest.raises(CheckFailed) as failure:
        check(changed, graph, SHA256)
    return str(failure.value)


def test_the_chain_is_proven() -> None:
    found = plan(CHAIN)
    # x and y cannot share, since c reads both; out may lie over one of them.
    assert (found.arena_bytes, found.verdict) == (32, "proven")
    check(document(), CHAIN, SHA256)


def test_an_overlap_that_the_operators_do_not_state_is_refused() -> None:
    changed = document()
    changed["overlaps"].append({**changed["overlaps"][0], "step": 1, "read": 1, "written": 3})
    assert refused(changed).startswith("plan.json: overlaps: is ")


def test_a_byte_less_than_the_clearance_is_refused() -> None:
    changed = document()
    low = changed["buffers"][1]["offset"]
    changed["buffers"][0]["offset"] = low
    message = refused(changed)
    assert "overlaps" in message
    assert "both are live at step 0, CONV, operator 1 of 3" in message


def test_an_overlap_with_a_reader_still_to_come_is_refused() -> None:
    changed = document()
    changed["buffers"][2]["offset"] = changed["buffers"][1]["offset"]
    assert "both are live at step 1, CONV" in refused(changed)


def test_another_form_is_another_permission() -> None:
    changed = document()
    for step in changed["steps"]:
        step["form"] = "other"
    assert "overlaps" in refused(changed)


def test_a_case_that_is_left_out_is_noticed() -> None:
    graph = StepGraph(
        (Step("a", "CONV"), Step("b", "CONV")),
        (
            Buffer("in", 16, (), (0,)),
            Buffer("x", 16, (0,), (1,)),
            Buffer("out", 4, (1,), (), held=True),
        ),
        (),
        4,
        (Overlap(0, 0, 1, 4),),
        "orders+overlap",
    )
    changed = certificate(plan(graph), SHA256, graph)
    (floor,) = changed["certificates"][0]["trap"]["floors"]
    assert floor["overlaps"] == [{"buffers": [0], "bytes": 20, "chains": []}]
    assert "chains" not in floor
    del floor["overlaps"]
    assert "leaves out that step 0 may write over buffer 0" in refused(changed, graph)


def test_a_saving_that_is_too_large_is_noticed() -> None:
    changed = copy.deepcopy(document())
    certified = changed["certificates"][0]
    for floor in certified["trap"]["floors"]:
        for case in floor.get("overlaps", []):
            case["bytes"] += 4
        floor["bytes"] += 4
    certified["bytes"] += 4
    changed["memory"]["floor_bytes"] += 4
    assert "the sum of its chains" in refused(changed)
