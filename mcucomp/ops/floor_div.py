"""FLOOR_DIV: quotient of two tensors, rounded down."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import OperatorDef, register
from mcucomp.ops.pairs import pair_call, pair_constraints

FLOOR_DIV = register(
    OperatorDef(
        kind="FLOOR_DIV",
        summary="quotient of two tensors, rounded down",
        constraints=pair_constraints((DType.FLOAT32,)),
        lower=lambda node: pair_call(node, "mcuc_floor_f32", {"is_rest": 0}),
    )
)
