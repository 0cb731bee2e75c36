"""What proves that no order needs less? The forms of a proof, and the simplest bound.

A `Bound` says: every order of the problem has a peak of at least `bytes`. Its
witness can be replayed without a solver (see `certify/`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcucomp.order.cuts import Chain, during_cases, least_during
from mcucomp.order.problem import Problem, savings_of_step


@dataclass(frozen=True, slots=True)
class SavedFloor:
    """While a step writes over the buffers `reads`, at least `bytes` are live, the saving off."""

    reads: tuple[int, ...]
    bytes: int
    chains: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class StepFloor:
    """While `step` runs, at least `bytes` are live: its own items, and the chains' bytes.

    `chains` are those of the case in which the step writes over nothing, None
    where it always can; `saved` has the other cases. `bytes` is the least of all.
    """

    step: int
    bytes: int
    chains: tuple[Chain, ...] | None
    saved: tuple[SavedFloor, ...] = ()


@dataclass(frozen=True, slots=True)
class Trap:
    """Whichever of `members` runs first (last, where `reverse`) finds `bytes` live.

    `floors` has one entry for each member that can be the first (the last):
    those with no ancestor (descendant) among the members.
    """

    members: int
    reverse: bool
    bytes: int
    floors: tuple[StepFloor, ...] = ()


@dataclass(frozen=True, slots=True)
class ForcedEdge:
    """Within the budget `before` must run before `after`.

    For if `after` ran first, then `floor.step` (one of the two) would find more
    than the budget live: `after` while `before` has not run, or `before` once
    `after` has.
    """

    before: int
    after: int
    floor: StepFloor


@dataclass(frozen=True, slots=True)
class Bound:
    """Every order needs at least `bytes`.

    kind: "inputs" (what is live before the first step), "step", "forward-trap",
        "reverse-trap", "forced-precedence", "exhaustion", "ilp"; or "drift", which bounds
        not what is live but the arena.
    trap: the witness of the first four kinds, and the end of forced precedence.
    edges: for forced precedence and exhaustion: found one after the other, each
        using those before it; the trap holds once they are obeyed.
    states: for exhaustion: downsets that the search visited.
    chain: for drift: buffers of which each shares a step with the next.
    """

    kind: str
    bytes: int
    trap: Trap | None = None
    edges: tuple[ForcedEdge, ...] = ()
    states: int = 0
    chain: tuple[int, ...] = ()


def step_floor(problem: Problem, v: int, ran: int, barred: int) -> StepFloor:
    """What v finds live if `ran` has run and `barred` has not, with its witness.

    Chains are told forwards in time, whichever way the problem's time runs.
    """
    chains: tuple[Chain, ...] | None = None
    saved, costs = [], []
    for case, cut in during_cases(problem, v, ran, barred, chains=True):
        told = cut.chains
        if problem.backwards:
            told = tuple((size_bytes, items[::-1]) for size_bytes, items in told)
        costs.append(cut.live_bytes)
        if case.number is None:
            chains = told
        else:
            reads = savings_of_step(problem, v)[case.number].reads
            saved.append(SavedFloor(reads, cut.live_bytes, told))
    return StepFloor(v, min(costs), chains, tuple(saved))


def step_bound(problem: Problem, steps: Iterable[int], enough_bytes: int) -> Bound:
    """The best step bound over `steps`; stops at one of at least `enough_bytes`."""
    best = Bound("step", 0)
    for v in steps:
        cut = least_during(problem, v, 0, 0)
        if cut.live_bytes > best.bytes:
            best = Bound("step", cut.live_bytes, Trap(1 << v, False, cut.live_bytes))
        if best.bytes >= enough_bytes:
            break
    return best
