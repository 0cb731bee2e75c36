"""REDUCE_ALL: whether all are true along some dimensions."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.reduced_extrema import extremum_definition

REDUCE_ALL = register(
    extremum_definition(
        "REDUCE_ALL",
        "whether all are true along some dimensions",
        is_min=True,
        dtypes=(DType.BOOL,),
    )
)
