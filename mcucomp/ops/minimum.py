"""MINIMUM: the smaller of two values."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.extrema import extremum_definition

MINIMUM = register(extremum_definition("MINIMUM", "the smaller of two values", is_min=True))
