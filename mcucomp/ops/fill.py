"""FILL: one value, again and again."""

from __future__ import annotations

from mcucomp.ops.axes import has_one_value
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, Role, has_elements, takes
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, has_type_of
from mcucomp.ops.movement import strided_call

SHAPE = Role("shape", 0)
VALUE = Role("value", 1)


def _lower(node: Node) -> KernelCall:
    return strided_call(node.input(1), node.output(), (node.output().elements,), (0,))


FILL = register(
    OperatorDef(
        kind="FILL",
        summary="one value, again and again; the output's own shape counts",
        constraints=(
            takes(SHAPE, VALUE),
            has_type_among(SHAPE, INDEX),
            has_type_among(VALUE, MOVABLE),
            has_type_of(OUTPUT, VALUE),
            has_one_value(VALUE),
            has_elements(OUTPUT),
        ),
        lower=_lower,
    )
)
