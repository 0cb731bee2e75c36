"""PADV2: a margin of a given value."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import has_one_value
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_same_quantization,
    has_shape,
    is_constant,
    is_quantized,
    takes,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, same_types, where
from mcucomp.ops.padding import PAD_DIMENSIONS, PADDINGS, pad_call, padded_shape, paddings_found

VALUE = Role("value", 2)


def _lower(node: Node) -> KernelCall:
    return pad_call(node, array_of(node.input(2)).tobytes())


PADV2 = register(
    OperatorDef(
        kind="PADV2",
        summary="a margin of a given value around a tensor",
        constraints=(
            takes(INPUT, PADDINGS, VALUE),
            *same_types(MOVABLE, VALUE, OUTPUT),
            has_type_among(PADDINGS, INDEX),
            is_constant(PADDINGS),
            is_constant(VALUE),
            has_one_value(VALUE),
            has_rank(INPUT, 1, PAD_DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            where(DType.INT8, is_quantized(OUTPUT)),
            where(DType.INT8, is_quantized(VALUE)),
            where(DType.INT8, has_same_quantization(VALUE, OUTPUT)),
            paddings_found(),
            has_shape(OUTPUT, "input and paddings", padded_shape),
        ),
        lower=_lower,
    )
)
