"""Which public models are there to try a compiler on, and what becomes of them here?

`models.toml` has a row of facts a model; `fetch` downloads and verifies files,
`try_model` builds one for the host and compares it with TensorFlow Lite Micro.
Tests and commands look for models in one place, `models_folder()`.
"""

from mcucomp.zoo.fetch import ADDRESS, fetch
from mcucomp.zoo.folder import is_present, model_file, models_folder
from mcucomp.zoo.table import ZooModel, known, named
from mcucomp.zoo.trial import Outcome, Trial, try_model

__all__ = [
    "ADDRESS",
    "Outcome",
    "Trial",
    "ZooModel",
    "fetch",
    "is_present",
    "known",
    "model_file",
    "models_folder",
    "named",
    "try_model",
]
