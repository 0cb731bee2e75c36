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
from mcucomp.ir import Graph, Model, Operator
from mcucomp.memory import MemoryModel, TensorUse, memory_model, unknown_scratch, use_of, uses_of
from mcucomp.ops import KernelCall, Slot, lower
from mcucomp.planner import Plan, PlanOptions, plan
from mcucomp.rewrite import rewrite
from mcucomp.rules import Rules, parse
from mcucomp.values import with_sums

IO = ("shared", "held")
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

    `choices` has one a step, in the form that its plan asks for; none where no
    kernels were chosen.
    """

    memory: MemoryModel
    plan: Plan
    unknown: int
    choices: tuple[Choice, ...] = ()

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """The kernel call of each step."""
        return tuple(choice.call for choice in self.choices)


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
    planning is done, as far as possible with portable ones.

    Raises:
        UnsupportedModel: kernels are chosen, and the model cannot be built.
    """
    model = rewrite(model, rules)
    choices = _choices(model, selection, alignment, rules)
    planned: dict[int, GraphPlan] = {}
    used: dict[int, TensorUse] = {}
    for index in _callees_first(model):
        chosen = choices[index] if choices else None
        memory, unknown, states = _graph_memory(model, index, used, chosen, alignment, io, rules)
        found = plan(memory.step_graph, options)
        steps = zip(memory.operators, found.forms, strict=True)
        formed = tuple(chosen[k].in_form(form) for k, form in steps) if chosen else ()
        planned[index] = GraphPlan(memory, found, unknown, formed)
        used[index] = TensorUse((), (), found.high_water_bytes, updates=states)
    graphs = tuple(planned[k] for k in range(len(model.graphs)))
    return ModelPlan(model, graphs, io, selection)


def _choices(
    model: Model, selection: Selection | None, alignment: int, rules: Rules
) -> list[tuple[Choice, ...]] | None:
    """For each graph a choice an operator; kernels that graphs share count once."""
    if selection is None:
        return None
    calls = lower(model)
    if rules.values:
        calls = tuple(map(with_sums, model.graphs, calls))
    chosen = iter(choose([call for graph in calls for call in graph], selection, alignment))
    return [tuple(itertools.islice(chosen, len(graph))) for graph in calls]


def _graph_memory(
    model: Model,
    index: int,
    used: Mapping[int, TensorUse],
    choices: Sequence[Choice] | None,
    alignment: int,
    io: str,
    rules: Rules,
) -> tuple[MemoryModel, int, tuple[Slot, ...]]:
    """A graph's memory model, how many operators have an unknown scratch, and the state it updates.

    `used` has what the graphs that it calls take as a whole.
    """
    graph = model.graphs[index]
    uses = uses_of(model, index) if choices is None else [use_of(c.call) for c in choices]
    calling = [
        _with_callees(use, [used[callee] for callee in _callees(operator, model)])
        for use, operator in zip(uses, graph.operators, strict=True)
    ]
    memory = memory_model(graph, calling, alignment, io=io, rules=rules)
    return memory, unknown_scratch(calling), _states(calling)


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
        extra={"io": planned.io, "unknown_scratch": graph.unknown, **extra},
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
    choices = _choices(model, selection, alignment, rules)
    used: dict[int, TensorUse] = {}
    sentences: dict[int, tuple[str, ...]] = {}
    for index in _callees_first(model):
        if _settings(documents[index]) != settings:
            raise CheckFailed(
                "has another alignment, io or rules than the document",
                at=f"plan.json: subgraphs[{index - 1}]",
            )
        chosen = choices[index] if choices else None
        memory, unknown, states = _graph_memory(model, index, used, chosen, alignment, io, rules)
        if documents[index].get("unknown_scratch") != unknown:
            raise CheckFailed(
                f"is not {unknown}, as the model says", at="plan.json: unknown_scratch"
            )
        sentences[index] = check(documents[index], memory.step_graph, model.sha256)
        used[index] = TensorUse((), (), documents[index]["high_water_bytes"], updates=states)
    return tuple(
        sentence if len(documents) == 1 else f"graph {index}: {sentence}"
        for index in range(len(documents))
        for sentence in sentences[index]
    )


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
        raise CheckFailed("is neither shared nor held", at="plan.json: io")
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
