"""ZEROS_LIKE: zeros in the shape of a tensor."""

from __future__ import annotations

from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, OUTPUT, has_elements, has_same_shape, takes
from mcucomp.ops.element_types import MOVABLE, same_types


def _lower(node: Node) -> KernelCall:
    """The input's values do not matter: it is not read."""
    result = node.output()
    params = {"size": result.size_bytes, "value": 0}
    return KernelCall("mcuc_fill", params, reads=(), writes=(result.index,))


ZEROS_LIKE = register(
    OperatorDef(
        kind="ZEROS_LIKE",
        summary="zeros in the shape of a tensor; of int8 too, whatever its zero point",
        constraints=(
            takes(INPUT),
            *same_types(MOVABLE),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
        ),
        lower=_lower,
    )
)
