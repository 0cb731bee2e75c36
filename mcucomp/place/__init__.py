"""Which byte does each buffer start at? One module a placer."""

from mcucomp.place.best_placement import (
    EFFORTS,
    Effort,
    place,
    place_with_overlaps,
    quick_placement,
)
from mcucomp.place.blocks import Block, Placement, highest_byte, live_peak
from mcucomp.place.meetings import Overlaps, Range

__all__ = [
    "EFFORTS",
    "Block",
    "Effort",
    "Overlaps",
    "Placement",
    "Range",
    "highest_byte",
    "live_peak",
    "place",
    "place_with_overlaps",
    "quick_placement",
]
