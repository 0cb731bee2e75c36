"""MAXIMUM: the larger of two values."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.extrema import extremum_definition

MAXIMUM = register(extremum_definition("MAXIMUM", "the larger of two values", is_min=False))
