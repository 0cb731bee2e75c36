"""The plan of a whole model, and the check of one: every graph of it, from the file alone.

In: a model. Out: a plan for each of its graphs, and the document that
`mcucomp check-plan` verifies. No compiler is needed, and operators that cannot
be compiled are planned too (their scratch counts as none, and the document says
how many there are).

A graph that another calls (a loop's body, a branch) has its arena above what
its caller holds: to the calling operator it is scratch, of as many bytes as the
graph's plan has in use at most.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcucomp.backends import Choice, Selection, choose, selection_from
from mcucomp.certify import certificate, check
from mcucomp.errors import CheckFailed, InvalidInput
from mcucomp.ir import SUBGRAPH_OPTIONS, Graph, Model, Operator
from mcucomp.memory import (
    MemoryModel,
    StepGraph,
    TensorUse,
    memory_model,
    unknown_scratch,
    use_of,
    uses_of,
)
from mcucomp.memory.row_graph import STREAMED_INPUT, RowModel, row_model
from mcucomp.ops import KernelCall, Slot, lower
from mcucomp.planner import Plan, PlanOptions, plan
from mcucomp.rewrite import rewrite
from mcucomp.rows.plan import RowPlanned, plan_rows
from mcucomp.rules import Rules, parse
from mcucomp.values import with_sums

IO = ("shared", "held", STREAMED_INPUT)
GREATEST_ALIGNMENT_BYTES = 64

_CALLED = (*SUBGRAPH_OPTIONS, "subgraph")


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """A graph's memory model and plan; `unknown` operators have a scratch that is not known.

    `choices` has one a step, in the form that its plan asks for; none where no
    kernels were chosen. `rows` is the whole of a plan in rows; `memory` then knows
    its steps alone, and `choices` has one an operator.
    """

    memory: MemoryModel
    plan: Plan
    unknown: int
    choices: tuple[Choice, ...] = ()
    rows: RowPlanned | None = None

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """The kernel call of each choice."""
        return tuple(choice.call for choice in self.choices)

    @property
    def floor_graph(self) -> StepGraph:
        """The steps of which the floor is one: in rows, those of everything that can be."""
        return self.memory.step_graph if self.rows is None else self.rows.floor_graph


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A plan for each graph of `model`; the first is the one that runs.

    `selection` is what decided the choices of kernels, where there are any.
    """

    model: Model
    graphs: tuple[GraphPlan, ...]
    io: str
    selection: Selection | None = None

    @property
    def main(self) -> GraphPlan:
        return self.graphs[0]


