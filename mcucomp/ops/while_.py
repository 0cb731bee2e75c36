"""WHILE: a graph again and again, as long as another one says so.

What goes round are the operator's outputs: they start as its inputs, the
condition and the body are given copies of them, and take the body's outputs.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import (
    Constraint,
    ControlForm,
    Node,
    OperatorDef,
    register,
)
from mcucomp.ops.conditions import dims
from mcucomp.ops.control import (
    all_inputs_present,
    called_graph,
    control_call,
    difference,
    gives_outputs,
    takes_operands,
)

CONDITION, BODY = "cond_subgraph_index", "body_subgraph_index"


def _another_state(node: Node) -> str | None:
    tensors, op = node.graph.tensors, node.operator
    return difference([tensors[t] for t in op.inputs], [tensors[t] for t in op.outputs])


def _no_answer(node: Node) -> str | None:
    called = called_graph(node, CONDITION)
    if called is None:
        return "a graph that is not known"
    graph = called[1]
    if not graph.outputs:
        return "no outputs"
    answer = graph.tensors[graph.outputs[0]]
    if answer.dtype is DType.BOOL and answer.elements == 1:
        return None
    return f"{answer.dtype.value} {dims(answer.shape)}"


WHILE = register(
    OperatorDef(
        kind="WHILE",
        summary="a graph again and again, as long as another one says so",
        constraints=(
            all_inputs_present(),
            Constraint("outputs are inputs, each with its type and size", _another_state),
            takes_operands("the condition", CONDITION, 0),
            Constraint("the condition's first output is one bool", _no_answer),
            takes_operands("the body", BODY, 0),
            gives_outputs("the body", BODY),
        ),
        lower=lambda node: control_call(node, ControlForm.LOOP, CONDITION, BODY),
        has_effects=True,
    )
)
