"""MUL: two tensors of the same shape or broadcast."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import is_scalable, quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.convolution import output_params
from mcucomp.ops.element_types import by_type, where
from mcucomp.ops.pairs import FIRST, QUANTIZED, pair_call, pair_constraints, quantized_constraints
from mcucomp.ops.sums import plain


def _real_multiplier(node: Node) -> float:
    return scale_of(node.input(0)) * scale_of(node.input(1)) / scale_of(node.output())


def _scales_found(node: Node) -> str | None:
    real = _real_multiplier(node)
    return None if is_scalable(real) else f"{real:.6g}"


def _lower_quantized(node: Node) -> KernelCall:
    a, b, result = node.input(0), node.input(1), node.output()
    multiplier, exponent = quantize_multiplier(_real_multiplier(node))
    return pair_call(
        node,
        "mcuc_mul_s16" if a.dtype is DType.INT16 else "mcuc_mul_s8",
        {
            "a_offset": -zero_point_of(a),
            "b_offset": -zero_point_of(b),
            "multiplier": multiplier,
            **output_params(node, result),
            "right_shift": -exponent,
        },
    )


_LOWERINGS = {
    DType.FLOAT32: plain(DType.FLOAT32, "*"),
    DType.INT8: _lower_quantized,
    DType.INT16: _lower_quantized,
    DType.INT32: plain(DType.INT32, "*"),
}

MUL = register(
    OperatorDef(
        kind="MUL",
        summary="product of two tensors, each repeated along dimensions where it has 1",
        constraints=(
            *pair_constraints(tuple(_LOWERINGS)),
            *quantized_constraints(activation=True),
            where(
                QUANTIZED,
                Constraint(
                    "first scale * second scale / output scale is below 2^30", _scales_found
                ),
                FIRST,
            ),
        ),
        lower=by_type(_LOWERINGS, FIRST),
    )
)
