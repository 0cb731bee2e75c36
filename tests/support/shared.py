"""Where are the public models, if this machine has them?

They are where `mcucomp zoo fetch` puts them (`mcucomp.zoo.folder` says where), or in
the directory that `MCUCOMP_MODELS` names. Tests that want them are skipped, visibly,
where they are absent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mcucomp.zoo import models_folder


def models_directory() -> Path:
    """The directory that the shared models are looked for in; it may not exist."""
    return models_folder()


def shared_models() -> list[Path]:
    """All shared models, sorted by name; skips the calling test where there are none."""
    found = sorted(models_directory().glob("*.tflite"))
    if not found:
        pytest.skip("skipped: no public models (mcucomp zoo fetch --all, or set MCUCOMP_MODELS)")
    return found


def shared_model(name: str) -> Path:
    """The shared model `name`, without the suffix; skips the calling test without it."""
    path = models_directory() / f"{name}.tflite"
    if not path.is_file():
        pytest.skip(
            f"skipped: no public model {name} (mcucomp zoo fetch {name}, or set MCUCOMP_MODELS)"
        )
    return path


def cases_directory() -> Path:
    """Where shared cases would be: beside the models; it may not exist."""
    return models_directory().parent / "cases"
