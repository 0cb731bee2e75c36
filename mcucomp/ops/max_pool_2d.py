"""MAX_POOL_2D: the largest value in a window."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.pooling import pool_definition

MAX_POOL_2D = register(
    pool_definition(
        "MAX_POOL_2D", "maximum of each channel in a window", ">", "mcuc_max_pool_2d_s8"
    )
)