def plan_graphs(
    model: Model,
    alignment: int,
    *,
    io: str = "shared",
    options: PlanOptions = PlanOptions(),
    rules: Rules = Rules(),
    selection: Selection | None = None,
) -> ModelPlan:
    """Plan every graph of `model`, which must have been verified; called graphs first.

    With a `selection` kernels are chosen, those that a build with it has; else only
    planning is done, as far as possible with portable ones. With the rule +rows a model
    of one graph without state is planned in rows too, and has the plan with the smaller
    arena; a plan of whole tensors names the rules without +rows.

    Raises:
        UnsupportedModel: kernels are chosen, and the model cannot be built.
        InvalidInput: rows of an input are to be handed in, and nothing reads one in rows.
    """
    model = rewrite(model, rules)
    asked = _Asked(alignment, io, rules, selection)
    if io == STREAMED_INPUT:
        return ModelPlan(model, (_plan_streaming(model, asked, options),), io, selection)
    whole = replace(asked, rules=replace(rules, rows=False))
    choices = _choices(model, whole)
    planned: dict[int, GraphPlan] = {}
    used: dict[int, TensorUse] = {}
    for index in _callees_first(model):
        chosen = choices[index] if choices else None
        uses = _uses(model, index, used, chosen)
        memory = memory_model(model.graphs[index], uses, alignment, io=io, rules=whole.rules)
        found = plan(memory.step_graph, options)
        steps = zip(memory.operators, found.forms, strict=True)
        formed = tuple(chosen[k].in_form(form) for k, form in steps) if chosen else ()
        planned[index] = GraphPlan(memory, found, unknown_scratch(uses), formed)
        used[index] = TensorUse((), (), found.high_water_bytes, updates=_states(uses))
    if rules.rows and _may_run_in_rows(model, used[0]):
        in_rows = _plan_in_rows(model, asked, options)
        if in_rows.plan.arena_bytes < planned[0].plan.arena_bytes:
            planned[0] = in_rows
    graphs = tuple(planned[k] for k in range(len(model.graphs)))
    return ModelPlan(model, graphs, io, selection)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a plan is made for; without a selection no kernels are chosen."""

    alignment: int
    io: str
    rules: Rules
    selection: Selection | None


def _may_run_in_rows(model: Model, use: TensorUse) -> bool:
    """Whether rows are looked at at all: for one graph, which keeps no state.

    Nor may its inputs and outputs be anything but parts of the arena.
    """
    graph = model.graphs[0]
    edges = [graph.tensors[t] for t in (*graph.inputs, *graph.outputs)]
    elsewhere = any(tensor.is_constant or tensor.is_variable for tensor in edges)
    return len(model.graphs) == 1 and not use.updates and not elsewhere


def _plan_in_rows(model: Model, asked: _Asked, options: PlanOptions) -> GraphPlan:
    choices = _choices(model, asked)
    chosen = choices[0] if choices else ()
    uses = _uses(model, 0, {}, chosen or None)
    found = plan_rows(
        model.graphs[0],
        uses,
        asked.alignment,
        io=asked.io,
        rules=asked.rules,
        time_limit_s=options.time_limit_s,
    )
    operators = tuple(k for k, _ in found.model.steps)
    memory = MemoryModel(found.model.step_graph, {}, {}, operators)
    return GraphPlan(memory, found.plan, unknown_scratch(uses), tuple(chosen), found)


def _plan_streaming(model: Model, asked: _Asked, options: PlanOptions) -> GraphPlan:
    at = f"{model.source}: --io {STREAMED_INPUT}"
    if not asked.rules.rows:
        raise InvalidInput(
            "rows arrive one by one only where operators run in rows",
            at=at,
            fix="allow it with --rules all,rows",
        )
    found = None
    updates = _states(uses_of(model))
    if _may_run_in_rows(model, TensorUse((), (), updates=updates)):
        found = _plan_in_rows(model, asked, options)
    if found is None or found.rows is None or not found.rows.row_plan.streamed_inputs:
        raise InvalidInput(
            "no input of the model is read in rows", at=at, fix="leave the option out"
        )
    return found


def _choices(model: Model, asked: _Asked) -> list[tuple[Choice, ...]] | None:
    """For each graph a choice an operator; kernels that graphs share count once."""
    if asked.selection is None:
        return None
    calls = lower(model)
    if asked.rules.values:
        calls = tuple(map(with_sums, model.graphs, calls))
    every = [call for graph in calls for call in graph]
    chosen = iter(choose(every, asked.selection, asked.alignment, in_rows=asked.rules.rows))
    return [tuple(itertools.islice(chosen, len(graph))) for graph in calls]


def _uses(
    model: Model,
    index: int,
    used: Mapping[int, TensorUse],
    choices: Sequence[Choice] | None,
) -> list[TensorUse]:
    """What each operator of a graph uses; `used` has what the graphs that it calls take."""
    graph = model.graphs[index]
    uses = uses_of(model, index) if choices is None else [use_of(c.call) for c in choices]
    return [
        _with_callees(use, [used[callee] for callee in _callees(operator, model)])
        for use, operator in zip(uses, graph.operators, strict=True)
    ]


def plan_document(planned: ModelPlan, *, timed: bool = True) -> dict[str, Any]:
    """The plan's document: the main graph's, with the others' under `subgraphs`.

    `timed` with wall times, which are never the same twice.
    """
    extra: dict[str, Any] = {}
    if planned.selection is not None:
        extra["kernels"] = planned.selection.members()
    if len(planned.graphs) > 1:
        extra["subgraphs"] = [_graph_document(planned, g, {}, timed) for g in planned.graphs[1:]]
    return _graph_document(planned, planned.main, extra, timed)


def _graph_document(
    planned: ModelPlan, graph: GraphPlan, extra: Mapping[str, Any], timed: bool
) -> dict[str, Any]:
    document = certificate(
        graph.plan,
        planned.model.sha256,
        graph.memory.step_graph,
        source=planned.model.source,
        extra={
            "io": planned.io,
            "unknown_scratch": graph.unknown,
            **({} if graph.rows is None else {"in_rows": sorted(graph.rows.model.forms)}),
            **extra,
        },
    )
    if not timed:
        del document["timing"]
    return document


def check_document(document: Any, model: Model) -> tuple[str, ...]:
    """Verify a plan's document against its model; sentences on what is true of it.

    Raises:
        CheckFailed: naming the first line that is wrong.
    """
    settings = _settings(document)
    alignment, io, rules = settings
    selection = _selection(document)
    model = rewrite(model, rules)
    others = document.get("subgraphs", [])
    if not isinstance(others, list) or len(others) != len(model.graphs) - 1:
        raise CheckFailed(
            f"does not list the {len(model.graphs) - 1} further graphs of the model",
            at="plan.json: subgraphs",
        )
    documents: Sequence[Any] = [document, *others]
    choices = _choices(model, _Asked(alignment, io, rules, selection))
    used: dict[int, TensorUse] = {}
    sentences: dict[int, tuple[str, ...]] = {}
    for index in _callees_first(model):
        if _settings(documents[index]) != settings:
            raise CheckFailed(
                "has another alignment, io or rules than the document",
                at=f"plan.json: subgraphs[{index - 1}]",
            )
        graph = model.graphs[index]
        uses = _uses(model, index, used, choices[index] if choices else None)
        unknown = unknown_scratch(uses)
        if documents[index].get("unknown_scratch") != unknown:
            raise CheckFailed(
                f"is not {unknown}, as the model says", at="plan.json: unknown_scratch"
            )
        if rules.rows:
            model_in_rows = _checked_rows(document, graph, uses, settings)
            every = row_model(graph, uses, alignment, io=io, rules=rules)
            sentences[index] = check(
                document, model_in_rows.step_graph, model.sha256, every.step_graph
            )
        else:
            memory = memory_model(graph, uses, alignment, io=io, rules=rules)
            sentences[index] = check(documents[index], memory.step_graph, model.sha256)
        high_water_bytes = documents[index]["high_water_bytes"]
        used[index] = TensorUse((), (), high_water_bytes, updates=_states(uses))
    return tuple(
        sentence if len(documents) == 1 else f"graph {index}: {sentence}"
        for index in range(len(documents))
        for sentence in sentences[index]
    )


def _checked_rows(
    document: Mapping[str, Any],
    graph: Graph,
    uses: Sequence[TensorUse],
    settings: tuple[int, str, Rules],
) -> RowModel:
    """The graph in rows, made anew, with those operators in rows that the document names."""
    alignment, io, rules = settings
    at = "plan.json: in_rows"
    if document.get("subgraphs") or _states(uses):
        raise CheckFailed("rows are for models of one graph without state", at=at)
    listed = document.get("in_rows")
    if not isinstance(listed, list) or any(type(k) is not int for k in listed):
        raise CheckFailed("does not list the operators that run in rows", at=at)
    model = row_model(graph, uses, alignment, io=io, rules=rules, streamed=listed)
    if listed != sorted(model.forms):
        raise CheckFailed("names operators that cannot run in rows, or twice", at=at)
    return model


def _settings(document: Any) -> tuple[int, str, Rules]:
    """The alignment, the io rule and the rules that a document is made for."""
    if not isinstance(document, dict):
        raise CheckFailed("is not an object", at="plan.json")
    alignment, io = document.get("alignment"), document.get("io")
    powers = [1 << k for k in range(GREATEST_ALIGNMENT_BYTES.bit_length())]
    if type(alignment) is not int or alignment not in powers:
        raise CheckFailed(
            f"is no power of two up to {GREATEST_ALIGNMENT_BYTES}", at="plan.json: alignment"
        )
    if not isinstance(io, str) or io not in IO:
        raise CheckFailed(f"is none of {', '.join(IO)}", at="plan.json: io")
    try:
        rules = parse(document.get("rules", ""))
    except (InvalidInput, AttributeError) as error:
        raise CheckFailed("does not name rules", at="plan.json: rules") from error
    return alignment, io, rules


def _selection(document: Any) -> Selection | None:
    """Which kernels a build's document is made for; None where it is of a model alone."""
    if "kernels" not in document:
        return None
    selection = selection_from(document["kernels"])
    if selection is None:
        raise CheckFailed("does not say how kernels were chosen", at="plan.json: kernels")
    return selection


def _callees(operator: Operator, model: Model) -> list[int]:
    """The graphs that an operator calls."""
    named = [operator.options.get(option) for option in _CALLED]
    return [k for k in named if type(k) is int and 0 <= k < len(model.graphs)]


def _with_callees(use: TensorUse, callees: Sequence[TensorUse]) -> TensorUse:
    """The use of an operator with that of the graphs that it calls, one at a time."""
    if not callees:
        return use
    scratch_bytes = max(callee.scratch_bytes for callee in callees)
    states = _states((use, *callees))
    return replace(use, scratch_bytes=scratch_bytes, unknown=False, updates=states)


def _states(uses: Sequence[TensorUse]) -> tuple[Slot, ...]:
    """The slots that any of `uses` updates, each once."""
    return tuple({slot.key: slot for use in uses for slot in use.updates}.values())


def _callees_first(model: Model) -> list[int]:
    """The graphs, each after those that it calls; verification has excluded circles."""
    order: list[int] = []

    def visit(index: int) -> None:
        if index in order:
            return
        graph: Graph = model.graphs[index]
        for operator in graph.operators:
            for callee in _callees(operator, model):
                visit(callee)
        order.append(index)

    for index in range(len(model.graphs)):
        visit(index)
    return order
