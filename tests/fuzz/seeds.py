"""Which sound models are damaged?

Models that the tests make, some with state or several graphs, the small public
ones where this machine has them, and the files that are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcucomp import pipeline
from mcucomp.errors import McucompError
from mcucomp.tflite import write
from tests.support.drawn_graphs import draw
from tests.support.models import residual_network
from tests.support.shared import models_directory
from tests.support.state_models import MODELS

DRAWN = 12
SMALL_BYTES = 60_000


def read_seeds(more: Sequence[Path] = (), most_bytes: int = SMALL_BYTES) -> list[bytes]:
    """The bytes of each file up to `most_bytes`; a folder stands for its `.tflite` files."""
    made = [
        residual_network().bytes(),
        *(draw(seed).bytes() for seed in range(DRAWN)),
        *(write(make()) for make in MODELS.values()),
    ]
    named = [f for p in more for f in (sorted(p.glob("*.tflite")) if p.is_dir() else [p])]
    paths = [*sorted(models_directory().glob("*.tflite")), *named]
    small = [path.read_bytes() for path in paths if path.stat().st_size <= most_bytes]
    return [data for data in (*made, *small) if len(data) <= most_bytes]


def planned_seeds(more: Sequence[Path] = ()) -> list[bytes]:
    """Those that can be planned."""
    return [data for data in read_seeds(more) if _is_planned(data)]


def _is_planned(data: bytes) -> bool:
    try:
        pipeline.plan_model(data, "seed.tflite")
    except McucompError:
        return False
    return True
