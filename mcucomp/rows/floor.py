"""How little can any order of row steps have live?

In: a problem of row steps and a schedule. Out: the best bound that is found, cheapest
means first: what is live from the start, the step bound, a search that leaves
no order out, traps.
"""

from __future__ import annotations

from mcucomp.order.bounds import Bound, step_bound
from mcucomp.order.problem import Problem, live_after, step_costs
from mcucomp.order.search import search
from mcucomp.order.traps import forward_trap, reverse_trap
from mcucomp.rows.segments import Schedule

_SEARCH_STATES = 2_000  # few are needed where the search settles it at all
_TRAP_STEPS = 800  # with more, traps take minutes


def inputs_floor(problem: Problem) -> Bound:
    """What is live from the start, however operators run."""
    return Bound("inputs", live_after(problem, 0) + problem.first_bytes)


def row_floor(problem: Problem, schedule: Schedule) -> Bound:
    """The best bound, without witness; stops at the schedule's peak."""
    peak_bytes = schedule.peak_bytes
    best = inputs_floor(problem)
    if problem.count and best.bytes < peak_bytes:
        best = max(best, _step_bound(problem, schedule), key=lambda bound: bound.bytes)
    if best.bytes < peak_bytes:
        result = search(problem, peak_bytes - 1, _SEARCH_STATES)
        if result.exhausted:
            return Bound("exhaustion", peak_bytes, states=result.states)
    if best.bytes < peak_bytes and problem.count <= _TRAP_STEPS:
        for kind, find in (("forward-trap", forward_trap), ("reverse-trap", reverse_trap)):
            trap = find(problem, best.bytes, peak_bytes)
            if trap is not None:
                best = Bound(kind, trap.bytes, trap)
            if best.bytes >= peak_bytes:
                break
    return best


def _step_bound(problem: Problem, schedule: Schedule) -> Bound:
    """A step's bound is at most what it costs in the schedule: the dearest come first."""
    costs = step_costs(problem, schedule.order)
    best = Bound("step", 0)
    for k in sorted(range(problem.count), key=lambda k: -costs[k]):
        if best.bytes >= costs[k]:
            break
        found = step_bound(problem, (schedule.order[k],), schedule.peak_bytes)
        best = max(best, found, key=lambda bound: bound.bytes)
    return best
