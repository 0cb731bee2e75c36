"""CALL_ONCE: a graph that gives variables their first values, in the first inference alone."""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ops.base import (
    Constraint,
    Control,
    ControlForm,
    KernelCall,
    Node,
    OperatorDef,
    register,
)
from mcucomp.ops.control import called_graph, callee
from mcucomp.ops.state import private_slot

INIT = "init_subgraph_index"


def _operands(node: Node) -> str | None:
    inputs, outputs = len(node.operator.inputs), len(node.operator.outputs)
    return f"{inputs} inputs and {outputs} outputs" if inputs or outputs else None


def _taken(node: Node) -> str | None:
    called = called_graph(node, INIT)
    if called is None:
        return "a graph that is not known"
    count = len(called[1].inputs)
    return f"{count} inputs" if count else None


def _lower(node: Node) -> KernelCall:
    """TFLM's reset forgets what variables hold, but not that this has run."""
    has_run = replace(private_slot(node, "has run", 1, alignment=1), outlives_reset=True)
    return KernelCall(
        kernel="",
        params={},
        reads=(),
        writes=(),
        updates=(has_run,),
        control=Control(ControlForm.ONCE, (callee(node, INIT),)),
    )


CALL_ONCE = register(
    OperatorDef(
        kind="CALL_ONCE",
        summary="a graph that runs in the first inference alone",
        constraints=(
            Constraint("neither inputs nor outputs", _operands),
            Constraint("the graph takes no inputs", _taken),
        ),
        lower=_lower,
        has_effects=True,
    )
)
