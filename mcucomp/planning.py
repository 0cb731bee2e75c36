"""The plan of a whole model, and the check of one: every graph of it, from the file alone.

In: a model. Out: a plan for each of its graphs, and the document that
`mcucomp check-plan` verifies. No compiler is needed, and operators that cannot
be compiled are planned too (their scratch counts as none, and the document says
how many there are).

A graph that another calls (a loop's body, a branch) has its arena above what
its caller holds: to the calling operator it is scratch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcucomp.backends import Selection, choose, selection_from
from mcucomp.certify import certificate, check
from mcucomp.errors import CheckFailed, InvalidInput
from mcucomp.ir import Graph, Model, Operator
from mcucomp.memory import MemoryModel, StepGraph, TensorUse, memory_model, unknown_scratch, uses_of
from mcucomp.memory.row_graph import STREAMED_INPUT, RowModel, row_model
from mcucomp.ops import lower
from mcucomp.planner import Plan, PlanOptions, plan
from mcucomp.rewrite import rewrite
from mcucomp.rows.plan import RowPlanned, plan_rows
from mcucomp.rules import Rules, parse

IO = ("shared", "held", STREAMED_INPUT)
GREATEST_ALIGNMENT_BYTES = 64

_CALLED = (
    "init_subgraph_index",
    "cond_subgraph_index",
    "body_subgraph_index",
    "then_subgraph_index",
    "else_subgraph_index",
    "subgraph",
)


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """A graph's memory model and plan; `unknown` operators have a scratch that is not known.

    `rows` is the whole of a plan in rows; `memory` is then its model.
    """

    memory: MemoryModel | RowModel
    plan: Plan
    unknown: int
    rows: RowPlanned | None = None

    @property
    def floor_graph(self) -> StepGraph:
        """The steps of which the floor is one: in rows, those of everything that can be."""
        return self.memory.step_graph if self.rows is None else self.rows.floor_graph


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A plan for each graph of `model`; the first is the one that runs."""

    model: Model
    graphs: tuple[GraphPlan, ...]
    io: str

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
) -> ModelPlan:
    """Plan every graph of `model`, which must have been verified; called graphs first.

    With the rule +rows a model of one graph is planned in rows too, and has the plan with the
    smaller arena; a plan of whole tensors names the rules without +rows.

    Raises:
        InvalidInput: rows of an input are to be handed in, and nothing reads one in rows.
    """
    model = rewrite(model, rules)
    if io == STREAMED_INPUT:
        return ModelPlan(model, (_plan_streaming(model, alignment, options, rules),), io)
    planned: dict[int, GraphPlan] = {}
    for index in _callees_first(model):
        arenas = {k: graph.plan.arena_bytes for k, graph in planned.items()}
        whole = replace(rules, rows=False)
        memory, unknown = graph_memory(model, index, arenas, alignment, io, whole)
        planned[index] = GraphPlan(memory, plan(memory.step_graph, options), unknown)
        if rules.rows and len(model.graphs) == 1:
            in_rows = _plan_in_rows(model, alignment, io, options, rules)
            if in_rows.plan.arena_bytes < planned[index].plan.arena_bytes:
                planned[index] = in_rows
    return ModelPlan(model, tuple(planned[k] for k in range(len(model.graphs))), io)


def _plan_in_rows(
    model: Model, alignment: int, io: str, options: PlanOptions, rules: Rules
) -> GraphPlan:
    uses, unknown = _uses(model, 0, {}, None, alignment)
    found = plan_rows(
        model.graphs[0],
        uses,
        alignment,
        io=io,
        rules=rules,
        time_limit_s=options.time_limit_s,
    )
    return GraphPlan(found.model, found.plan, unknown, found)


