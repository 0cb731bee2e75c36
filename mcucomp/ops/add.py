"""ADD: two tensors of the same shape or broadcast."""

from __future__ import annotations

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.convolution import output_params
from mcucomp.ops.element_types import by_type
from mcucomp.ops.pairs import (
    FIRST,
    is_not_quantized,
    pair_constraints,
    quantized_constraints,
    walk,
)
from mcucomp.ops.sums import plain, quantized_sum, real_output, scale_constraints


def _lower_int8(node: Node) -> KernelCall:
    a, b = _wider_first(node.input(0), node.input(1))
    result = node.output()
    # The wider scale over twice itself is exactly one half: a shift in the kernel.
    b_multiplier, b_exponent = quantize_multiplier(scale_of(b) / (2 * scale_of(a)))
    out_multiplier, out_exponent = quantize_multiplier(real_output(node))
    scaling: dict[str, ParamValue] = {
        "b_multiplier": b_multiplier,
        "out_multiplier": out_multiplier,
        "a_offset": -zero_point_of(a),
        "b_offset": -zero_point_of(b),
        "b_right_shift": -b_exponent,
        "out_right_shift": -out_exponent,
        **output_params(node, result),
    }
    if a.elements == b.elements == result.elements:
        kernel = "mcuc_add_s8"
        params: dict[str, ParamValue] = {"size": result.elements, **scaling}
    else:
        kernel = "mcuc_add_s8__broadcast"
        params = {**walk(a, b, result), **scaling}
    return KernelCall(kernel, params, reads=(a.index, b.index), writes=(result.index,))


def _wider_first(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    return (a, b) if scale_of(a) >= scale_of(b) else (b, a)


_LOWERINGS = {
    DType.FLOAT32: plain(DType.FLOAT32, "+"),
    DType.INT8: _lower_int8,
    DType.INT16: quantized_sum("mcuc_sum_s16", 1),
    # TFLM adds int32 without the fused activation.
    DType.INT32: plain(DType.INT32, "+", has_activation=False),
}

ADD = register(
    OperatorDef(
        kind="ADD",
        summary="sum of two tensors, each repeated along dimensions where it has 1",
        constraints=(
            *pair_constraints(tuple(_LOWERINGS)),
            *quantized_constraints(activation=True),
            is_not_quantized(),
            *scale_constraints(),
        ),
        lower=by_type(_LOWERINGS, FIRST),
    )
)
