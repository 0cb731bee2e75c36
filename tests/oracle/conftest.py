"""Hands the number of cases on when all tests have passed."""

from __future__ import annotations

import pytest

from tests.oracle import counted


def pytest_sessionfinish(exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK:
        counted.write()
