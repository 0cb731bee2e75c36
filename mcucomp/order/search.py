"""Is there an order within a budget? Answered by going through the downsets.

In: a problem and a budget in bytes. Out: an order, or that there is none, or
that the limit of states or the deadline was reached. Depth first, every
downset once, those with few live bytes first. Two rules keep whole branches
away; both are safe because `live` is submodular:

- a step that fits the budget and leaves no more live than before runs at once;
- a downset E that was reached from D within the budget and has the least live
  bytes of all downsets between D and E, D included, makes D's other branches
  superfluous: an order within the budget that passes D exists only if one
  passes E too.

This is the independent second opinion on every bound: it uses no trap.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcucomp.order.deadline import NEVER, Deadline
from mcucomp.order.problem import Problem, bits, change, live_after, set_of


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    `order` is within the budget, or None. `exhausted` says that there is none,
    and then `least_refused_bytes` is the least that any step wanted which did
    not fit: no budget below it can do better.
    """

    order: list[int] | None
    states: int
    exhausted: bool
    least_refused_bytes: int


@dataclass(slots=True)
class _State:
    """A downset with its live bytes, its ready steps, and how it was reached."""

    ran: int
    live_bytes: int
    ready: int
    path: tuple[int, ...]
    previous: _State | None
    depth: int


def search(
    problem: Problem, budget_bytes: int, limit_states: int, deadline: Deadline = NEVER
) -> SearchResult:
    """Look for an order with a peak of at most `budget_bytes`."""
    walk = _Walk(problem, budget_bytes, deadline)
    sources = sum(1 << v for v in range(problem.count) if not problem.ancestors[v])
    start = _State(0, live_after(problem, 0), sources, (), None, 0)
    if start.live_bytes + problem.first_bytes > budget_bytes:
        return SearchResult(None, 0, True, start.live_bytes + problem.first_bytes)
    stack = [walk.run_at_once(start)]
    seen = {stack[0].ran}
    while stack:
        state = stack.pop()
        if state.ran == problem.everything:
            return SearchResult(_order(state), len(seen), False, 0)
        if len(seen) > limit_states or deadline.passed:
            return SearchResult(None, len(seen), False, 0)
        children = walk.children(state)
        for child in children:
            if child.live_bytes <= state.live_bytes and walk.is_valley(child):
                children = [child]
                break
        children = [child for child in children if child.ran not in seen]
        seen.update(child.ran for child in children)
        children.sort(key=lambda s: (-s.live_bytes, s.ran))
        stack += children
    return SearchResult(None, len(seen), True, walk.least_refused_bytes)


@dataclass(slots=True)
class _Walk:
    """The moves from downset to downset."""

    problem: Problem
    budget_bytes: int
    deadline: Deadline
    least_refused_bytes: int = 1 << 62

    def run_at_once(self, state: _State) -> _State:
        """`state` after every step that fits and leaves no more live than before."""
        problem = self.problem
        ran, live_bytes, ready, path = state.ran, state.live_bytes, state.ready, state.path
        moved = True
        while moved:
            moved = False
            self.deadline.spend(ready.bit_count())
            for v in bits(ready):
                more, rest = change(problem, ran, v)
                if rest <= 0 and live_bytes + more <= self.budget_bytes:
                    ran |= 1 << v
                    live_bytes += rest
                    ready = self._ready_after(ran, ready, v)
                    path = (*path, v)
                    moved = True
        return _State(ran, live_bytes, ready, path, state.previous, state.depth)

    def children(self, state: _State) -> list[_State]:
        """One downset for each ready step that fits, after what then runs at once."""
        found: dict[int, _State] = {}
        self.deadline.spend(state.ready.bit_count())
        for v in bits(state.ready):
            more, rest = change(self.problem, state.ran, v)
            if state.live_bytes + more > self.budget_bytes:
                self.least_refused_bytes = min(self.least_refused_bytes, state.live_bytes + more)
                continue
            ran = state.ran | 1 << v
            ready = self._ready_after(ran, state.ready, v)
            child = _State(ran, state.live_bytes + rest, ready, (v,), state, state.depth + 1)
            child = self.run_at_once(child)
            found.setdefault(child.ran, child)
        return list(found.values())

    def is_valley(self, high: _State) -> bool:
        """Whether nothing between the downset that `high` was reached from and it is lower.

        So it is if all that ran at once after the first step need that step, and no more
        is live than before: a downset in between holds the step, and what it lacks of
        `high` would leave no more live in it, either, since `live` is submodular.
        """
        first, *rest = high.path
        return not set_of(rest) & ~self.problem.descendants[first]

    def _ready_after(self, ran: int, ready: int, v: int) -> int:
        ready &= ~(1 << v)
        for w in bits(self.problem.children[v]):
            if not self.problem.ancestors[w] & ~ran:
                ready |= 1 << w
        return ready


def _order(state: _State | None) -> list[int]:
    parts = []
    while state is not None:
        parts.append(state.path)
        state = state.previous
    return [v for part in reversed(parts) for v in part]
