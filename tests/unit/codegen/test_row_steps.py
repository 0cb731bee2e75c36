"""Loops run exactly the steps that they were made of, in far fewer words where there is one."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.codegen.row_steps import Loop, TurnStep, loops_of, unrolled


def test_prologue_period_and_epilogue_are_found() -> None:
    steps = [(0, 0), (0, 1), (1, 0)]
    for i in range(10):
        steps += [(0, 2 + i), (1, 1 + i), (2, 2 * i), (2, 2 * i + 1)]
    steps.append((3, 0))
    period = (TurnStep(0, 2, 1), TurnStep(1, 1, 1), TurnStep(2, 0, 2), TurnStep(2, 1, 2))
    assert loops_of(steps) == (
        Loop((TurnStep(0, 0, 0), TurnStep(0, 1, 0), TurnStep(1, 0, 0)), 1),
        Loop(period, 10),
        Loop((TurnStep(3, 0, 0),), 1),
    )


def test_nothing_is_no_loop() -> None:
    assert loops_of([]) == ()


def test_a_row_that_moves_back_is_no_period() -> None:
    steps = [(0, row) for row in (5, 4, 3, 2, 1, 0)]
    assert unrolled(loops_of(steps)) == steps
    assert all(loop.turns == 1 for loop in loops_of(steps))


@pytest.mark.parametrize("seed", range(40))
def test_loops_run_the_steps_that_were_given(seed: int) -> None:
    draw = np.random.default_rng(seed)
    steps: list[tuple[int, int]] = []
    while len(steps) < 60:
        if draw.random() < 0.5:
            steps.append((int(draw.integers(0, 3)), int(draw.integers(0, 400))))
            continue
        turn = [tuple(draw.integers(0, 4, 3).tolist()) for _ in range(int(draw.integers(1, 5)))]
        for i in range(int(draw.integers(1, 6))):
            steps += [(which, row + i * move) for which, row, move in turn]
    assert unrolled(loops_of(steps)) == steps
