"""Is a model planned in rows, and which of its operators are?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mcucomp.backends import Choice, Optimize
from mcucomp.errors import InvalidInput
from mcucomp.ir import Graph, Model
from mcucomp.memory import MemoryModel, TensorUse, unknown_scratch, uses_of
from mcucomp.memory.row_graph import STREAMED_INPUT, RowModel, row_model
from mcucomp.ops import KernelCall
from mcucomp.planner import PlanOptions
from mcucomp.planning.types import Asked, GraphPlan
from mcucomp.planning.uses import choices_of, states_of, uses_in
from mcucomp.rows import worth
from mcucomp.rows.plan import least_peak_bytes, plan_rows

# Of all tensors; the largest public model has 6,392. Every pair of live ones is looked at.
_MOST_ROWS = 10_000
# What nobody asked for must not take long: with more steps, planning takes seconds; where
# nothing else fits, minutes.
_MOST_FREE_STEPS, _MOST_FITTING_STEPS = 1_000, 4_000


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
    optimize = None if asked.selection is None else asked.selection.wanted.optimize
    whole_bytes, limit_bytes = whole.plan.arena_bytes, asked.arena_limit_bytes
    found = None
    if asked.rules.rows:
        found = _InRows.of(model, asked).plan(options)
    elif limit_bytes is not None and whole_bytes > limit_bytes:
        found = _fitting(_InRows.of(model, asked), options, limit_bytes)
    elif optimize is Optimize.BALANCED:
        calls = [choice.call for choice in choices]
        found = _free(_InRows.of(model, asked), options, calls, worth.MOST_ARENA * whole_bytes)
    return found if found is not None and found.plan.arena_bytes < whole_bytes else whole


def plan_streaming(model: Model, asked: Asked, options: PlanOptions) -> GraphPlan:
    """A plan in rows in which rows of an input are handed in.

    Raises:
        InvalidInput: the rules do not allow rows, or nothing reads an input in rows.
    """
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
        found = _InRows.of(model, asked).plan(options)
    if found is None or found.rows is None or not found.rows.row_plan.streamed_inputs:
        raise InvalidInput(
            "no input of the model is read in rows", at=at, fix="leave the option out"
        )
    return found


@dataclass(frozen=True, slots=True)
class _InRows:
    """A model with what its operators use where kernels are chosen that run in rows.

    `choices` has one an operator, or none.
    """

    graph: Graph
    asked: Asked
    choices: tuple[Choice, ...]
    uses: Sequence[TensorUse]

    @classmethod
    def of(cls, model: Model, asked: Asked) -> _InRows:
        asked = replace(asked, rules=replace(asked.rules, rows=True, free_rows=False))
        choices = choices_of(model, asked)
        chosen = choices[0] if choices else ()
        return cls(model.graphs[0], asked, chosen, uses_in(model, 0, {}, chosen or None))

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        return tuple(choice.call for choice in self.choices)

    def rows(self, streamed: Collection[int] | None = None) -> RowModel:
        """The graph in rows, of those operators that may be, or of all."""
        asked = self.asked
        return row_model(
            self.graph,
            self.uses,
            asked.alignment,
            io=asked.io,
            rules=asked.rules,
            streamed=streamed,
        )

    def plan(self, options: PlanOptions, streamed: Collection[int] | None = None) -> GraphPlan:
        found = plan_rows(
            self.graph,
            self.uses,
            self.asked.alignment,
            io=self.asked.io,
            rules=self.asked.rules,
            streamed=streamed,
            time_limit_s=options.time_limit_s,
        )
        operators = tuple(k for k, _ in found.model.steps)
        memory = MemoryModel(found.model.step_graph, {}, {}, operators)
        return GraphPlan(memory, found.plan, unknown_scratch(self.uses), self.choices, found)


def _free(
    in_rows: _InRows, options: PlanOptions, calls: Sequence[KernelCall], most_bytes: float
) -> GraphPlan | None:
    """A plan that takes hardly more instructions than `calls`, which are for whole tensors, in an
    arena of at most `most_bytes`; None where there is none.
    """
    every = in_rows.rows()
    if len(every.steps) > _MOST_FREE_STEPS:
        return None
    streamed = worth.as_fast(calls, in_rows.calls, every.forms)
    if not streamed or least_peak_bytes(in_rows.rows(streamed)) > most_bytes:
        return None
    found = in_rows.plan(options, streamed)
    assert found.rows is not None
    taken = worth.instructions(found.calls, found.rows.model.forms)
    is_free = taken <= worth.MOST_TIMES * worth.instructions(calls)
    return found if is_free and found.plan.arena_bytes <= most_bytes else None


def _fitting(in_rows: _InRows, options: PlanOptions, limit_bytes: int) -> GraphPlan | None:
    """A plan in an arena of at most `limit_bytes`, if one is found."""
    every = in_rows.rows()
    if len(every.steps) > _MOST_FITTING_STEPS or least_peak_bytes(every) > limit_bytes:
        return None
    found = in_rows.plan(options)
    return found if found.plan.arena_bytes <= limit_bytes else None
