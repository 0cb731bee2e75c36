"""What is said of operators that run other graphs or use variables, word for word."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from mcucomp.errors import UnsupportedModel
from mcucomp.ir import DType, Graph, Model
from mcucomp.ops import lower
from tests.support.state_models import branches, ring_buffer, rounds

Make = Callable[[], Model]
Change = Callable[[Model], Model]
KINDS = ("ASSIGN_VARIABLE", "CALL_ONCE", "IF", "READ_VARIABLE", "VAR_HANDLE", "WHILE")


def of_graph(g: int, change: Callable[[Graph], Graph]) -> Change:
    def changed(model: Model) -> Model:
        graphs = list(model.graphs)
        graphs[g] = change(graphs[g])
        return dataclasses.replace(model, graphs=tuple(graphs))

    return changed


def tensor(g: int, index: int, **fields: Any) -> Change:
    def change(graph: Graph) -> Graph:
        tensors = list(graph.tensors)
        tensors[index] = dataclasses.replace(tensors[index], **fields)
        return dataclasses.replace(graph, tensors=tuple(tensors))

    return of_graph(g, change)


def operator(g: int, kind: str, **fields: Any) -> Change:
    """Of the first operator of that kind."""

    def change(graph: Graph) -> Graph:
        operators = list(graph.operators)
        at = next(k for k, op in enumerate(operators) if op.kind == kind)
        operators[at] = dataclasses.replace(operators[at], **fields)
        return dataclasses.replace(graph, operators=tuple(operators))

    return of_graph(g, change)


def outputs(g: int, *kept: int) -> Change:
    """Of graph g, only those at some positions."""
    return of_graph(
        g, lambda graph: dataclasses.replace(graph, outputs=tuple(graph.outputs[k] for k in kept))
    )


def first_of(model: Model, g: int, kind: str) -> tuple[int, ...]:
    """The inputs of the first operator of that kind."""
    return next(op.inputs for op in model.graphs[g].operators if op.kind == kind)


HANDLE = first_of(ring_buffer(), 0, "READ_VARIABLE")[0]

REFUSED: list[tuple[Make, Change, str]] = [
    (branches, operator(0, "IF", inputs=(0, -1, 2, 3)), "every input is present; found no input 1"),
    (branches, operator(0, "IF", inputs=()), "the first input is the condition; found no inputs"),
    (branches, operator(0, "IF", inputs=(2, 1, 2, 3)), "condition is bool; found float32"),
    (branches, operator(0, "IF", inputs=(0, 1, 2)),
     "the then graph takes the inputs behind the condition, each with its type and size; "
     "found 2 of the operator and 3 of the graph"),
    (branches, tensor(2, 1, shape=(5,)),
     "the else graph takes the inputs behind the condition, each with its type and size; "
     "found float32 4 and float32 5 at position 1"),
    (branches, outputs(1, 0),
     "the then graph gives the outputs, each with its type and size; "
     "found 2 of the operator and 1 of the graph"),
    (rounds, operator(0, "WHILE", outputs=()),
     "outputs are inputs, each with its type and size; "
     "found 5 of the operator and 0 of the graph"),
    (rounds, outputs(1), "the condition's first output is one bool; found no outputs"),
    (rounds, of_graph(1, lambda g: dataclasses.replace(g, outputs=(0,))),
     "the condition's first output is one bool; found int32 1"),
    (rounds, outputs(2, 0, 1, 2, 3),
     "the body gives the outputs, each with its type and size; "
     "found 5 of the operator and 4 of the graph"),
    (ring_buffer, operator(0, "CALL_ONCE", inputs=(0,)),
     "neither inputs nor outputs; found 1 inputs and 0 outputs"),
    (ring_buffer, of_graph(1, lambda g: dataclasses.replace(g, inputs=(1,))),
     "the graph takes no inputs; found 1 inputs"),
    (ring_buffer, operator(0, "VAR_HANDLE", inputs=(0,)),
     "one output, and no inputs; found 1 inputs and 1 outputs"),
    (ring_buffer, operator(0, "READ_VARIABLE", inputs=(0,)),
     "handle comes from a VAR_HANDLE, and means the same resource always; found 0 resources"),
    (ring_buffer, tensor(0, 2, shape=(2, 3)),
     "output has the bytes of what the variable is assigned first; "
     "found 6 B for a variable of 8 B"),
    (ring_buffer, operator(0, "ASSIGN_VARIABLE", inputs=(HANDLE,)),
     "inputs are handle and value, without an output; found 1 inputs and 0 outputs"),
    (ring_buffer, tensor(1, 0, shape=(2, 2)),
     "value has the bytes of what the variable is assigned first; "
     "found 4 B for a variable of 8 B"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "change", "message"), REFUSED)
def test_refused(make: Make, change: Change, message: str) -> None:
    with pytest.raises(UnsupportedModel) as caught:
        lower(change(make()))
    said = [caught.value.what, *caught.value.details]
    assert any(line.endswith(message) for line in said), said


@pytest.mark.parametrize("make", [branches, rounds, ring_buffer])
def test_the_unchanged_model_is_taken(make: Make) -> None:
    model = make()
    assert [len(calls) for calls in lower(model)] == [len(g.operators) for g in model.graphs]


def test_a_variable_that_nothing_is_assigned_to() -> None:
    """Its handle has a name, and nobody ever gives that name a value."""
    change = operator(0, "VAR_HANDLE", options={"container": "", "shared_name": "nobody"})
    with pytest.raises(UnsupportedModel) as caught:
        lower(tensor(0, 2, dtype=DType.INT8)(change(without_assignment(ring_buffer()))))
    assert caught.value.what == (
        "output has the bytes of what the variable is assigned first; "
        "found a variable that nothing is assigned to"
    )


def without_assignment(model: Model) -> Model:
    """The first graph without its first ASSIGN_VARIABLE."""

    def change(graph: Graph) -> Graph:
        at = next(k for k, op in enumerate(graph.operators) if op.kind == "ASSIGN_VARIABLE")
        kept = (*graph.operators[:at], *graph.operators[at + 1 :])
        numbered = tuple(dataclasses.replace(op, index=k) for k, op in enumerate(kept))
        return dataclasses.replace(graph, operators=numbered)

    return of_graph(0, change)(model)


def test_a_handle_that_may_mean_either_of_two_variables() -> None:
    model = rounds()
    other = dataclasses.replace(
        model.graphs[2].operators[0], kind="VAR_HANDLE", inputs=(), outputs=(4,),
        options={"container": "", "shared_name": "another"},
    )  # fmt: skip
    body = model.graphs[2]
    fresh = dataclasses.replace(body.tensors[4], index=len(body.tensors), name="fresh")
    other = dataclasses.replace(other, index=len(body.operators), outputs=(fresh.index,))
    changed = dataclasses.replace(
        body,
        tensors=(*body.tensors, fresh),
        operators=(*body.operators, other),
        outputs=(*body.outputs[:4], fresh.index),
    )
    with pytest.raises(UnsupportedModel) as caught:
        lower(of_graph(2, lambda _: changed)(model))
    assert any("always; found 2 resources" in line for line in caught.value.details)
