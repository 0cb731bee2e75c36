"""Do the blocks fit into a capacity? A constraint solver that learns from its conflicts.

In: blocks and a capacity. Out: offsets, or that there are none by the solver's
word, or that the limit of work was reached.

The model is one constraint: rectangles of fixed times and variable offsets do
not overlap. The solver (CP-SAT of OR-tools) is told how to search: the block
that can lie lowest comes next, at its lowest offset. Among several, a given
sequence decides, and that is what matters most: with a good sequence there is
an answer within a hundred conflicts, and with a bad one none within thousands.
So there are many short tries, each with another sequence: the first ones by
crowd (the most bytes at one of a block's times), duration and area, the next
ones by drawn mixtures. All draws are seeded, one thread works, and the limit is
one of conflicts: the same blocks have the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block
from mcucomp.place.level_search import Fit, busy_times

_SEED = 1
_CONFLICTS = 150  # of the first tries
_TRIES_A_ROUND = 24  # then the tries become twice as long

Numbers = np.ndarray


def solver_fit(
    blocks: Sequence[Block],
    alignment: int,
    capacity_bytes: int,
    limit_tries: int,
    stop: Callable[[], bool] = lambda: False,
) -> Fit:
    """Fit `blocks` into `capacity_bytes`, with offsets that are multiples of `alignment`.

    `nodes` of the answer counts the solver's branches. Its offsets are to be
    tested by the caller, and `impossible` is a claim.
    """
    placed = [k for k, block in enumerate(blocks) if block.size_bytes]
    if not placed:
        return Fit((0,) * len(blocks), False, 0)
    chosen = [blocks[k] for k in placed]
    units = [round_up(b.size_bytes, alignment) // alignment for b in chosen]
    capacity = capacity_bytes // alignment
    if max(units) > capacity:
        return Fit(None, True, 0)
    starts, ends, count = busy_times(chosen)
    spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
    nodes = 0
    sequences = _sequences(spans, np.array(units), count)
    for number in range(limit_tries):
        if stop():
            break
        conflicts = _CONFLICTS << number // _TRIES_A_ROUND
        found, settled, branches = _try(spans, units, capacity, next(sequences), conflicts)
        nodes += branches
        if found is not None:
            offsets = [0] * len(blocks)
            for k, unit in zip(placed, found, strict=True):
                offsets[k] = unit * alignment
            return Fit(tuple(offsets), False, nodes)
        if settled:
            return Fit(None, True, nodes)
    return Fit(None, False, nodes)


def _try(
    spans: Sequence[tuple[int, int]],
    units: Sequence[int],
    capacity: int,
    sequence: Sequence[int],
    limit_conflicts: int,
) -> tuple[list[int] | None, bool, int]:
    """One try: offsets if found, whether that settles it, and how many branches it took."""
    from ortools.sat.python import cp_model  # half a second to import, and seldom needed

    model: Any = cp_model.CpModel()
    offsets = [model.new_int_var(0, capacity - size, "") for size in units]
    model.add_no_overlap_2d(
        [model.new_fixed_size_interval_var(a, b - a, "") for a, b in spans],
        [
            model.new_fixed_size_interval_var(offset, size, "")
            for offset, size in zip(offsets, units, strict=True)
        ],
    )
    model.add_decision_strategy(
        [offsets[k] for k in sequence], cp_model.CHOOSE_LOWEST_MIN, cp_model.SELECT_MIN_VALUE
    )
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = _SEED
    solver.parameters.search_branching = cp_model.FIXED_SEARCH
    solver.parameters.max_number_of_conflicts = limit_conflicts
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return [solver.value(offset) for offset in offsets], True, solver.num_branches
    return None, status == cp_model.INFEASIBLE, solver.num_branches


def _sequences(spans: Sequence[tuple[int, int]], units: Numbers, count: int) -> Iterator[list[int]]:
    """Sequences of the blocks without end, most urgent first."""
    live = np.zeros(count)
    for (start, end), size in zip(spans, units, strict=True):
        live[start:end] += size
    crowd = np.log([live[start:end].max() for start, end in spans])
    duration = np.log([end - start for start, end in spans])
    size = np.log(units)
    area = duration + size
    for first, second, third in (
        (crowd, duration, area),
        (crowd, area, duration),
        (duration, area, crowd),
    ):
        yield np.lexsort((-third, -second, -first)).tolist()
    draw = np.random.default_rng(_SEED)
    while True:
        urgency = draw.uniform(0, 2) * duration + draw.uniform(0, 2) * size
        urgency += draw.uniform(0, 8) * (draw.random() < 0.5) * crowd
        urgency += draw.choice([0.0, 0.05, 0.2]) * draw.standard_normal(len(units))
        yield np.argsort(-urgency, kind="stable").tolist()
