"""What do operators that run other graphs have in common?

They hand tensors on, byte for byte: operands become inputs of a graph, its
outputs become theirs. Handles of resources are not handed on as bytes: which
resource each means is known (`resources.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcucomp.ir import DType, Graph, Tensor
from mcucomp.ops.base import Constraint, Control, ControlForm, KernelCall, Node
from mcucomp.ops.conditions import dims

Pair = tuple[Sequence[int], Sequence[int]]


def called_graph(node: Node, option: str) -> tuple[int, Graph] | None:
    """The graph that an option names, with its number; None where the model is not at hand."""
    index = node.option(option)
    if node.model is None or not isinstance(index, int):
        return None
    return index, node.model.graphs[index]


def callee(node: Node, option: str) -> int:
    """Its number, for a node that was found to be right."""
    called = called_graph(node, option)
    assert called is not None
    return called[0]


def passed(node: Node, tensors: Sequence[int]) -> tuple[int, ...]:
    """Those that have bytes to hand on."""
    return tuple(t for t in tensors if node.graph.tensors[t].dtype is not DType.RESOURCE)


def all_inputs_present() -> Constraint:
    def found(node: Node) -> str | None:
        absent = [k for k in range(len(node.operator.inputs)) if not node.has_input(k)]
        return f"no input {absent[0]}" if absent else None

    return Constraint("every input is present", found)


def control_call(node: Node, form: ControlForm, *options: str) -> KernelCall:
    """The step that runs the graphs that `options` name, and hands on what has bytes."""
    return KernelCall(
        kernel="",
        params={},
        reads=passed(node, node.operator.inputs),
        writes=passed(node, node.operator.outputs),
        control=Control(form, tuple(callee(node, option) for option in options)),
    )


def _fits(option: str, sides: Callable[[Node, Graph], Pair]) -> Callable[[Node], str | None]:
    """What keeps the tensors of an operator from being those of the graph that it calls."""

    def found(node: Node) -> str | None:
        called = called_graph(node, option)
        if called is None:
            return "a graph that is not known"
        ours, theirs = sides(node, called[1])
        return difference(
            [node.graph.tensors[t] for t in ours], [called[1].tensors[t] for t in theirs]
        )

    return found


def takes_operands(name: str, option: str, first: int) -> Constraint:
    """The graph takes the inputs from `first` on."""
    found = _fits(option, lambda node, graph: (node.operator.inputs[first:], graph.inputs))
    what = "inputs" if first == 0 else "inputs behind the condition"
    return Constraint(f"{name} takes the {what}, each with its type and size", found)


def gives_outputs(name: str, option: str) -> Constraint:
    """The graph's outputs are the operator's."""
    found = _fits(option, lambda node, graph: (node.operator.outputs, graph.outputs))
    return Constraint(f"{name} gives the outputs, each with its type and size", found)


def difference(ours: Sequence[Tensor], theirs: Sequence[Tensor]) -> str | None:
    """The first tensor that cannot be handed on; None where all can."""
    if len(ours) != len(theirs):
        return f"{len(ours)} of the operator and {len(theirs)} of the graph"
    for position, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if (a.dtype, a.elements) != (b.dtype, b.elements):
            return (
                f"{a.dtype.value} {dims(a.shape)} and {b.dtype.value} {dims(b.shape)}"
                f" at position {position}"
            )
    return None
