"""How is a long sequence of row steps told in few words?

In: pairs (operator, row), in their order. Out: turns of shorter sequences:
every turn has the same operators, their rows moved on by a fixed number. A
schedule of rows is a prologue, a period and an epilogue for each stretch of
operators that run together, so that little is left of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_STEPS = 512  # of a turn
_STEP_BYTES = 4
_LOOP_BYTES = 8
_GREATEST_MOVE = 255


@dataclass(frozen=True, slots=True)
class TurnStep:
    """`operator` computes `row` in the first turn, `move` rows further in each that follows."""

    operator: int
    row: int
    move: int


@dataclass(frozen=True, slots=True)
class Loop:
    """`steps`, `turns` times."""

    steps: tuple[TurnStep, ...]
    turns: int


def loops_of(steps: Sequence[tuple[int, int]]) -> tuple[Loop, ...]:
    """The loops that run `steps`, in the fewest bytes of tables that were found."""
    choices = _repeats(steps)
    count = len(steps)
    cost = [0] * (count + 1)
    taken: list[tuple[int, int]] = [(1, 1)] * count
    for i in range(count - 1, -1, -1):
        cost[i] = cost[i + 1] + _STEP_BYTES
        for length, turns in choices[i]:
            found = cost[i + length * turns] + length * _STEP_BYTES + _LOOP_BYTES
            if found < cost[i]:
                cost[i], taken[i] = found, (length, turns)
    loops: list[Loop] = []
    i = 0
    while i < count:
        length, turns = taken[i]
        if turns > 1:
            loops.append(_loop(steps, i, length, turns))
        elif loops and loops[-1].turns == 1:
            loops[-1] = Loop((*loops[-1].steps, TurnStep(*steps[i], 0)), 1)
        else:
            loops.append(Loop((TurnStep(*steps[i], 0),), 1))
        i += length * turns
    return tuple(loops)


def unrolled(loops: Sequence[Loop]) -> list[tuple[int, int]]:
    """The steps that `loops` run."""
    return [
        (step.operator, step.row + turn * step.move)
        for loop in loops
        for turn in range(loop.turns)
        for step in loop.steps
    ]


def _loop(steps: Sequence[tuple[int, int]], first: int, length: int, turns: int) -> Loop:
    turn = steps[first : first + length]
    following = steps[first + length : first + 2 * length]
    return Loop(
        tuple(
            TurnStep(operator, row, later - row)
            for (operator, row), (_, later) in zip(turn, following, strict=True)
        ),
        turns,
    )


def _repeats(steps: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """For each position (steps of a turn, turns) of the repetitions that begin there."""
    choices: list[list[tuple[int, int]]] = [[] for _ in steps]
    operators = np.array([operator for operator, _ in steps], np.int64)
    rows = np.array([row for _, row in steps], np.int64)
    for length in range(1, min(MOST_STEPS, len(steps) // 2) + 1):
        moves = rows[length:] - rows[:-length]
        alike = (operators[length:] == operators[:-length]) & (moves >= 0)
        alike &= moves <= _GREATEST_MOVE
        steady = (moves[length:] == moves[:-length]) & alike[length:]
        first, further = _runs(alike), _runs(steady)
        further = np.append(further, np.zeros(len(first) - len(further), np.int64))
        turns = np.minimum(1 + first // length, 2 + further // length)
        for i in np.flatnonzero(turns > 1).tolist():
            choices[i].append((length, int(turns[i])))
    return choices


def _runs(flags: np.ndarray) -> np.ndarray:
    """For each position, how many in a row are set from there on."""
    places = np.arange(len(flags), dtype=np.int64)
    stops = np.where(flags, len(flags), places)
    following: np.ndarray = np.minimum.accumulate(stops[::-1])[::-1] - places
    return following
