"""BROADCAST_ARGS: the shape that two shapes broadcast to."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, Role, has_elements, has_rank, has_type, takes

FIRST = Role("first input", 0)
SECOND = Role("second input", 1)


def _size_found(node: Node) -> str | None:
    sizes = [node.input(0).elements, node.input(1).elements]
    result = node.output().elements
    return None if result == max(sizes) else f"{result} for {sizes[0]} and {sizes[1]}"


def _lower(node: Node) -> KernelCall:
    a, b, result = node.input(0), node.input(1), node.output()
    return KernelCall(
        "mcuc_broadcast_args",
        {"a_size": a.elements, "b_size": b.elements},
        reads=(a.index, b.index),
        writes=(result.index,),
    )


BROADCAST_ARGS = register(
    OperatorDef(
        kind="BROADCAST_ARGS",
        summary="the shape that two shapes broadcast to",
        constraints=(
            takes(FIRST, SECOND),
            *(has_type(role, DType.INT32) for role in (FIRST, SECOND, OUTPUT)),
            *(has_rank(role, 1) for role in (FIRST, SECOND, OUTPUT)),
            *(has_elements(role) for role in (FIRST, SECOND, OUTPUT)),
            Constraint("output has as many elements as the longer input", _size_found),
        ),
        lower=_lower,
    )
)
