"""Which byte does each buffer start at? One module a placer."""

from mcucomp.place.best_placement import EFFORTS, Effort, place, quick_placement
from mcucomp.place.blocks import Block, Placement, highest_byte, live_peak

__all__ = [
    "EFFORTS",
    "Block",
    "Effort",
    "Placement",
    "highest_byte",
    "live_peak",
    "place",
    "quick_placement",
]
