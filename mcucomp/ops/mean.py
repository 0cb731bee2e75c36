"""MEAN: along any dimensions."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.means import mean_definition

MEAN = register(mean_definition("MEAN", "mean along some dimensions", is_mean=True))
