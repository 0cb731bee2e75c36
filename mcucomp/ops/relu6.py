"""RELU6: each value kept between 0 and 6.

Of int8 and int16 the stored values are bounded and not scaled: TensorFlow Lite
Micro ignores the output's quantisation.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import INT8_MAX, INT8_MIN, INT16_LIMITS, activation_range
from mcucomp.ops.base import KernelCall, Node, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.unary import bounded_float_call, piecewise_int16, table_of, unary_definition


def _limits(node: Node, limits: tuple[int, int]) -> tuple[int, int]:
    source = node.input(0)
    return activation_range("RELU6", scale_of(source), zero_point_of(source), limits)


def _int8(node: Node, x: int) -> int:
    low, high = _limits(node, (INT8_MIN, INT8_MAX))
    return min(max(x, low), high)


def _int16(node: Node) -> KernelCall:
    call = piecewise_int16(node, 1.0, 1.0, limits=_limits(node, INT16_LIMITS))
    in_zero_point = zero_point_of(node.input(0))
    params = {**call.params, "out_zero_point": in_zero_point}
    return KernelCall(call.kernel, params, call.reads, call.writes)


RELU6 = register(
    unary_definition(
        "RELU6",
        "each value kept between 0 and 6; of int8 and int16 not scaled, as in TFLM",
        {
            DType.FLOAT32: bounded_float_call("c", lambda node: (0.0, 6.0)),
            DType.INT8: table_of(_int8),
            DType.INT16: _int16,
        },
    )
)
