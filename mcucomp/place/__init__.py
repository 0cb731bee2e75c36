"""Which byte does each buffer start at? One module a placer."""

from mcucomp.place.best_placement import place, place_with_overlaps, quick_placement
from mcucomp.place.blocks import Block, Placement, highest_byte, live_peak
from mcucomp.place.meetings import Overlaps, Range

__all__ = [
    "Block",
    "Overlaps",
    "Placement",
    "Range",
    "highest_byte",
    "live_peak",
    "place",
    "place_with_overlaps",
    "quick_placement",
]
