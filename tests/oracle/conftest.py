"""Gathers the cases that tests compare, and hands them on when all have passed.

Each test's cases go with its report, which pytest-xdist brings to the process that reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle import counted

_PROPERTY = "cases"
_SELECTIONS = ("keyword", "markexpr", "deselect", "lf")
_tally = counted.Tally()


@pytest.fixture(autouse=True)
def _cases_of_this_test(request: pytest.FixtureRequest) -> Iterator[None]:
    counted.taken()
    yield
    request.node.user_properties.append((_PROPERTY, counted.taken()))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    path = Path(report.nodeid.partition("::")[0])
    if path.parent.name != counted.FOLDER.name:
        return
    if report.skipped:
        _tally.skip(path.name)
    if report.when == "teardown":
        for name, rows in report.user_properties:
            if name == _PROPERTY:
                _tally.add(path.name, rows)  # type: ignore[arg-type]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    is_whole = not any(config.getoption(name, None) for name in _SELECTIONS)
    is_whole = is_whole and not any("::" in argument for argument in config.args)
    if exitstatus == pytest.ExitCode.OK and is_whole and not hasattr(config, "workerinput"):
        counted.write(_tally)
