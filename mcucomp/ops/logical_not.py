"""LOGICAL_NOT: where a condition does not hold."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, OUTPUT, has_elements, has_same_shape, takes
from mcucomp.ops.element_types import same_types


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    params = {"size": source.elements}
    return KernelCall("mcuc_logical_not", params, (source.index,), (result.index,))


LOGICAL_NOT = register(
    OperatorDef(
        kind="LOGICAL_NOT",
        summary="where a condition does not hold",
        constraints=(
            takes(INPUT),
            *same_types((DType.BOOL,)),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
        ),
        lower=_lower,
    )
)
