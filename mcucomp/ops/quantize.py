"""QUANTIZE: float32 or int8 to int8."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import is_scalable, quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
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

_INPUT_TYPES = (DType.FLOAT32, DType.INT8)


def _input_found(node: Node) -> str | None:
    dtype = node.input(0).dtype
    return None if dtype in _INPUT_TYPES else dtype.value


def _is_int8(node: Node) -> bool:
    return node.input(0).dtype is DType.INT8


def _real_multiplier(node: Node) -> float:
    return scale_of(node.input(0)) / scale_of(node.output())


def _quantized_found(node: Node) -> str | None:
    return is_quantized(INPUT).found(node) if _is_int8(node) else None


def _scales_found(node: Node) -> str | None:
    if not _is_int8(node) or is_scalable(_real_multiplier(node)):
        return None
    return f"{_real_multiplier(node):.6g}"


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    reads, writes = (source.index,), (result.index,)
    if not _is_int8(node):
        params = {
            "size": source.elements,
            "scale": scale_of(result),
            "zero_point": zero_point_of(result),
        }
        low_bytes = elementwise(source.elements, in_bytes=4)
        return KernelCall(
            "mcuc_quantize_f32_s8",
            params,
            reads,
            writes,
            clearances=(ascending(0, low_bytes),),
        )
    multiplier, exponent = quantize_multiplier(_real_multiplier(node))
    return KernelCall(
        "mcuc_requantize_s8",
        {
            "size": source.elements,
            "multiplier": multiplier,
            "right_shift": -exponent,
            "in_zero_point": zero_point_of(source),
            "out_zero_point": zero_point_of(result),
        },
        reads,
        writes,
        clearances=(ascending(0, elementwise(source.elements)),),
    )


QUANTIZE = register(
    OperatorDef(
        kind="QUANTIZE",
        summary="float32 or int8 to int8 of another scale; NaN becomes the zero point",
        constraints=(
            takes(INPUT),
            Constraint("input is float32 or int8", _input_found),
            has_type(OUTPUT, DType.INT8),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(OUTPUT),
            Constraint(
                "an int8 input has one scale, finite and above 0, and one zero point "
                "from -128 to 127",
                _quantized_found,
            ),
            Constraint("input scale / output scale is below 2^30", _scales_found),
        ),
        lower=_lower,
    )
)
