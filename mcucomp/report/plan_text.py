"""A plan, told to a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcucomp.errors import printable
from mcucomp.fit import live_at, peak_position
from mcucomp.memory import StepGraph
from mcucomp.planner import Plan
from mcucomp.report.terminal import stdout
from mcucomp.report.witness_text import witness_text

if TYPE_CHECKING:
    from mcucomp.planning import GraphPlan, ModelPlan
    from mcucomp.rows.plan import RowPlanned

_MOST_ROWS = 12

_MEANING = {
    "proven": "no order of these operators has a smaller arena; 'check-plan' can verify it",
    "claimed": "no order has a smaller arena, if the solver is to be believed",
    "open": "a smaller arena may exist",
}


def plan_text(planned: ModelPlan) -> None:
    """Print order, peak, arena, floor and verdict of every graph."""
    stdout().print(f"{printable(planned.model.source)}: {_counted(planned.main)}")
    _print_graph(planned.main)
    for index, graph in enumerate(planned.graphs[1:], start=1):
        stdout().print(f"graph {index}: {_counted(graph)}")
        _print_graph(graph)


def _counted(graph: GraphPlan) -> str:
    count = len(graph.plan.order)
    text = f"{count} operator{'' if count == 1 else 's'}"
    if graph.rows is not None:
        operators = len({k for k, _ in graph.rows.model.steps if k >= 0})
        in_rows = len(graph.rows.model.forms)
        text = f"{operators} operators, {in_rows} of them in rows, {count} steps"
    return text + (f", {graph.unknown} of them of unknown scratch" if graph.unknown else "")


def _print_graph(graph: GraphPlan) -> None:
    plan, step_graph = graph.plan, graph.memory.step_graph
    line = stdout().print
    line(f"arena      {plan.arena_bytes:,} B ({plan.placer})")
    line(f"verdict    {plan.verdict}: {_MEANING[plan.verdict]}")
    line(f"floor      {_floor(plan)}")
    for sentence in witness_text(plan, graph.floor_graph):
        line(f"           {sentence}")
    if step_graph.steps:
        position = peak_position(step_graph, plan)
        kind = step_graph.steps[plan.order[position]].kind
        line(f"live peak  {plan.peak_bytes:,} B at step {position}, {kind}:")
        for row in peak_rows(plan, step_graph):
            line(f"           {row}")
    if graph.rows is None:
        line(f"order      {order_text(plan.order)}")
    else:
        line(f"order      {segments_text(graph.rows)}")


def peak_rows(plan: Plan, step_graph: StepGraph) -> list[str]:
    """What is live at the peak, largest first; of many, the largest and how many more."""
    rows = live_at(step_graph, plan, peak_position(step_graph, plan))
    if len(rows) > _MOST_ROWS:
        rows = [*rows[: _MOST_ROWS - 1], f"and {len(rows) - _MOST_ROWS + 1} smaller ones"]
    return rows


def _floor(plan: Plan) -> str:
    if plan.floor_bytes is None:
        return "none"
    text = f"{plan.floor_bytes:,} B ({plan.floor_kind})"
    gap_bytes = plan.arena_bytes - plan.floor_bytes
    return text + (f", {gap_bytes:,} B below the arena" if gap_bytes else "")


def segments_text(rows: RowPlanned) -> str:
    """Which operators run together row by row: `0-3 together, 4-7 together, 8, 9`."""
    parts = []
    for segment in rows.segments:
        if len(segment) == 1:
            parts.append(f"{segment[0]}")
        else:
            parts.append(f"{order_text(segment, in_file=False)} together")
    return ", ".join(parts)


def order_text(order: Sequence[int], *, in_file: bool = True) -> str:
    """Operators by their number in the file, runs drawn together: `0-4, 7, 5-6`."""
    if in_file and list(order) == list(range(len(order))):
        return "as in the file"
    runs: list[list[int]] = []
    for step in order:
        if runs and step == runs[-1][1] + 1:
            runs[-1][1] = step
        else:
            runs.append([step, step])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def budget_details(plan: Plan, step_graph: StepGraph, budget_bytes: int) -> list[str]:
    """Whether no order fits the budget, or only this plan does not, and what makes the peak."""
    details = []
    if step_graph.steps:
        position = peak_position(step_graph, plan)
        kind = step_graph.steps[plan.order[position]].kind
        live = ", ".join(peak_rows(plan, step_graph))
        details.append(f"peak is at step {position}, {kind}: {live}")
    floor_bytes = plan.floor_bytes or 0
    if floor_bytes > budget_bytes and plan.floor_kind != "ilp":
        details.append(
            f"no order of these operators needs less than {floor_bytes:,} B ({plan.floor_kind})"
        )
    else:
        details.append(
            f"this plan does not fit; that none does is not proven (floor {floor_bytes:,} B)"
        )
    return details
