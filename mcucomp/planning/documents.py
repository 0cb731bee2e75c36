"""What does a plan's document say, and is one right?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcucomp.backends import Selection, selection_from
from mcucomp.certify import certificate, check
from mcucomp.errors import CheckFailed, InvalidInput
from mcucomp.ir import Graph, Model
from mcucomp.memory import TensorUse, memory_model, unknown_scratch
from mcucomp.memory.row_graph import STREAMED_INPUT, RowModel, row_model
from mcucomp.planning.types import Asked, GraphPlan, ModelPlan
from mcucomp.planning.uses import callees_first, choices_of, states_of, uses_in
from mcucomp.rewrite import rewrite
from mcucomp.rules import Rules, parse

IO = ("shared", "held", STREAMED_INPUT)
GREATEST_ALIGNMENT_BYTES = 64


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
    choices = choices_of(model, Asked(alignment, io, rules, selection))
    used: dict[int, TensorUse] = {}
    sentences: dict[int, tuple[str, ...]] = {}
    for index in callees_first(model):
        if _settings(documents[index]) != settings:
            raise CheckFailed(
                "has another alignment, io or rules than the document",
                at=f"plan.json: subgraphs[{index - 1}]",
            )
        graph = model.graphs[index]
        uses = uses_in(model, index, used, choices[index] if choices else None)
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
        used[index] = TensorUse((), (), high_water_bytes, updates=states_of(uses))
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
    if document.get("subgraphs") or states_of(uses):
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
