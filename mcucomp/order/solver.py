"""Which solver answers an integer program, and how is it kept repeatable and quiet?

HiGHS where `highspy` is there, else the CBC that PuLP carries. One thread, a
fixed seed, and the values that the variables already have as its start. What a
solver says is a claim: it computes with floating-point numbers.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import pulp

_SEED = 1


class _StartedHiGHS(pulp.HiGHS):  # type: ignore[misc]
    """HiGHS that is told the values that the variables already have."""

    def callSolver(self, lp: Any) -> None:  # noqa: N802 (PuLP's name)
        values = [variable.varValue for variable in lp.variables()]
        if values and all(value is not None for value in values):
            columns = list(range(len(values)))
            lp.solverModel.setSolution(len(values), columns, [float(v) for v in values])
        super().callSolver(lp)


def solve(model: Any, limit_s: float | None) -> None:
    """Solve a PuLP model in place; its status says how that went."""
    with _stdout_silenced():
        model.solve(_solver(limit_s))


def _solver(limit_s: float | None) -> Any:
    if pulp.HiGHS().available():
        return _StartedHiGHS(msg=False, timeLimit=limit_s, threads=1, gapRel=0.0, random_seed=_SEED)
    return pulp.PULP_CBC_CMD(
        msg=False,
        timeLimit=limit_s,
        threads=1,
        gapRel=0.0,
        warmStart=True,
        options=[f"randomSeed {_SEED}"],
    )


@contextlib.contextmanager
def _stdout_silenced() -> Iterator[None]:
    """HiGHS prints a banner when it is made, whatever it is told; stdout is for answers."""
    sys.stdout.flush()
    saved = os.dup(1)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    try:
        yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)
        os.close(silence)
