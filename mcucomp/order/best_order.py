"""What is the best order, and what proves it?

In: a problem. Out: an order, a floor for every order, and the proof of the
floor. The problem is cut at its waists; the piece with the largest peak alone
decides, so it is improved and bounded until its floor meets its peak, and then
the next, until the largest floor is the largest peak.

Within a piece the cheapest means come first: candidates, step bound and traps,
then the search for a better order, forced precedence, exhaustion, and at last
the integer program.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mcucomp.order import PLANNERS
from mcucomp.order.bounds import Bound, ForcedEdge, StepFloor, Trap, step_bound
from mcucomp.order.candidates import beam, best_of, quick_orders
from mcucomp.order.deadline import Deadline
from mcucomp.order.derived import mirrored
from mcucomp.order.forced_precedence import force
from mcucomp.order.integer_program import solve_order
from mcucomp.order.problem import Problem, bits, live_after, peak_of, set_of, step_costs
from mcucomp.order.search import SearchResult, search
from mcucomp.order.traps import forward_trap, reverse_trap
from mcucomp.order.waists import Piece, pieces

# Enough for every graph of the benchmark; a limit in work, not time, keeps results repeatable.
_QUICK_STATES = 2_000
_HALVING_STATES = 10_000
_SEARCH_STATES = 100_000
_PROGRAM_STEPS = 32  # with more the integer program takes longer than it is worth
_FORCING_CUTS = 20_000
_BEAM_WIDTH = 48
_COMPARED = 400  # steps up to which further orders are worth their time


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The best order found: a permutation of the problem's steps.

    `floor` is the best bound for every order, in the problem's numbering;
    `others` are further orders of the same peak, for a placer that wants a choice.
    `waists` are the downsets at which the problem fell apart, with their live
    bytes.
    """

    order: list[int]
    peak_bytes: int
    floor: Bound
    others: tuple[list[int], ...]
    waists: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Work:
    """A piece with the best order and the best bound known for it.

    `floor_bytes` is proven by `bound`, or by the peak of another piece.
    """

    piece: Piece
    order: list[int]
    peak_bytes: int
    bound: Bound
    tried: set[str] = field(default_factory=set)


def best_order(problem: Problem, planner: str, deadline: Deadline) -> OrderResult:
    """Settle `problem` with one of `PLANNERS`, as far as its means and the deadline go."""
    parts = pieces(problem)
    works = [_start(piece) for piece in parts]
    inputs = Bound("inputs", live_after(problem, 0) + problem.first_bytes)
    while works:
        top = max(works, key=lambda w: w.peak_bytes)
        floor_bytes = max(inputs.bytes, *(w.bound.bytes for w in works))
        method = next((m for m in PLANNERS[planner] if m not in top.tried), None)
        if top.peak_bytes <= floor_bytes or method is None or deadline.passed:
            break
        top.tried.add(method)
        METHODS[method](top, floor_bytes, deadline)
    order, *others = _orders(problem, works, planner)
    best = max(works, key=lambda w: w.bound.bytes, default=None)
    floor = inputs
    if best is not None and best.bound.bytes > inputs.bytes:
        floor = _in_whole(best.bound, best.piece.members)
    return OrderResult(order, peak_of(problem, order), floor, tuple(others), _waists(parts))


def _orders(problem: Problem, works: Sequence[_Work], planner: str) -> list[list[int]]:
    """The orders of least peak that are known, the given one first if it is among them."""
    given = list(range(problem.count))
    if planner == "file":
        return [given]
    found = [work.piece.members[v] for work in works for v in work.order]
    peak_bytes = peak_of(problem, found)
    orders = (
        [given, found, *quick_orders(problem)] if problem.count <= _COMPARED else [given, found]
    )
    best = []
    for order in orders:
        if order not in best and peak_of(problem, order) == peak_bytes:
            best.append(order)
    return best


def _start(piece: Piece) -> _Work:
    order, peak_bytes = best_of(piece.problem, quick_orders(piece.problem))
    return _Work(piece, order, peak_bytes, Bound("step", 0))


def _improve(work: _Work, order: list[int]) -> None:
    """Take `order` if it is better; then what was tried against the old peak is open again."""
    peak_bytes = peak_of(work.piece.problem, order)
    if peak_bytes < work.peak_bytes:
        work.order, work.peak_bytes = order, peak_bytes
        work.tried -= {"step", "traps", "forced precedence", "exhaustion", "ilp"}


def _raise(work: _Work, bound: Bound) -> None:
    if bound.bytes > work.bound.bytes:
        work.bound = bound


