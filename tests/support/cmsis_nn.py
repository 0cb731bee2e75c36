"""Where is a copy of CMSIS-NN for tests? Those that want one are skipped, visibly, without it.

The package bakenn carries a part of release 4.0.0. MCUCOMP_CMSIS_NN names the
folder of another, or whole, copy.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from mcucomp.backends.cmsis_nn_copy import Copy, find

_FOLDER_IN_PACKAGE = Path("backend", "cmsis_nn", "vendor", "cmsis_nn")


def folder() -> Path | None:
    """The copy's folder; None where there is none."""
    named = os.environ.get("MCUCOMP_CMSIS_NN")
    if named:
        return Path(named)
    package = importlib.util.find_spec("bakenn")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / _FOLDER_IN_PACKAGE


def copy() -> Copy:
    """The copy; skips the calling test without one."""
    at = folder()
    if at is None:
        pytest.skip("skipped: bakenn not installed ('make setup' brings it)")
    return find(at)
