"""DEQUANTIZE: int8, uint8 or int16 to float32."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
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
from mcucomp.ops.element_types import has_type_among

_KERNELS = {
    DType.INT8: "mcuc_dequantize_s8_f32",
    DType.INT16: "mcuc_dequantize_s16_f32",
    DType.UINT8: "mcuc_dequantize_u8_f32",
}


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    return KernelCall(
        _KERNELS[source.dtype],
        {
            "size": source.elements,
            "scale": scale_of(source),
            "zero_point": zero_point_of(source),
        },
        reads=(source.index,),
        writes=(result.index,),
    )


DEQUANTIZE = register(
    OperatorDef(
        kind="DEQUANTIZE",
        summary="the real values that integers stand for, as float32",
        constraints=(
            takes(INPUT),
            has_type_among(INPUT, tuple(_KERNELS)),
            has_type(OUTPUT, DType.FLOAT32),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(INPUT),
        ),
        lower=_lower,
    )
)