def _try_step(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """Only a step that costs the peak in this order can have the peak as its bound."""
    problem = work.piece.problem
    costs = step_costs(problem, work.order)
    steps = [v for v, cost in zip(work.order, costs, strict=True) if cost == work.peak_bytes]
    _raise(work, step_bound(problem, steps, work.peak_bytes))


def _try_traps(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """Is there a trap that meets the peak?"""
    _trap_from(work, work.peak_bytes - 1, deadline)


def _try_best_trap(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """The best trap in both directions, where it is above the floor that is known."""
    _trap_from(work, floor_bytes, deadline)


def _trap_from(work: _Work, start_bytes: int, deadline: Deadline) -> None:
    for kind, find in (("forward-trap", forward_trap), ("reverse-trap", reverse_trap)):
        above_bytes = max(start_bytes, work.bound.bytes)
        trap = find(work.piece.problem, above_bytes, work.peak_bytes, deadline)
        if trap is not None:
            _raise(work, Bound(kind, trap.bytes, trap))
        if work.bound.bytes >= work.peak_bytes:
            return


def _try_quick_search(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """Search at the floor, and as long as that can be ruled out a little above it."""
    budget_bytes = max(floor_bytes, work.bound.bytes)
    while budget_bytes < work.peak_bytes and not deadline.passed:
        result = _search_both_ways(work.piece.problem, budget_bytes, _QUICK_STATES, deadline)
        if result.order is not None:
            _improve(work, result.order)
        if not result.exhausted:
            return
        budget_bytes = max(budget_bytes + 1, result.least_refused_bytes)


def _search_both_ways(
    problem: Problem, budget_bytes: int, limit_states: int, deadline: Deadline
) -> SearchResult:
    """The search from the start, and if it reaches its limit the search from the end."""
    result = search(problem, budget_bytes, limit_states, deadline)
    if result.order is None and not result.exhausted and not problem.first_bytes:
        backwards = search(mirrored(problem), budget_bytes, limit_states, deadline)
        if backwards.order is not None:
            order = backwards.order[::-1]
            # Backwards savings are taken for granted: the order may not keep the budget.
            kept = peak_of(problem, order) <= budget_bytes
            return replace(backwards, order=order if kept else None)
        if backwards.exhausted:
            return backwards
    return result


def _try_beam(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    order = beam(work.piece.problem, _BEAM_WIDTH, work.peak_bytes, deadline)
    if order is not None:
        _improve(work, order)
    if work.peak_bytes > floor_bytes:
        order = beam(mirrored(work.piece.problem), _BEAM_WIDTH, work.peak_bytes, deadline)
        if order is not None:
            _improve(work, order[::-1])


def _try_guided_search(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """Search at the floor among the orders that obey what the floor forces."""
    _settle_budget(work, max(floor_bytes, work.bound.bytes), _QUICK_STATES, deadline)


def _try_halving_search(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """The same half-way between the floor and the peak, again and again."""
    low_bytes = max(floor_bytes, work.bound.bytes)
    while low_bytes < work.peak_bytes and not deadline.passed:
        budget_bytes = (low_bytes + work.peak_bytes - 1) // 2
        if not _settle_budget(work, budget_bytes, _HALVING_STATES, deadline):
            low_bytes = budget_bytes + 1
        low_bytes = max(low_bytes, work.bound.bytes)


def _settle_budget(work: _Work, budget_bytes: int, limit_states: int, deadline: Deadline) -> bool:
    """Refute a budget by forced precedence, or look for an order that obeys what it forces."""
    forced = force(work.piece.problem, budget_bytes, _FORCING_CUTS, deadline)
    if forced.bound is not None:
        _raise(work, forced.bound)
        return False
    result = _search_both_ways(forced.problem, budget_bytes, limit_states, deadline)
    if result.order is not None:
        _improve(work, result.order)
    elif result.exhausted:
        _raise(work, Bound("exhaustion", budget_bytes + 1, None, forced.edges, result.states))
    return result.order is not None


def _try_force(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    forced = force(work.piece.problem, work.peak_bytes - 1, _FORCING_CUTS, deadline)
    if forced.bound is not None:
        _raise(work, forced.bound)


def _try_exhaustion(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    """Search below the peak until there is nothing left, or the limit of states."""
    budget_bytes = work.peak_bytes - 1
    forced = force(work.piece.problem, budget_bytes, _FORCING_CUTS, deadline)
    result = search(forced.problem, budget_bytes, _SEARCH_STATES, deadline)
    if result.order is not None:
        _improve(work, result.order)
    elif result.exhausted:
        _raise(
            work,
            Bound("exhaustion", work.peak_bytes, None, forced.edges, result.states),
        )


def _try_integer_program(work: _Work, floor_bytes: int, deadline: Deadline) -> None:
    problem = work.piece.problem
    if problem.count > _PROGRAM_STEPS and deadline.limit_s is None:
        return
    solved = solve_order(
        problem, work.order, max(floor_bytes, work.bound.bytes), limit_s=deadline.left_s
    )
    if solved.order is not None:
        _improve(work, solved.order)
    _raise(work, Bound("ilp", min(solved.claimed_bytes, work.peak_bytes)))


METHODS: dict[str, Callable[[_Work, int, Deadline], None]] = {
    "step": _try_step,
    "traps": _try_traps,
    "best trap": _try_best_trap,
    "quick search": _try_quick_search,
    "beam": _try_beam,
    "halving search": _try_halving_search,
    "guided search": _try_guided_search,
    "forced precedence": _try_force,
    "exhaustion": _try_exhaustion,
    "ilp": _try_integer_program,
}


def _in_whole(bound: Bound, members: Sequence[int]) -> Bound:
    """`bound` with a piece's step numbers replaced by the whole problem's."""
    trap = bound.trap
    if trap is not None:
        trap = Trap(_set_in_whole(trap.members, members), trap.reverse, trap.bytes)
    edges = tuple(
        ForcedEdge(
            members[e.before],
            members[e.after],
            StepFloor(members[e.floor.step], e.floor.bytes, ()),
        )
        for e in bound.edges
    )
    return Bound(bound.kind, bound.bytes, trap, edges, bound.states)


def _set_in_whole(steps: int, members: Sequence[int]) -> int:
    return set_of([members[v] for v in bits(steps)])


def _waists(parts: Sequence[Piece]) -> tuple[tuple[int, int], ...]:
    """The downsets between the pieces, with their live bytes."""
    result, ran = [], 0
    for part, following in itertools.pairwise(parts):
        ran |= set_of(part.members)
        result.append((ran, following.live_bytes))
    return tuple(result)
