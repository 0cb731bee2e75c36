"""RESHAPE: the same bytes under another shape, copied."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Clearance, Constraint, KernelCall, Node, OperatorDef, View, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_type,
    is_constant,
    takes,
)

SHAPE = Role("shape", 1)


def _elements_found(node: Node) -> str | None:
    source, result = node.input(0), node.output()
    if source.elements == result.elements:
        return None
    return f"{dims(source.shape)} and {dims(result.shape)}"


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    return KernelCall(
        "mcuc_copy_s8",
        {"size": source.elements},
        reads=(source.index,),
        writes=(result.index,),
        clearances=(Clearance(0),),
        views=(View(whole=source.index, part=result.index),),
    )


RESHAPE = register(
    OperatorDef(
        kind="RESHAPE",
        summary="the same values under another shape; the output's own shape counts",
        constraints=(
            takes(INPUT, SHAPE, optional=1),
            has_type(INPUT, DType.INT8),
            has_type(OUTPUT, DType.INT8),
            is_constant(SHAPE),
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("input and output have as many elements", _elements_found),
        ),
        lower=_lower,
    )
)
