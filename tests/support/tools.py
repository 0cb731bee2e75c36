"""Which tools does this machine have? Tests that want one are skipped, visibly, without it."""

from __future__ import annotations

import importlib.util
import shutil

import pytest


def missing(*names: str) -> list[str]:
    """Those of `names` that are neither a program on the PATH nor a Python package."""
    return [n for n in names if shutil.which(n) is None and importlib.util.find_spec(n) is None]


def require(*names: str) -> None:
    """Skip the calling test where a program or a Python package is missing."""
    absent = missing(*names)
    if absent:
        pytest.skip(f"skipped: {', '.join(absent)} not installed ('make setup' brings it)")
