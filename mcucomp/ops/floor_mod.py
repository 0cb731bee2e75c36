"""FLOOR_MOD: what a division rounded down leaves over, with the sign of the divisor."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import OperatorDef, register
from mcucomp.ops.pairs import pair_call, pair_constraints

FLOOR_MOD = register(
    OperatorDef(
        kind="FLOOR_MOD",
        summary="what a division rounded down leaves over, with the sign of the divisor",
        constraints=pair_constraints((DType.FLOAT32,)),
        lower=lambda node: pair_call(node, "mcuc_floor_f32", {"is_rest": 1}),
    )
)
