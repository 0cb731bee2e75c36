"""L2_POOL_2D: the root of the mean square in a window."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.pooling import pool_definition

L2_POOL_2D = register(
    pool_definition("L2_POOL_2D", "root of the mean square of each channel in a window", "2")
)
