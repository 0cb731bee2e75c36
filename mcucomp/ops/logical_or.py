"""LOGICAL_OR: where either or both of two conditions hold."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import OperatorDef, register
from mcucomp.ops.pairs import pair_call, pair_constraints

LOGICAL_OR = register(
    OperatorDef(
        kind="LOGICAL_OR",
        summary="where either or both of two conditions hold",
        constraints=pair_constraints((DType.BOOL,)),
        lower=lambda node: pair_call(node, "mcuc_logical", {"is_and": 0}),
    )
)
