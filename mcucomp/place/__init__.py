"""Which byte does each buffer start at? One module a placer."""

from mcucomp.place.best_placement import place
from mcucomp.place.blocks import Block, Placement, highest_byte, live_peak

__all__ = ["Block", "Placement", "highest_byte", "live_peak", "place"]
