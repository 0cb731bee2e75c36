"""Where does a problem fall apart into pieces that can be ordered by themselves?

In: a problem. Out: downsets, each within the next, that some best order passes.

Two kinds. Every order passes a downset whose steps all precede all others.
And some best order passes a downset W that has the least live bytes among all
downsets between two that it passes anyway: replace each state D of the order
by D and W in common, then by D and W together; by submodularity neither costs
more, as long as no step of W loses a saving that D, but not W, allows.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from mcucomp.order.cuts import least_live
from mcucomp.order.derived import restricted
from mcucomp.order.problem import Problem, bits, change, live_after, savings_of_step


@dataclass(frozen=True, slots=True)
class Piece:
    """Steps between two waists, as a problem of its own.

    `members` are its steps in the numbering of the whole, ascending: step k of
    `problem` is `members[k]`. `live_bytes` is live where the piece begins.
    """

    problem: Problem
    members: tuple[int, ...]
    live_bytes: int


def series_waists(problem: Problem) -> list[int]:
    """The downsets, from nothing to everything, whose steps all precede all others.

    Needs a topological numbering: such a downset is then a prefix.
    """
    count = problem.count
    waists = [0]
    holds = [0] * (count + 1)  # for k: the longest prefix that all steps from k on follow
    holds[count] = count
    for v in range(count - 1, -1, -1):
        before = problem.ancestors[v]
        prefix = (~before & (before + 1)).bit_length() - 1
        holds[v] = min(prefix, holds[v + 1])
    for k in range(1, count + 1):
        if holds[k] >= k:
            waists.append((1 << k) - 1)
    return waists


def pieces(problem: Problem) -> list[Piece]:
    """The pieces of `problem`, in the order in which they run."""
    waists = series_waists(problem)
    live_bytes = live_after(problem, 0)
    result: list[Piece] = []
    for ran, done in itertools.pairwise(waists):
        members = tuple(bits(done & ~ran))
        part = restricted(problem, ran, done, live_bytes)
        result += _split(Piece(part, members, live_bytes))
        for v in members:
            live_bytes += change(problem, ran, v)[1]
            ran |= 1 << v
    return result


def _split(piece: Piece) -> list[Piece]:
    """The pieces that the least live downsets of `piece` make of it."""
    todo = [piece]
    result: list[Piece] = []
    while todo:
        part = todo.pop()
        waist = _waist(part.problem)
        if waist is None:
            result.append(part)
            continue
        live_bytes = live_after(part.problem, waist)
        everything = part.problem.everything
        upper = restricted(part.problem, waist, everything, live_bytes)
        lower = restricted(part.problem, 0, waist, part.live_bytes)
        todo.append(Piece(upper, _named(part, everything & ~waist), live_bytes))
        todo.append(Piece(lower, _named(part, waist), part.live_bytes))
    return result


def _named(part: Piece, steps: int) -> tuple[int, ...]:
    return tuple(part.members[v] for v in bits(steps))


def _keeps_savings(problem: Problem, waist: int) -> bool:
    """Whether no step of `waist` has a saving that waits for a step outside."""
    return not any(
        saving.others & ~waist for v in bits(waist) for saving in savings_of_step(problem, v)
    )


def _waist(problem: Problem) -> int | None:
    """A downset with the least live bytes that is neither nothing nor everything."""
    if problem.count < 2 or problem.first_bytes:
        return None  # what is live at the first position alone is not submodular
    cut = least_live(problem, 0, 0)
    for waist in (cut.least, cut.greatest):
        if waist not in (0, problem.everything) and _keeps_savings(problem, waist):
            return waist
    return None
