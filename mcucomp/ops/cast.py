"""CAST: numbers of one type as another."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, OUTPUT, has_elements, has_same_shape, takes
from mcucomp.ops.element_types import has_type_among

# The kernel's character for each type.
_CHARACTERS = {
    DType.BOOL: "?",
    DType.FLOAT32: "f",
    DType.INT8: "b",
    DType.INT16: "s",
    DType.INT32: "i",
    DType.UINT32: "u",
}
_RESULTS = tuple(dtype for dtype in _CHARACTERS if dtype is not DType.BOOL)


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    params = {
        "size": source.elements,
        "in_type": ord(_CHARACTERS[source.dtype]),
        "out_type": ord(_CHARACTERS[result.dtype]),
    }
    return KernelCall("mcuc_cast", params, (source.index,), (result.index,))


CAST = register(
    OperatorDef(
        kind="CAST",
        summary="numbers of one type as another; what does not fit is cut to the width",
        constraints=(
            takes(INPUT),
            has_type_among(INPUT, tuple(_CHARACTERS)),
            has_type_among(OUTPUT, _RESULTS),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
        ),
        lower=_lower,
    )
)
