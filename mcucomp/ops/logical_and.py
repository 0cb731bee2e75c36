"""LOGICAL_AND: where both of two conditions hold."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import OperatorDef, register
from mcucomp.ops.pairs import pair_call, pair_constraints

LOGICAL_AND = register(
    OperatorDef(
        kind="LOGICAL_AND",
        summary="where both of two conditions hold",
        constraints=pair_constraints((DType.BOOL,)),
        lower=lambda node: pair_call(node, "mcuc_logical", {"is_and": 1}),
    )
)
