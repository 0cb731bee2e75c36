"""SQUEEZE: the same bytes without dimensions of 1, copied."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.views import view_definition

SQUEEZE = register(
    view_definition("SQUEEZE", "without dimensions of 1; the output's own shape counts")
)
