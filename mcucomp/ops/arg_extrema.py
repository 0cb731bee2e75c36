"""What do ARG_MAX and ARG_MIN have in common?"""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value, is_one_axis, rank_of, scalar_of, wrapped
from mcucomp.ops.base import KernelCall, Node, OperatorDef
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import has_type_among

AXIS = Role("axis tensor", 1)


def _axis(node: Node) -> int:
    return wrapped(scalar_of(AXIS)(node), len(node.input(0).shape))


def _output_shape(node: Node) -> tuple[int, ...]:
    shape, axis = node.input(0).shape, _axis(node)
    return (*shape[:axis], *shape[axis + 1 :])


def arg_definition(kind: str, summary: str, *, is_min: bool) -> OperatorDef:
    """The definition of ARG_MAX or ARG_MIN."""

    def lower(node: Node) -> KernelCall:
        source, result, axis = node.input(0), node.output(), _axis(node)
        suffix = "s8" if source.dtype is DType.INT8 else "f32"
        return KernelCall(
            f"mcuc_arg_extremum_{suffix}",
            {
                "outer": math.prod(source.shape[:axis]),
                "depth": source.shape[axis],
                "inner": math.prod(source.shape[axis + 1 :]),
                "is_min": int(is_min),
            },
            reads=(source.index,),
            writes=(result.index,),
        )

    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            takes(INPUT, AXIS),
            has_type_among(INPUT, (DType.FLOAT32, DType.INT8)),
            has_type(OUTPUT, DType.INT32),
            has_type(AXIS, DType.INT32),
            is_constant(AXIS),
            has_one_value(AXIS),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            is_one_axis(scalar_of(AXIS), rank_of(INPUT)),
            has_shape(OUTPUT, "input and axis", _output_shape),
        ),
        lower=lower,
    )
