"""IF: one of two graphs, as a condition says."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value
from mcucomp.ops.base import (
    Constraint,
    Control,
    ControlForm,
    KernelCall,
    Node,
    OperatorDef,
    register,
)
from mcucomp.ops.conditions import Role, has_type
from mcucomp.ops.control import all_inputs_present, callee, gives_outputs, passed, takes_operands

CONDITION = Role("condition", 0)
THEN, ELSE = "then_subgraph_index", "else_subgraph_index"


def _no_condition(node: Node) -> str | None:
    return None if node.operator.inputs else "no inputs"


def _lower(node: Node) -> KernelCall:
    return KernelCall(
        kernel="",
        params={},
        reads=passed(node, node.operator.inputs),
        writes=passed(node, node.operator.outputs),
        control=Control(ControlForm.BRANCH, (callee(node, THEN), callee(node, ELSE))),
    )


IF = register(
    OperatorDef(
        kind="IF",
        summary="one of two graphs, as a condition says",
        constraints=(
            Constraint("the first input is the condition", _no_condition),
            all_inputs_present(),
            has_type(CONDITION, DType.BOOL),
            has_one_value(CONDITION),
            takes_operands("the then graph", THEN, 1),
            gives_outputs("the then graph", THEN),
            takes_operands("the else graph", ELSE, 1),
            gives_outputs("the else graph", ELSE),
        ),
        lower=_lower,
        has_effects=True,
    )
)
