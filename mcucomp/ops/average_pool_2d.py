"""AVERAGE_POOL_2D: pixels outside the image do not count."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.pooling import pool_definition

AVERAGE_POOL_2D = register(
    pool_definition(
        "AVERAGE_POOL_2D",
        "mean of each channel in a window, over the pixels inside the image",
        "m",
        "mcuc_average_pool_2d_s8",
    )
)
