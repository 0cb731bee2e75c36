"""What was found out about one operator: bounds of its outputs, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcucomp.ops.base import Node
from mcucomp.values.interval import Interval


@dataclass(frozen=True, slots=True)
class Found:
    """Bounds of each output, None for what is not analysed; `why` they hold, in words.

    `sums` are those of a layer with weights, a pair for each channel.
    """

    outputs: tuple[Interval | None, ...]
    why: str
    sums: Interval | None = None


# Gives None where nothing is known but the outputs' types. Inputs of other types than int8 and
# int16 are None.
Transfer = Callable[[Node, Sequence[Interval | None]], Found | None]
