"""Which steps must precede which, if a budget is to be kept, and does that end in a trap?

In: a problem and a budget. Out: a proof that no order keeps it, or nothing.

If `after` cannot run while `before` has not run, or `before` cannot run once
`after` has, each for more bytes than the budget, then every order within the
budget runs `before` first. Each such edge makes further cuts larger, so they
are added until nothing changes. The proof is the edges, and a trap of more than
the budget among orders that obey them.

A cut for a pair is needed only where the plain cut does not settle it: the
least downset from which u can run within the budget often does without v.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mcucomp.order.bounds import Bound, ForcedEdge, StepFloor, Trap
from mcucomp.order.cuts import Cut, cut_work, least_during
from mcucomp.order.deadline import NEVER, Deadline
from mcucomp.order.derived import with_edge
from mcucomp.order.problem import Problem, bits
from mcucomp.order.traps import forward_trap, reverse_trap


@dataclass(slots=True)
class _Forcing:
    """The problem as far as it is known to be ordered within the budget."""

    problem: Problem
    budget_bytes: int
    limit_cuts: int
    deadline: Deadline
    edges: list[ForcedEdge] = field(default_factory=list)
    cuts: int = 0
    without: list[int] = field(default_factory=list)  # u: steps that u can surely run before
    after: list[int] = field(default_factory=list)  # v: steps that v can surely run after

    @property
    def stopped(self) -> bool:
        return self.cuts > self.limit_cuts or self.deadline.passed

    def cut(self, v: int, ran: int, barred: int) -> Cut:
        self.cuts += 1
        self.deadline.spend(cut_work(self.problem, ran, barred))
        return least_during(self.problem, v, ran, barred)

    def step_trap(self) -> Trap | None:
        """A step that does not fit at all; else what the plain cuts say about pairs."""
        self.without, self.after = [], []
        for v in range(self.problem.count):
            cut = self.cut(v, 0, 0)
            if cut.live_bytes > self.budget_bytes:
                return Trap(1 << v, False, cut.live_bytes)
            self.without.append(self.problem.everything & ~cut.least)
            self.after.append(cut.greatest)
        return None

    def force_around(self, u: int) -> bool:
        """Add the edges v -> u for every v that u cannot run before; whether there were any."""
        found = False
        problem = self.problem
        others = problem.everything & ~(problem.ancestors[u] | problem.descendants[u] | 1 << u)
        for v in bits(others):
            if self.problem.ancestors[u] >> v & 1 or self.problem.descendants[u] >> v & 1:
                continue
            if self.stopped:
                break
            floor = self._refusal(u, v)
            if floor is not None:
                self.edges.append(ForcedEdge(v, u, floor))
                self.problem = with_edge(self.problem, v, u)
                found = True
        return found

    def _refusal(self, u: int, v: int) -> StepFloor | None:
        """Why u cannot run before v; None where it can, for all that is known."""
        problem = self.problem
        if not self.without[u] >> v & 1:
            cut = self.cut(u, 0, problem.descendants[v] | 1 << v)
            if cut.live_bytes > self.budget_bytes:
                return StepFloor(u, cut.live_bytes, ())
            self.without[u] |= problem.everything & ~cut.least
        if not self.after[v] >> u & 1:
            cut = self.cut(v, problem.ancestors[u] | 1 << u, 0)
            if cut.live_bytes > self.budget_bytes:
                return StepFloor(v, cut.live_bytes, ())
            self.after[v] |= cut.greatest
        return None


@dataclass(frozen=True, slots=True)
class Forced:
    """What was found: a bound above the budget, or None; the problem with its edges."""

    bound: Bound | None
    problem: Problem
    edges: tuple[ForcedEdge, ...]


def force(
    problem: Problem, budget_bytes: int, limit_cuts: int, deadline: Deadline = NEVER
) -> Forced:
    """Add forced precedence to a fixed point, a trap, the limit of cuts, or the deadline.

    The chains of edges and trap are not filled in; `certify` does that for the
    whole problem.
    """
    forcing = _Forcing(problem, budget_bytes, limit_cuts, deadline)
    changed = True
    trap: Trap | None = None
    while changed and trap is None and not forcing.stopped:
        trap = forcing.step_trap()
        if trap is not None:
            break
        changed = False
        for u in range(problem.count):
            changed |= forcing.force_around(u)
        if changed:
            enough_bytes = budget_bytes + 1
            trap = forward_trap(
                forcing.problem, budget_bytes, enough_bytes, deadline
            ) or reverse_trap(forcing.problem, budget_bytes, enough_bytes, deadline)
    edges = tuple(forcing.edges)
    if trap is None:
        return Forced(None, forcing.problem, edges)
    least = min([trap.bytes, *(edge.floor.bytes for edge in edges)])
    return Forced(Bound("forced-precedence", least, trap, edges), forcing.problem, edges)
