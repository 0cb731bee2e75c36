"""SUM: along any dimensions."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.means import mean_definition

SUM = register(mean_definition("SUM", "sum along some dimensions", is_mean=False))
