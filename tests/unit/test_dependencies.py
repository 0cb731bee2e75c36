"""Every dependency has a sentence that says why it is there."""

from __future__ import annotations

import re
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_every_dependency_says_why() -> None:
    lines = PYPROJECT.read_text("utf-8").splitlines()
    dependencies = [line for line in lines if re.match(r'\s+"[a-z0-9-]+[>=<\[]', line)]
    assert len(dependencies) > 10
    for line in dependencies:
        assert re.search(r'",\s+# \w.{10,}', line), f"without a reason: {line.strip()}"
