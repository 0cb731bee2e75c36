"""What do the operators of a model's graphs use, with the kernels that are chosen for them?

A graph that another calls (a loop's body, a branch) is scratch to the operator that calls it,
of as many bytes as the graph's plan has in use at most.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcucomp.backends import Choice, choose
from mcucomp.ir import SUBGRAPH_OPTIONS, Graph, Model, Operator
from mcucomp.memory import TensorUse, use_of, uses_of
from mcucomp.ops import Slot, lower
from mcucomp.planning.types import Asked
from mcucomp.values import with_sums

_CALLED = (*SUBGRAPH_OPTIONS, "subgraph")


def choices_of(model: Model, asked: Asked) -> list[tuple[Choice, ...]] | None:
    """For each graph a choice an operator; kernels that graphs share count once."""
    if asked.selection is None:
        return None
    calls = lower(model)
    if asked.rules.values:
        calls = tuple(map(with_sums, model.graphs, calls))
    every = [call for graph in calls for call in graph]
    chosen = iter(choose(every, asked.selection, asked.alignment, in_rows=asked.rules.rows))
    return [tuple(itertools.islice(chosen, len(graph))) for graph in calls]


def uses_in(
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


def _callees(operator: Operator, model: Model) -> list[int]:
    """The graphs that an operator calls."""
    named = [operator.options.get(option) for option in _CALLED]
    return [k for k in named if type(k) is int and 0 <= k < len(model.graphs)]


def _with_callees(use: TensorUse, callees: Sequence[TensorUse]) -> TensorUse:
    """The use of an operator with that of the graphs that it calls, one at a time."""
    if not callees:
        return use
    scratch_bytes = max(callee.scratch_bytes for callee in callees)
    states = states_of((use, *callees))
    return replace(use, scratch_bytes=scratch_bytes, unknown=False, updates=states)


def states_of(uses: Sequence[TensorUse]) -> tuple[Slot, ...]:
    """The slots that any of `uses` updates, each once."""
    return tuple({slot.key: slot for use in uses for slot in use.updates}.values())


def callees_first(model: Model) -> list[int]:
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
