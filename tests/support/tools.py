"""Which tools does this machine have? Tests that want one are skipped, visibly, without it."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest


def missing(*names: str) -> list[str]:
    """Those of `names` that are neither a program on the PATH nor a Python package."""
    return [n for n in names if shutil.which(n) is None and importlib.util.find_spec(n) is None]


def program(name: str) -> str:
    """The path of a program: on the PATH, or beside this Python, where packages put theirs."""
    path = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    assert path is not None, f"{name} is not installed; require() it first"
    return path


def require(*names: str) -> None:
    """Skip the calling test where a program or a Python package is missing."""
    absent = missing(*names)
    if absent:
        pytest.skip(f"skipped: {', '.join(absent)} not installed ('make setup' brings it)")
