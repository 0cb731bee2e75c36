"""Which order, and which offsets, and what proves that no order needs less?

In: a `StepGraph`. Out: a `Plan`: the order of the steps, an offset for each
buffer and each step's scratch, what the plan predicts of the arena, and a floor
for every order with its proof.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from mcucomp.errors import InvalidInput, nearest_first
from mcucomp.memory import (
    Lifetime,
    StepGraph,
    lifetimes,
    live_bytes,
    permits,
    round_up,
)
from mcucomp.order import PLANNERS
from mcucomp.order.best_order import OrderResult, best_order
from mcucomp.order.bounds import Bound
from mcucomp.order.deadline import Deadline
from mcucomp.order.problem import Problem, problem_of
from mcucomp.order.witness import witnessed
from mcucomp.place import (
    EFFORTS,
    Block,
    Overlaps,
    Placement,
    Range,
    highest_byte,
    place,
    place_with_overlaps,
)
from mcucomp.place.drift import drift_bound
from mcucomp.place.integer_program import fits
from mcucomp.place.joint_program import solve_jointly

_JOINT_STEPS = 24  # with more, order and offsets together take longer than it is worth
_JOINT_BLOCKS = 60
_JOINT_WORK = 5.0  # the solver's measure, about seconds


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """planner: one of `PLANNERS`. time_limit_s: when to stop improving; None for no limit."""

    planner: str = "auto"
    time_limit_s: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """An order with offsets.

    `peak_bytes` is the live peak of the order, sizes rounded up to the
    alignment; `arena_bytes` what the arena must have; `high_water_bytes` the
    largest offset plus unrounded bytes, which is what a device measures.
    `scratch_offsets` has an entry a step, None where it needs no scratch.
    `forms` says how each step runs: with an overlap's form, or in its usual way.

    `floor` bounds the peak of every order, or its arena (steps and buffers by their index in
    the step graph); `floor_bytes` and `floor_kind` repeat it. `verdict` says
    what is known of `arena_bytes`: "proven" if the floor equals it and can be
    checked exactly, "claimed" if it equals it by a solver's word, else "open".
    `waists` holds (number of steps that have run, live bytes) where the graph
    falls apart; `timing` wall times in seconds, and states searched.
    """

    order: tuple[int, ...]
    offsets: tuple[int, ...]
    scratch_offsets: tuple[int | None, ...]
    forms: tuple[str, ...]
    alignment: int
    peak_bytes: int
    arena_bytes: int
    high_water_bytes: int
    floor_bytes: int | None = None
    floor_kind: str | None = None
    verdict: str = "open"
    rules: str = "orders"
    floor: Bound | None = None
    placer: str = ""
    waists: tuple[tuple[int, int], ...] = ()
    timing: dict[str, float] = field(default_factory=dict)


def plan(step_graph: StepGraph, options: PlanOptions = PlanOptions()) -> Plan:
    """The best order and placement that can be found, and what is proven of them.

    Raises:
        InvalidInput: the planner's name is unknown, or the steps form a circle.
    """
    if options.planner not in PLANNERS:
        raise InvalidInput(
            f"planner {options.planner} is not known",
            at="--planner",
            fix="known are " + ", ".join(nearest_first(options.planner, PLANNERS)),
        )
    deadline = Deadline(options.time_limit_s)
    started_s = time.monotonic()
    problem = problem_of(step_graph)
    result = best_order(problem, options.planner, deadline)
    floor = witnessed(problem, result.floor)
    ordered_s = time.monotonic()
    orders = [tuple(problem.steps[v] for v in order) for order in (result.order, *result.others)]
    order, placement, floor = _place_one_of(step_graph, orders, result.peak_bytes, floor, deadline)
    if options.planner != "file":
        order, placement = _place_jointly(
            step_graph, problem, (order, placement), result.peak_bytes, deadline
        )
    timing = {"order_s": ordered_s - started_s, "place_s": time.monotonic() - ordered_s}
    if floor.states:
        timing["states"] = floor.states
    return _plan(step_graph, order, placement, floor, _waists(result), timing)


def _with_drift(step_graph: StepGraph, floor: Bound, placement: Placement) -> Bound:
    """`floor`, or a chain's bound where the arena lies above it and the chain says more."""
    arena_bytes = round_up(placement.high_water_bytes, step_graph.alignment)
    if arena_bytes <= floor.bytes:
        return floor
    return drift_bound(step_graph, floor.bytes, arena_bytes) or floor


def _place_one_of(
    step_graph: StepGraph,
    orders: Sequence[tuple[int, ...]],
    peak_bytes: int,
    floor: Bound,
    deadline: Deadline,
) -> tuple[tuple[int, ...], Placement, Bound]:
    """Of orders with equal peak, the first whose arena meets it; else the smallest arena.

    And `floor`, or the bound of a chain that is above it: then meeting that is enough.
    """
    alignment, enough_bytes = step_graph.alignment, peak_bytes
    best: tuple[tuple[int, ...], Placement] | None = None
    for effort in EFFORTS:
        for order in orders[: effort.orders]:
            blocks, _ = blocks_of(step_graph, order)
            if step_graph.overlaps:
                overlaps = _overlaps_in(step_graph, order)
                placement = place_with_overlaps(
                    blocks, alignment, enough_bytes, overlaps, effort, deadline.left_s
                )
            else:
                placement = place(blocks, alignment, enough_bytes, effort, deadline.left_s)
            if best is None or placement.high_water_bytes < best[1].high_water_bytes:
                best = order, placement
            if round_up(best[1].high_water_bytes, alignment) <= enough_bytes or deadline.passed:
                return *best, floor
        assert best is not None
        if effort is EFFORTS[0]:
            floor = _with_drift(step_graph, floor, best[1])
            enough_bytes = max(enough_bytes, floor.bytes)
            if round_up(best[1].high_water_bytes, alignment) <= enough_bytes:
                break
    assert best is not None
    return *best, floor


