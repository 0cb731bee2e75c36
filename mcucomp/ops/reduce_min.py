"""REDUCE_MIN: smallest value along some dimensions."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.reduced_extrema import extremum_definition

REDUCE_MIN = register(
    extremum_definition(
        "REDUCE_MIN",
        "smallest value along some dimensions",
        is_min=True,
        dtypes=(DType.FLOAT32, DType.INT8),
    )
)
