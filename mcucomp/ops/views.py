"""What do RESHAPE, SQUEEZE and EXPAND_DIMS have in common?

The output has the values of the input in their order; its own shape counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.ops.base import Constraint, Node, OperatorDef
from mcucomp.ops.conditions import INPUT, OUTPUT, Role, dims, has_elements, takes
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import copy_call


def _elements_found(node: Node) -> str | None:
    source, result = node.input(0), node.output()
    if source.elements == result.elements:
        return None
    return f"{dims(source.shape)} and {dims(result.shape)}"


def view_definition(
    kind: str,
    summary: str,
    roles: Sequence[Role] = (INPUT,),
    *,
    optional: int = 0,
    more: Sequence[Constraint] = (),
) -> OperatorDef:
    """The definition of an operator that changes the shape alone."""
    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            takes(*roles, optional=optional),
            *same_types(MOVABLE),
            *more,
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("input and output have as many elements", _elements_found),
        ),
        lower=lambda node: copy_call(node.input(0), node.output()),
        keeps_values=True,
    )