def _overlaps_in(step_graph: StepGraph, order: Sequence[int]) -> Overlaps:
    """Between which buffers overlaps are there in this order, and at which distances."""
    position = {step: k for k, step in enumerate(order)}
    lives = lifetimes(step_graph, order)
    found: dict[tuple[int, int], list[Range]] = {}
    for o in step_graph.overlaps:
        k = position[o.step]
        dies = lives[o.read].end == k + 1 and not step_graph.buffers[o.read].held
        if dies and lives[o.written].start == k:
            allowed = Range(o.low_bytes, o.high_bytes, o.multiple_bytes)
            found.setdefault((o.read, o.written), []).append(allowed)
    return found


def _forms(step_graph: StepGraph, offsets: Sequence[int]) -> tuple[str, ...]:
    """For each step the first form that allows every overlap that its buffers have."""
    allowing: dict[int, dict[str, bool]] = {}
    for o in step_graph.overlaps:
        distance = offsets[o.read] - offsets[o.written]
        apart = (
            distance >= step_graph.buffers[o.written].size_bytes
            or distance <= -step_graph.buffers[o.read].size_bytes
        )
        forms = allowing.setdefault(o.step, {})
        fine = apart or permits(o, distance)
        forms[o.form] = forms.get(o.form, True) and fine
    result = [""] * len(step_graph.steps)
    for step, forms in allowing.items():
        result[step] = next((form for form in sorted(forms) if forms[form]), "")
    return tuple(result)


def _place_jointly(
    step_graph: StepGraph,
    problem: Problem,
    best: tuple[tuple[int, ...], Placement],
    peak_bytes: int,
    deadline: Deadline,
) -> tuple[tuple[int, ...], Placement]:
    """`best`, or an order of no larger peak with a smaller arena; for small graphs only."""
    arena_bytes = round_up(best[1].high_water_bytes, step_graph.alignment)
    small = len(step_graph.steps) <= _JOINT_STEPS and len(step_graph.buffers) <= _JOINT_BLOCKS
    # The joint program does not know of overlaps: with them its peak would be another one.
    if step_graph.overlaps or arena_bytes <= peak_bytes or not small or deadline.passed:
        return best
    solved = solve_jointly(
        step_graph, problem, peak_bytes, arena_bytes, work=_JOINT_WORK, limit_s=deadline.left_s
    )
    if solved is None:
        return best
    order, buffers, scratch = solved
    blocks, scratch_steps = blocks_of(step_graph, order)
    offsets = tuple(buffers.get(b, 0) for b in range(len(step_graph.buffers)))
    offsets += tuple(scratch[step] for step in scratch_steps)
    if not fits(blocks, step_graph.alignment, offsets):
        return best
    found = Placement(offsets, highest_byte(blocks, offsets), "joint program")
    return (order, found) if found.high_water_bytes < best[1].high_water_bytes else best


def blocks_of(step_graph: StepGraph, order: Sequence[int]) -> tuple[list[Block], list[int]]:
    """What must be placed: a block for each buffer, then one for each step with scratch."""
    blocks = [
        Block(buffer.size_bytes, life)
        for buffer, life in zip(step_graph.buffers, lifetimes(step_graph, order), strict=True)
    ]
    position = {step: k for k, step in enumerate(order)}
    scratch_steps = [s for s in order if step_graph.steps[s].scratch_bytes]
    blocks += [
        Block(step_graph.steps[s].scratch_bytes, Lifetime(position[s], position[s] + 1))
        for s in scratch_steps
    ]
    return blocks, scratch_steps


def _plan(
    step_graph: StepGraph,
    order: tuple[int, ...],
    placement: Placement,
    floor: Bound,
    waists: tuple[tuple[int, int], ...],
    timing: dict[str, float],
) -> Plan:
    count = len(step_graph.buffers)
    _, scratch_steps = blocks_of(step_graph, order)
    scratch_offset = dict(zip(scratch_steps, placement.offsets[count:], strict=True))
    arena_bytes = round_up(placement.high_water_bytes, step_graph.alignment)
    peak_bytes = max(live_bytes(step_graph, order), default=floor.bytes)
    bounded_bytes = arena_bytes if floor.chain else peak_bytes
    assert floor.bytes <= bounded_bytes, (floor.bytes, peak_bytes, arena_bytes)
    assert peak_bytes <= arena_bytes, (peak_bytes, arena_bytes)
    verdict = "open"
    if floor.bytes == arena_bytes:
        verdict = "claimed" if floor.kind == "ilp" else "proven"
    return Plan(
        order=order,
        offsets=placement.offsets[:count],
        forms=_forms(step_graph, placement.offsets[:count]),
        rules=step_graph.rules,
        scratch_offsets=tuple(scratch_offset.get(s) for s in range(len(step_graph.steps))),
        alignment=step_graph.alignment,
        peak_bytes=peak_bytes,
        arena_bytes=arena_bytes,
        high_water_bytes=placement.high_water_bytes,
        floor_bytes=floor.bytes,
        floor_kind=floor.kind,
        verdict=verdict,
        floor=floor,
        placer=placement.placer,
        waists=waists,
        timing=timing,
    )


def _waists(result: OrderResult) -> tuple[tuple[int, int], ...]:
    return tuple((ran.bit_count(), live) for ran, live in result.waists)


__all__ = ["PLANNERS", "Bound", "Plan", "PlanOptions", "blocks_of", "plan"]
