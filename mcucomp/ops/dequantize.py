"""DEQUANTIZE: int8 to float32."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.clearance import ascending, elementwise
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_same_shape,
    has_type,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    return KernelCall(
        "mcuc_dequantize_s8_f32",
        {
            "size": source.elements,
            "scale": scale_of(source),
            "zero_point": zero_point_of(source),
        },
        reads=(source.index,),
        writes=(result.index,),
        clearances=(ascending(0, elementwise(source.elements, out_bytes=4)),),
    )


DEQUANTIZE = register(
    OperatorDef(
        kind="DEQUANTIZE",
        summary="the real values that int8 stand for, as float32",
        constraints=(
            takes(INPUT),
            has_type(INPUT, DType.INT8),
            has_type(OUTPUT, DType.FLOAT32),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(INPUT),
        ),
        lower=_lower,
    )
)
