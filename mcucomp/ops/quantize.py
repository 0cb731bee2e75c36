"""QUANTIZE: float32 or integers to integers of another scale."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_same_shape,
    is_quantized,
    is_scale,
    of_tensor,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import int8_array
from mcucomp.ops.element_types import by_type, has_types, where
from mcucomp.ops.fixed_point import scaled
from mcucomp.ops.movement import bytes_of
from mcucomp.ops.scales import is_scaled_below, scale_ratio

_LIMITS = {
    DType.INT8: (-(2**7), 2**7 - 1),
    DType.UINT8: (0, 2**8 - 1),
    DType.INT16: (-(2**15), 2**15 - 1),
    DType.INT32: (-(2**31), 2**31 - 1),
}
_INTEGERS = tuple(_LIMITS)


def _has_a_scale(role: Role) -> Constraint:
    """int32 too has a scale here."""

    def found(tensor: Tensor) -> str | None:
        q = tensor.quantization
        if q is None or len(q.scales) != 1 or len(q.zero_points) != 1:
            return "no quantisation" if q is None or not q.scales else f"{len(q.scales)} scales"
        if not is_scale(q.scales[0]):
            return f"scale {q.scales[0]!r}"
        low, high = _LIMITS.get(tensor.dtype, (0, 0))
        return None if low <= q.zero_points[0] <= high else f"zero point {q.zero_points[0]}"

    return of_tensor(role, "has one scale and one zero point within its type", found)


def _call(node: Node, kernel: str, params: dict[str, ParamValue]) -> KernelCall:
    return KernelCall(kernel, params, (node.input(0).index,), (node.output().index,))


def _lower_float32(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    kind = "s16" if result.dtype is DType.INT16 else "s8"
    return _call(
        node,
        f"mcuc_quantize_f32_{kind}",
        {
            "size": source.elements,
            "scale": scale_of(result),
            "zero_point": zero_point_of(result),
        },
    )


def _table_call(node: Node) -> KernelCall:
    """Bytes to bytes where one side is uint8: a table over what is stored."""
    source, result = node.input(0), node.output()
    multiplier, exponent = quantize_multiplier(scale_ratio(node))
    low, high = _LIMITS[result.dtype]
    stored = []
    for byte in range(-128, 128):
        value = byte % 256 if source.dtype is DType.UINT8 else byte
        value = scaled(value - zero_point_of(source), multiplier, exponent)
        stored.append(min(max(value + zero_point_of(result), low), high))
    table = int8_array(np.array(stored).astype(np.uint8).view(np.int8))
    return _call(node, "mcuc_lookup_s8", {"table": table, "size": source.elements})


def _lower_integer(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    if DType.UINT8 in (source.dtype, result.dtype):
        return _table_call(node)
    multiplier, exponent = quantize_multiplier(scale_ratio(node))
    in_zero_point, out_zero_point = zero_point_of(source), zero_point_of(result)
    if source.dtype is result.dtype is DType.INT8:
        return _call(
            node,
            "mcuc_requantize_s8",
            {
                "size": source.elements,
                "multiplier": multiplier,
                "right_shift": -exponent,
                "in_zero_point": in_zero_point,
                "out_zero_point": out_zero_point,
            },
        )
    low, high = _LIMITS[result.dtype]
    return _call(
        node,
        "mcuc_requantize_wide",
        {
            "size": source.elements,
            "multiplier": multiplier,
            "in_zero_point": in_zero_point,
            "out_zero_point": out_zero_point,
            "out_min": low,
            "out_max": high,
            "right_shift": -exponent,
            "in_bytes": bytes_of(source),
            "out_bytes": bytes_of(result),
        },
    )


QUANTIZE = register(
    OperatorDef(
        kind="QUANTIZE",
        summary="float32 or integers to integers of another scale; NaN becomes the zero point",
        constraints=(
            takes(INPUT),
            has_types(
                (INPUT, OUTPUT),
                (
                    (DType.FLOAT32, (DType.INT8, DType.INT16)),
                    (DType.INT8, (DType.INT8, DType.UINT8, DType.INT16, DType.INT32)),
                    (DType.UINT8, DType.INT8),
                    (DType.INT16, (DType.INT8, DType.INT16, DType.INT32)),
                    (DType.INT32, (DType.INT8, DType.INT16)),
                ),
            ),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_quantized(OUTPUT),
            is_quantized(INPUT),
            _has_a_scale(OUTPUT),
            where(DType.INT32, _has_a_scale(INPUT)),
            is_scaled_below(dtypes=_INTEGERS),
        ),
        lower=by_type({DType.FLOAT32: _lower_float32, **dict.fromkeys(_INTEGERS, _lower_integer)}),
    )
)
