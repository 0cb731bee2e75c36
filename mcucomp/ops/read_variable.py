"""READ_VARIABLE: what a variable holds now."""

from __future__ import annotations

from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, has_elements, takes
from mcucomp.ops.resources import HANDLE, holds, names_one_resource, resource_slot


def _lower(node: Node) -> KernelCall:
    slot = resource_slot(node)
    assert slot is not None
    return KernelCall(
        kernel="mcuc_read_variable",
        params={"size": slot.size_bytes},
        reads=(),
        writes=(node.operator.outputs[0],),
        updates=(slot,),
    )


READ_VARIABLE = register(
    OperatorDef(
        kind="READ_VARIABLE",
        summary="what a variable holds; elements of any type",
        constraints=(
            takes(HANDLE),
            has_elements(OUTPUT),
            names_one_resource(),
            holds(OUTPUT),
        ),
        lower=_lower,
    )
)
