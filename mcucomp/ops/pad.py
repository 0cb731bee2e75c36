"""PAD: a margin of zeros, which for int8 is the output's zero point."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_rank,
    has_shape,
    is_constant,
    is_quantized,
    takes,
    zero_point_of,
)
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, same_types, where
from mcucomp.ops.movement import bytes_of
from mcucomp.ops.padding import PAD_DIMENSIONS, PADDINGS, pad_call, padded_shape, paddings_found


def _lower(node: Node) -> KernelCall:
    result = node.output()
    zero = bytes(bytes_of(result))
    if result.dtype is DType.INT8:
        zero = np.int8(zero_point_of(result)).tobytes()
    return pad_call(node, zero)


PAD = register(
    OperatorDef(
        kind="PAD",
        summary="a margin of zeros around a tensor; for int8 of zero points",
        constraints=(
            takes(INPUT, PADDINGS),
            *same_types(MOVABLE),
            has_type_among(PADDINGS, INDEX),
            is_constant(PADDINGS),
            has_rank(INPUT, 1, PAD_DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            where(DType.INT8, is_quantized(OUTPUT)),
            paddings_found(),
            has_shape(OUTPUT, "input and paddings", padded_shape),
        ),
        lower=_lower,
    )
)