def _plan_streaming(model: Model, alignment: int, options: PlanOptions, rules: Rules) -> GraphPlan:
    at = f"{model.source}: --io {STREAMED_INPUT}"
    if not rules.rows:
        raise InvalidInput(
            "rows arrive one by one only where operators run in rows",
            at=at,
            fix="allow it with --rules all,rows",
        )
    found = None
    if len(model.graphs) == 1:
        found = _plan_in_rows(model, alignment, STREAMED_INPUT, options, rules)
    if found is None or found.rows is None or not found.rows.row_plan.streamed_inputs:
        raise InvalidInput(
            "no input of the model is read in rows", at=at, fix="leave the option out"
        )
    return found


def graph_memory(
    model: Model,
    index: int,
    arenas: Mapping[int, int],
    alignment: int,
    io: str,
    rules: Rules = Rules(),
    selection: Selection | None = None,
) -> tuple[MemoryModel, int]:
    """A graph's memory model of whole tensors, and how many operators have an unknown scratch.

    `arenas` has the arena bytes of the graphs that it calls. With a `selection` kernels
    are those that a build with it has; else the portable ones.

    Raises:
        UnsupportedModel: the selection is of a build, and the model cannot be built.
    """
    uses, unknown = _uses(model, index, arenas, selection, alignment)
    return memory_model(model.graphs[index], uses, alignment, io=io, rules=rules), unknown


def _uses(
    model: Model,
    index: int,
    arenas: Mapping[int, int],
    selection: Selection | None,
    alignment: int,
    *,
    in_rows: bool = False,
) -> tuple[list[TensorUse], int]:
    """What each operator of a graph uses, and how many have a scratch that is not known."""
    graph = model.graphs[index]
    if selection is None:
        uses = uses_of(graph)
    else:
        chosen = choose(lower(model), selection, alignment, in_rows=in_rows)
        uses = tuple(TensorUse.of(choice.call) for choice in chosen)
    calling = [
        _with_callees(use, [arenas[callee] for callee in _callees(operator, model)])
        for use, operator in zip(uses, graph.operators, strict=True)
    ]
    return calling, unknown_scratch(calling)


def plan_document(planned: ModelPlan) -> dict[str, Any]:
    """The plan's document: the main graph's, with the others' under `subgraphs`."""
    others = [_graph_document(planned, graph) for graph in planned.graphs[1:]]
    return _graph_document(planned, planned.main, {"subgraphs": others} if others else None)


def _graph_document(
    planned: ModelPlan, graph: GraphPlan, extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return certificate(
        graph.plan,
        planned.model.sha256,
        graph.memory.step_graph,
        source=planned.model.source,
        extra={
            "io": planned.io,
            "unknown_scratch": graph.unknown,
            **({} if graph.rows is None else {"in_rows": sorted(graph.rows.model.forms)}),
            **(extra or {}),
        },
    )


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
    arenas: dict[int, int] = {}
    sentences: dict[int, tuple[str, ...]] = {}
    for index in _callees_first(model):
        if _settings(documents[index]) != settings:
            raise CheckFailed(
                "has another alignment, io or rules than the document",
                at=f"plan.json: subgraphs[{index - 1}]",
            )
        uses, unknown = _uses(model, index, arenas, selection, alignment, in_rows=rules.rows)
        if documents[index].get("unknown_scratch") != unknown:
            raise CheckFailed(
                f"is not {unknown}, as the model says", at="plan.json: unknown_scratch"
            )
        graph = model.graphs[index]
        if rules.rows:
            model_in_rows = _checked_rows(document, graph, uses, settings)
            every = row_model(graph, uses, alignment, io=io, rules=rules)
            sentences[index] = check(
                document, model_in_rows.step_graph, model.sha256, every.step_graph
            )
        else:
            memory = memory_model(graph, uses, alignment, io=io, rules=rules)
            sentences[index] = check(documents[index], memory.step_graph, model.sha256)
        arenas[index] = documents[index]["memory"]["arena_bytes"]
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
    if document.get("subgraphs"):
        raise CheckFailed("rows are for models of one graph", at=at)
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


def _with_callees(use: TensorUse, arenas: Sequence[int]) -> TensorUse:
    if not arenas:
        return use
    return replace(use, scratch_bytes=max(arenas), unknown=False)


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
