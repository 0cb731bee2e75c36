"""Which sound models are damaged?

Models that the tests make, the small public ones where this machine has them,
and the files that are named; of all of them those that can be planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcucomp import pipeline
from mcucomp.errors import McucompError
from tests.support.drawn_graphs import draw
from tests.support.models import residual_network
from tests.support.shared import models_directory

DRAWN = 12
SMALL_BYTES = 60_000


def seeds(more: Sequence[Path] = ()) -> list[bytes]:
    """The bytes of each seed; a folder among `more` stands for its `.tflite` files."""
    made = [residual_network().bytes(), *(draw(seed).bytes() for seed in range(DRAWN))]
    named = [f for p in more for f in (sorted(p.glob("*.tflite")) if p.is_dir() else [p])]
    public = sorted(models_directory().glob("*.tflite"))
    small = [path for path in (*public, *named) if path.stat().st_size < SMALL_BYTES]
    return [data for data in (*made, *(path.read_bytes() for path in small)) if _is_planned(data)]


def _is_planned(data: bytes) -> bool:
    try:
        pipeline.plan_model(data, "seed.tflite")
    except McucompError:
        return False
    return True
