"""L2_NORMALIZATION: rows divided by their lengths."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_option,
    has_rank,
    has_same_shape,
    is_quantized,
    takes,
    zero_point_of,
)
from mcucomp.ops.element_types import same_types, where
from mcucomp.ops.rows import has_depth, rows_of

# Squares of differences of int8 are below 2^16: the sum of these stays below 2^31.
DEPTH_MAX = 1 << 15


def _lower(node: Node) -> KernelCall:
    source, result, params = node.input(0), node.output(), rows_of(node)
    if source.dtype is DType.INT8:
        params = {**params, "zero_point": zero_point_of(source)}
    kernel = "s8" if source.dtype is DType.INT8 else "f32"
    return KernelCall(f"mcuc_l2_normalization_{kernel}", params, (source.index,), (result.index,))


L2_NORMALIZATION = register(
    OperatorDef(
        kind="L2_NORMALIZATION",
        summary="rows divided by their lengths; of int8 in 1/128, whatever output's scale",
        constraints=(
            takes(INPUT),
            *same_types((DType.FLOAT32, DType.INT8)),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(INPUT),
            where(DType.INT8, has_depth(DEPTH_MAX)),
            has_option(
                "fused_activation_function",
                "there is no fused activation",
                lambda value: value in ("NONE", None),
            ),
        ),
        lower=_lower,
    )
)
