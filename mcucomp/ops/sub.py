"""SUB: two tensors of the same shape or broadcast."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import OperatorDef, register
from mcucomp.ops.element_types import by_type
from mcucomp.ops.pairs import FIRST, is_not_quantized, pair_constraints, quantized_constraints
from mcucomp.ops.sums import plain, quantized_sum, scale_constraints

_LOWERINGS = {
    DType.FLOAT32: plain(DType.FLOAT32, "-"),
    DType.INT8: quantized_sum("mcuc_sum_s8", -1),
    DType.INT16: quantized_sum("mcuc_sum_s16", -1),
    DType.INT32: plain(DType.INT32, "-"),
}

SUB = register(
    OperatorDef(
        kind="SUB",
        summary="difference of two tensors, each repeated along dimensions where it has 1",
        constraints=(
            *pair_constraints(tuple(_LOWERINGS)),
            *quantized_constraints(activation=True),
            is_not_quantized(),
            *scale_constraints(),
        ),
        lower=by_type(_LOWERINGS, FIRST),
    )
)
