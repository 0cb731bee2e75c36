"""Which plan in rows has the smallest arena, and what proves how little any has live?

In: a graph and its kernel calls. Out: `RowPlanned`: the row graph, an order with
offsets, a floor for every order of the row steps with its witness, and the same
plan as code generation wants it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from mcucomp.ir import Graph
from mcucomp.memory import StepGraph, Use, live_bytes, round_up
from mcucomp.memory.row_graph import RowModel, row_model
from mcucomp.order.bounds import Bound
from mcucomp.order.deadline import Deadline
from mcucomp.order.problem import Problem, problem_of
from mcucomp.order.witness import witnessed
from mcucomp.place import Placement
from mcucomp.planner import Plan
from mcucomp.rows.closing import closer_placement, is_far
from mcucomp.rows.floor import inputs_floor, row_floor
from mcucomp.rows.placement import place_rows
from mcucomp.rows.segments import Schedule, least_schedule, schedules, surely_live
from mcucomp.rows.types import RowPlan, RowStep
from mcucomp.rules import Rules

_NARROWING_TRIES = 3  # placements that are tried at each end
_NARROWING_ORDERS = 8  # orders that are looked for at each end


@dataclass(frozen=True, slots=True)
class RowPlanned:
    """A plan in rows. `segments` are operators that run together; `plan` is over `model`'s steps.

    `plan.floor` is of the graph with every operator in rows that can be: `floor_graph`.
    """

    model: RowModel
    plan: Plan
    floor_graph: StepGraph
    segments: tuple[tuple[int, ...], ...]
    row_plan: RowPlan


def plan_rows(
    graph: Graph,
    calls: Sequence[Use],
    alignment: int,
    *,
    io: str = "shared",
    rules: Rules = Rules(),
    streamed: Collection[int] | None = None,
    time_limit_s: float | None = None,
) -> RowPlanned:
    """Plan `graph`, of which operator i is lowered to `calls[i]`, in rows.

    streamed: positions of the operators that may run in rows; None for all that can.
    """
    deadline = Deadline(time_limit_s)
    started_s = time.monotonic()
    every = model = row_model(graph, calls, alignment, io=io, rules=rules)
    problem = problem_of(model.step_graph)
    found = schedules(problem, _operators(model, problem))
    floor = witnessed(problem, row_floor(problem, found[0]))
    if streamed is not None and not set(streamed) >= set(every.forms):
        model = row_model(graph, calls, alignment, io=io, rules=rules, streamed=streamed)
        in_rows, problem = problem, problem_of(model.step_graph)
        found = schedules(problem, _operators(model, problem))
        if found[0].peak_bytes < floor.bytes:  # an operator that is whole writes over more
            floor = witnessed(in_rows, inputs_floor(in_rows))
    ordered_s = time.monotonic()
    best = _placed(model, problem, found, deadline)

    def with_whole(kept: Collection[int]) -> RowModel:
        return row_model(graph, calls, alignment, io=io, rules=rules, streamed=kept)

    if not deadline.passed:
        best = _closer(_narrowed(best, floor, with_whole, deadline), deadline)
    timing = {"order_s": ordered_s - started_s, "place_s": time.monotonic() - ordered_s}
    plan = _plan(best, floor, timing)
    return RowPlanned(
        best.model,
        plan,
        every.step_graph,
        best.schedule.segments,
        row_plan(graph, best.model, plan),
    )


def least_peak_bytes(model: RowModel) -> int:
    """What the best schedule that is found first has live at most."""
    problem = problem_of(model.step_graph)
    return least_schedule(problem, _operators(model, problem)).peak_bytes


@dataclass(frozen=True, slots=True)
class _Placed:
    """A schedule with offsets: of the buffers, then of the scratch of `scratch_steps`."""

    model: RowModel
    problem: Problem
    schedule: Schedule
    placement: Placement
    scratch_steps: tuple[int, ...]

    @property
    def arena_bytes(self) -> int:
        return round_up(self.placement.high_water_bytes, self.model.step_graph.alignment)

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(self.problem.steps[v] for v in self.schedule.order)


def _operators(model: RowModel, problem: Problem) -> list[int]:
    """Whose step each step of the problem is."""
    return [model.steps[step][0] for step in problem.steps]


def _placed(
    model: RowModel, problem: Problem, found: Sequence[Schedule], deadline: Deadline
) -> _Placed:
    """The schedule with the smallest arena; of equal ones the first."""
    best: _Placed | None = None
    least_bytes = found[0].peak_bytes
    for schedule in found:
        if best is not None:
            if schedule.peak_bytes >= best.arena_bytes or deadline.passed:
                continue
            least_bytes = schedule.peak_bytes
        order = tuple(problem.steps[v] for v in schedule.order)
        placement, scratch_steps = place_rows(
            model.step_graph, order, least_bytes, lambda: deadline.passed
        )
        if best is None or placement.high_water_bytes < best.placement.high_water_bytes:
            best = _Placed(model, problem, schedule, placement, scratch_steps)
    assert best is not None
    return best


def _closer(placed: _Placed, deadline: Deadline) -> _Placed:
    """`placed`, in an arena closer to its live peak if that is far and beams find one."""
    least_bytes = placed.schedule.peak_bytes
    if not is_far(placed.arena_bytes, least_bytes) or deadline.passed:
        return placed
    placement = closer_placement(
        placed.model.step_graph,
        placed.order,
        least_bytes,
        placed.arena_bytes,
        lambda: deadline.passed,
    )
    return placed if placement is None else replace(placed, placement=placement)


def _narrowed(
    best: _Placed,
    floor: Bound,
    with_whole: Callable[[Collection[int]], RowModel],
    deadline: Deadline,
) -> _Placed:
    """`best`, with as many of the last and the first operators whole as the arena allows.

    Whole operators run faster, and need no table. Those that run with others in a segment
    stay in rows.
    """
    fused = best.schedule.fused
    for end in (1, -1):
        rows = sorted(best.model.forms)[::end]
        least = 1 + max((k for k, o in enumerate(rows) if o in fused), default=-1)
        tries = scheduled = 0
        for count in range(least, len(rows)):
            if deadline.passed or tries == _NARROWING_TRIES or scheduled == _NARROWING_ORDERS:
                break
            model = with_whole(rows[:count])
            problem = problem_of(model.step_graph)
            whole = [v for v, step in enumerate(problem.steps) if model.steps[step][1] is None]
            if any(surely_live(problem, v) > best.arena_bytes for v in whole):
                continue
            scheduled += 1
            schedule = least_schedule(problem, _operators(model, problem))
            if not floor.bytes <= schedule.peak_bytes <= best.arena_bytes:
                continue
            tries += 1
            found = _placed(model, problem, [schedule], deadline)
            if found.arena_bytes <= best.arena_bytes:
                best = found
                break
    return best


def _plan(placed: _Placed, floor: Bound, timing: dict[str, float]) -> Plan:
    step_graph, order, placement = placed.model.step_graph, placed.order, placed.placement
    count = len(step_graph.buffers)
    scratch = dict(zip(placed.scratch_steps, placement.offsets[count:], strict=True))
    peak_bytes = max(live_bytes(step_graph, order), default=floor.bytes)
    arena_bytes = placed.arena_bytes
    assert floor.bytes <= peak_bytes <= arena_bytes, (floor.bytes, peak_bytes, arena_bytes)
    return Plan(
        order=order,
        offsets=placement.offsets[:count],
        scratch_offsets=tuple(scratch.get(s) for s in range(len(step_graph.steps))),
        forms=("",) * len(step_graph.steps),
        alignment=step_graph.alignment,
        peak_bytes=peak_bytes,
        arena_bytes=arena_bytes,
        high_water_bytes=placement.high_water_bytes,
        floor_bytes=floor.bytes,
        floor_kind=floor.kind,
        verdict="proven" if floor.bytes == arena_bytes else "open",
        rules=step_graph.rules,
        floor=floor,
        placer=placement.placer,
        timing=timing,
    )


def row_plan(graph: Graph, model: RowModel, plan: Plan) -> RowPlan:
    """The plan by tensors and operators."""
    step_graph = model.step_graph
    row_offsets, tensor_offsets = {}, {}
    for tensor, buffers in model.row_buffers.items():
        if tensor in model.pieces:
            tensor_offsets[tensor] = plan.offsets[buffers[0]]
        row_offsets[tensor] = tuple(-1 if b < 0 else plan.offsets[b] for b in buffers)
    for tensor, buffer in model.tensor_buffers.items():
        tensor_offsets[tensor] = plan.offsets[buffer] + model.place_in_buffer[tensor]
    return RowPlan(
        steps=tuple(RowStep(*model.steps[s]) for s in plan.order),
        row_offsets=row_offsets,
        tensor_offsets=tensor_offsets,
        scratch_offsets=tuple(
            plan.scratch_offsets[s] if step_graph.steps[s].scratch_bytes else None
            for s in plan.order
        ),
        state_offsets={k: plan.offsets[b] for k, b in model.state_buffers.items()},
        arena_bytes=plan.arena_bytes,
        streamed_inputs=tuple(model.streamed_inputs),
    )
