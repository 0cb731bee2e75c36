"""Where are the public models, if this machine has them?

`MCUCOMP_MODELS` names their directory; without it, it is `../shared/models`
beside the checkout. Tests that want them are skipped, visibly, where they are
absent.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[2]


def models_directory() -> Path:
    """The directory that the shared models are looked for in; it may not exist."""
    named = os.environ.get("MCUCOMP_MODELS")
    return Path(named) if named else _CHECKOUT.parent / "shared" / "models"


def shared_models() -> list[Path]:
    """All shared models, sorted by name; skips the calling test where there are none."""
    found = sorted(models_directory().glob("*.tflite"))
    if not found:
        pytest.skip("skipped: no shared models (set MCUCOMP_MODELS to their directory)")
    return found


def shared_model(name: str) -> Path:
    """The shared model `name`, without the suffix; skips the calling test without it."""
    path = models_directory() / f"{name}.tflite"
    if not path.is_file():
        pytest.skip(f"skipped: no shared model {name} (set MCUCOMP_MODELS to their directory)")
    return path


def cases_directory() -> Path:
    """Where shared cases would be: beside the models; it may not exist."""
    return models_directory().parent / "cases"
