"""Is a model planned in rows, and which of its operators are?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from mcucomp.backends import Choice, Optimize
from mcucomp.errors import InvalidInput
from mcucomp.ir import Model
from mcucomp.memory import MemoryModel, TensorUse, unknown_scratch, uses_of
from mcucomp.memory.row_graph import STREAMED_INPUT, RowModel, row_model
from mcucomp.ops import KernelCall
from mcucomp.planner import PlanOptions
from mcucomp.planning.types import Asked, GraphPlan
from mcucomp.planning.uses import choices_of, states_of, uses_in
from mcucomp.rows import worth
from mcucomp.rows.plan import least_peak_bytes, plan_rows


def may_run_in_rows(model: Model, use: TensorUse) -> bool:
    """Whether rows are looked at at all: for one graph, which keeps no state.

    Nor may its inputs and outputs be anything but parts of the arena, nor its rows be more than
    can be planned in minutes.
    """
    graph = model.graphs[0]
    written = [graph.tensors[t] for operator in graph.operators for t in operator.outputs]
    if sum(t.shape[1] for t in written if len(t.shape) in (3, 4)) > _MOST_ROWS:
        return False
    edges = [graph.tensors[t] for t in (*graph.inputs, *graph.outputs)]
    elsewhere = any(tensor.is_constant or tensor.is_variable for tensor in edges)
    return len(model.graphs) == 1 and not use.updates and not elsewhere


def better_in_rows(
    model: Model,
    asked: Asked,
    options: PlanOptions,
    whole: GraphPlan,
    choices: Sequence[Choice],
) -> GraphPlan:
    """A plan in rows where it is better by the rules that were asked for, else `whole`.

    `choices` are those of all operators for `whole`.
    """
    if asked.rules.rows:
        in_rows = _plan_in_rows(model, asked, options)
        return in_rows if in_rows.plan.arena_bytes < whole.plan.arena_bytes else whole
    optimize = None if asked.selection is None else asked.selection.wanted.optimize
    limit_bytes = asked.arena_limit_bytes
    asked = replace(asked, rules=replace(asked.rules, rows=True, free_rows=False))
    if limit_bytes is not None and whole.plan.arena_bytes > limit_bytes:
        return _fitting_in_rows(model, asked, options, limit_bytes) or whole
    if optimize is not Optimize.BALANCED:
        return whole
    calls = [choice.call for choice in choices]
    most_bytes = worth.MOST_ARENA * whole.plan.arena_bytes
    streamed = _as_fast_in_rows(model, asked, calls, most_bytes)
    if streamed is None:
        return whole
    in_rows = _plan_in_rows(model, asked, options, streamed)
    assert in_rows.rows is not None
    taken = worth.instructions(in_rows.calls, in_rows.rows.model.forms)
    is_free = taken <= worth.MOST_TIMES * worth.instructions(calls)
    return in_rows if is_free and in_rows.plan.arena_bytes <= most_bytes else whole


def _as_fast_in_rows(
    model: Model, asked: Asked, calls: Sequence[KernelCall], most_bytes: float
) -> frozenset[int] | None:
    """The operators that run as fast in rows; None where that leaves more than `most_bytes` live.

    `calls` are those for whole tensors.
    """
    in_rows, rows_of = _rows_of(model, asked)
    every = rows_of()
    streamed = worth.as_fast(calls, in_rows, every.forms)
    if len(every.steps) > _MOST_FREE_STEPS or not streamed:
        return None
    return streamed if least_peak_bytes(rows_of(streamed=streamed)) <= most_bytes else None


def _fitting_in_rows(
    model: Model, asked: Asked, options: PlanOptions, limit_bytes: int
) -> GraphPlan | None:
    """A plan with an arena of at most `limit_bytes`, if one is found."""
    every = _rows_of(model, asked)[1]()
    if len(every.steps) > _MOST_FITTING_STEPS or least_peak_bytes(every) > limit_bytes:
        return None
    in_rows = _plan_in_rows(model, asked, options)
    return in_rows if in_rows.plan.arena_bytes <= limit_bytes else None


def _rows_of(model: Model, asked: Asked) -> tuple[tuple[KernelCall, ...], Callable[..., RowModel]]:
    """The calls that are chosen for rows, and what makes row models of them."""
    (choices,) = choices_of(model, asked) or [()]
    calls = tuple(choice.call for choice in choices)
    make = partial(
        row_model, model.graphs[0], calls, asked.alignment, io=asked.io, rules=asked.rules
    )
    return calls, make


# Of all tensors; the largest public model has 6,392. Every pair of live ones is looked at.
_MOST_ROWS = 10_000
# What nobody asked for must not take long: with more steps, planning takes seconds; where
# nothing else fits, minutes.
_MOST_FREE_STEPS, _MOST_FITTING_STEPS = 1_000, 4_000


def _plan_in_rows(
    model: Model,
    asked: Asked,
    options: PlanOptions,
    streamed: Collection[int] | None = None,
) -> GraphPlan:
    choices = choices_of(model, asked)
    chosen = choices[0] if choices else ()
    uses = uses_in(model, 0, {}, chosen or None)
    found = plan_rows(
        model.graphs[0],
        uses,
        asked.alignment,
        io=asked.io,
        rules=asked.rules,
        streamed=streamed,
        time_limit_s=options.time_limit_s,
    )
    operators = tuple(k for k, _ in found.model.steps)
    memory = MemoryModel(found.model.step_graph, {}, {}, operators)
    return GraphPlan(memory, found.plan, unknown_scratch(uses), tuple(chosen), found)


def plan_streaming(model: Model, asked: Asked, options: PlanOptions) -> GraphPlan:
    at = f"{model.source}: --io {STREAMED_INPUT}"
    if not asked.rules.rows:
        raise InvalidInput(
            "rows arrive one by one only where operators run in rows",
            at=at,
            fix="allow it with --rules all,rows",
        )
    found = None
    updates = states_of(uses_of(model))
    if may_run_in_rows(model, TensorUse((), (), updates=updates)):
        found = _plan_in_rows(model, asked, options)
    if found is None or found.rows is None or not found.rows.row_plan.streamed_inputs:
        raise InvalidInput(
            "no input of the model is read in rows", at=at, fix="leave the option out"
        )
    return found
