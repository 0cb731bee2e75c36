"""SHAPE: the dimensions of a tensor, which are known when it is compiled."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, OUTPUT, has_elements, has_rank, has_shape, has_type, takes
from mcucomp.ops.constants import int32_array


def _output_shape(node: Node) -> tuple[int, ...]:
    return (len(node.input(0).shape),)


def _lower(node: Node) -> KernelCall:
    shape, result = node.input(0).shape, node.output()
    values = int32_array(np.array(shape, np.int32))
    return KernelCall(
        "mcuc_constant",
        {"values": values, "size": len(shape)},
        reads=(),
        writes=(result.index,),
    )


SHAPE = register(
    OperatorDef(
        kind="SHAPE",
        summary="the dimensions of a tensor",
        constraints=(
            takes(INPUT),
            has_type(OUTPUT, DType.INT32),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_shape(OUTPUT, "the dimensions of input", _output_shape),
        ),
        lower=_lower,
    )
)
