"""Where are the public models on this machine? The one place that says so.

The environment variable MCUCOMP_MODELS names the folder. Without it, that is
`shared/models` beside the checkout if it is there, else a folder of the user's cache.
"""

from __future__ import annotations

import os
from pathlib import Path

from mcucomp.zoo.table import ZooModel

VARIABLE = "MCUCOMP_MODELS"
_BESIDE_CHECKOUT = Path(__file__).resolve().parents[3] / "shared" / "models"


def models_folder() -> Path:
    """The folder of `NAME.tflite`; it need not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if _BESIDE_CHECKOUT.is_dir():
        return _BESIDE_CHECKOUT
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "mcucomp" / "models"


def model_file(model: ZooModel) -> Path:
    """Where the file of `model` is, or would be."""
    return models_folder() / f"{model.name}.tflite"


def is_present(model: ZooModel) -> bool:
    """Whether a file of its size is there; `fetch` and trials look at its hash too."""
    path = model_file(model)
    return path.is_file() and path.stat().st_size == model.size_bytes
