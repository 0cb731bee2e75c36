"""Which set of steps cannot be entered, or left, within fewer bytes?

In: a problem. Out: a `Trap`. The steps that can run within a budget are grown
from nothing: a step joins when some downset of joined steps lets it run. What
cannot join when growth stops is a trap, and the least that any of it would need
is a proven bound; the budget is raised to it, and growth goes on. The largest
budget needed is the best forward trap there is: no step of the best trap can
join before the budget reaches its bound.

Growth uses the smallest downset M of joined steps with the least live bytes:
any downset D can be joined with M without costing more (submodularity), so a
cut starts from M, and only the region beyond it has to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcucomp.order.bounds import Trap, step_floor
from mcucomp.order.cuts import cut_work, least_during, least_live
from mcucomp.order.deadline import NEVER, Deadline
from mcucomp.order.derived import mirrored
from mcucomp.order.problem import Problem, bits, change, most_saved, set_of


@dataclass(slots=True)
class _Growth:
    """Steps that have joined, and M with its live bytes."""

    problem: Problem
    deadline: Deadline
    joined: int = 0
    valley: int = 0
    valley_bytes: int = 0

    def settle(self) -> None:
        """Bring M up to date with the steps that have joined."""
        barred = self.problem.everything & ~self.joined
        self.deadline.spend(cut_work(self.problem, self.valley, barred))
        cut = least_live(self.problem, self.valley, barred)
        self.valley, self.valley_bytes = cut.least, cut.live_bytes

    def ready(self) -> list[int]:
        outside = self.problem.everything & ~self.joined
        return [v for v in bits(outside) if not self.problem.ancestors[v] & outside]

    def cost(self, v: int, budget_bytes: int) -> int:
        """The least during(D, v), or only a bound on the same side of the budget as it is."""
        problem = self.problem
        if not problem.ancestors[v] & ~self.valley:
            upper_bytes = self.valley_bytes + change(problem, self.valley, v)[0]
            if upper_bytes <= budget_bytes:
                return upper_bytes
        lower_bytes = self.valley_bytes + problem.scratch_bytes[v] - most_saved(problem, v)
        for number in problem.items_of[v]:
            item = problem.items[number]
            if item.starters == 1 << v and not item.from_start:
                lower_bytes += item.size_bytes
        return lower_bytes if lower_bytes > budget_bytes else self.exact_cost(v)

    def exact_cost(self, v: int) -> int:
        """The least during(D, v) for joined D; backwards no more than that.

        Joining D with M meets all conditions of savings that D meets; backwards
        it may not, and savings are taken for granted.
        """
        barred = self.problem.everything & ~self.joined
        self.deadline.spend(cut_work(self.problem, self.valley, barred))
        return least_during(_granted(self.problem), v, self.valley, barred).live_bytes


def _granted(problem: Problem) -> Problem:
    """`problem`, and if its time runs backwards with savings that have no condition."""
    if not problem.backwards or not any(problem.savings):
        return problem
    savings = tuple(tuple(replace(s, others=0) for s in row) for row in problem.savings)
    return replace(problem, savings=savings)


def _grow(problem: Problem, start_bytes: int, enough_bytes: int, deadline: Deadline) -> Trap | None:
    """The best forward trap of more than `start_bytes`, without floors."""
    growth = _Growth(problem, deadline)
    growth.settle()
    budget_bytes = start_bytes
    best: Trap | None = None
    while growth.joined != problem.everything and not deadline.passed:
        ready = growth.ready()
        joining = [v for v in ready if growth.cost(v, budget_bytes) <= budget_bytes]
        if joining:
            growth.joined |= set_of(joining)
            growth.settle()
            continue
        budget_bytes = min(growth.exact_cost(v) for v in ready)
        best = Trap(problem.everything & ~growth.joined, False, budget_bytes)
        if budget_bytes >= enough_bytes:
            break
    return best


def forward_trap(
    problem: Problem, start_bytes: int, enough_bytes: int, deadline: Deadline = NEVER
) -> Trap | None:
    """The best forward trap whose bound is above `start_bytes`.

    Growth stops at a bound of at least `enough_bytes`, or at the deadline. None: no such
    trap was found. The floors are not filled in; `with_floors` does that.
    """
    return _grow(problem, start_bytes, enough_bytes, deadline)


def reverse_trap(
    problem: Problem, start_bytes: int, enough_bytes: int, deadline: Deadline = NEVER
) -> Trap | None:
    """The same for the step that runs last: a forward trap of the mirrored problem."""
    trap = _grow(mirrored(problem), start_bytes, enough_bytes, deadline)
    return None if trap is None else replace(trap, reverse=True)


def with_floors(problem: Problem, trap: Trap) -> Trap:
    """`trap` with its witness: a cut for each member that can be the first (the last)."""
    seen = mirrored(problem) if trap.reverse else problem
    floors = []
    for v in bits(trap.members):
        if seen.ancestors[v] & trap.members:
            continue
        floors.append(step_floor(seen, v, 0, barred_by(seen, trap.members)))
    return replace(trap, bytes=min(f.bytes for f in floors), floors=tuple(floors))


def barred_by(problem: Problem, members: int) -> int:
    """`members` and all that cannot run before them."""
    barred = members
    for v in bits(members):
        barred |= problem.descendants[v]
    return barred
