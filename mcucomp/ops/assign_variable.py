"""ASSIGN_VARIABLE: a variable gets a new value."""

from __future__ import annotations

from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import Role, has_elements
from mcucomp.ops.resources import holds, names_one_resource, resource_slot

VALUE = Role("value", 1)


def _found(node: Node) -> str | None:
    inputs, outputs = len(node.operator.inputs), len(node.operator.outputs)
    if (inputs, outputs) != (2, 0) or not (node.has_input(0) and node.has_input(1)):
        return f"{inputs} inputs and {outputs} outputs"
    return None


def _lower(node: Node) -> KernelCall:
    slot = resource_slot(node)
    assert slot is not None
    return KernelCall(
        kernel="mcuc_assign_variable",
        params={"size": slot.size_bytes},
        reads=(node.operator.inputs[1],),
        writes=(),
        updates=(slot,),
    )


ASSIGN_VARIABLE = register(
    OperatorDef(
        kind="ASSIGN_VARIABLE",
        summary="a new value for a variable; elements of any type",
        constraints=(
            Constraint("inputs are handle and value, without an output", _found),
            has_elements(VALUE),
            names_one_resource(),
            holds(VALUE),
        ),
        lower=_lower,
        has_effects=True,
    )
)
