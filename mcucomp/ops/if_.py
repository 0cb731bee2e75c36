"""IF: one of two graphs, as a condition says."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value
from mcucomp.ops.base import (
    Constraint,
    ControlForm,
    Node,
    OperatorDef,
    register,
)
from mcucomp.ops.conditions import Role, has_type
from mcucomp.ops.control import all_inputs_present, control_call, gives_outputs, takes_operands

CONDITION = Role("condition", 0)
THEN, ELSE = "then_subgraph_index", "else_subgraph_index"


def _no_condition(node: Node) -> str | None:
    return None if node.operator.inputs else "no inputs"


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
        lower=lambda node: control_call(node, ControlForm.BRANCH, THEN, ELSE),
        has_effects=True,
    )
)
