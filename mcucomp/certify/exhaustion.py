"""Is there really no order within a budget? The search repeated, in the checker's own way.

In: a step graph, which steps precede which, a budget. Out: how many downsets
had to be looked at; CheckFailed where an order within the budget turns up, or
where the limit is reached.

Every downset once, with two short cuts. Both rest on this: if E is reached from D within
the budget, and every downset between the two has at least as much live as E, then an
order within the budget that passes D exists only if one passes D and E, since
live(X | E) <= live(X) + live(E) - live(X & E) for every later X.

- A step that fits, and after which no more is live than before, runs at once.
- After a step v all those run at once. If they all need v, and no more is live then than
  before v, that is such an E, and nothing else is followed: a downset in between holds
  v, and what it lacks of E would leave no more live in it, either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcucomp.certify.overlap import choices_of
from mcucomp.certify.reading import wrong
from mcucomp.certify.rounding import rounded
from mcucomp.memory.types import StepGraph

LIMITS_STATES = (20_000, 500_000)


class Costs:
    """Bytes live after a downset, and while a step runs after it, from the definition.

    Backwards, a downset is what runs last, and its steps are taken from the end. What an
    overlap saves is then taken for granted, which can only make an order cheaper.
    """

    def __init__(self, step_graph: StepGraph, backwards: bool) -> None:
        self.scratch = [rounded(s.scratch_bytes, step_graph.alignment) for s in step_graph.steps]
        self.rows = []
        self.of_step: list[list[tuple[int, int, bool, bool]]] = [[] for _ in step_graph.steps]
        self.unread_bytes = 0
        self.everything = (1 << len(step_graph.steps)) - 1
        self.backwards = backwards
        self.choices = choices_of(step_graph)
        for buffer in step_graph.buffers:
            size_bytes = rounded(buffer.size_bytes, step_graph.alignment)
            steps = sum(1 << s for s in {*buffer.writers, *buffer.readers})
            from_start = buffer.from_start or not buffer.writers
            ends = (from_start, buffer.held)
            row = (size_bytes, steps, *(ends[::-1] if backwards else ends))
            if not steps and not buffer.held:
                self.unread_bytes += size_bytes
                continue
            self.rows.append(row)
            for step in {*buffer.writers, *buffer.readers}:
                self.of_step[step].append(row)

    @property
    def can_be_searched(self) -> bool:
        """Backwards the short cuts do not hold where the first step alone costs more."""
        return not (self.backwards and self.unread_bytes)

    def start(self) -> int:
        return sum(size_bytes for size_bytes, _, from_start, _ in self.rows if from_start)

    def run(self, ran: int, live_bytes: int, step: int) -> tuple[int, int]:
        """(live while `step` runs, live after it)."""
        during = after = live_bytes
        for size_bytes, steps, from_start, held in self.of_step[step]:
            if not from_start and not steps & ran:
                during += size_bytes
                after += size_bytes
            if not held and not steps & ~(ran | 1 << step):
                after -= size_bytes
        during += self.scratch[step] + (0 if ran else self.unread_bytes)
        choices = self.choices.get(step, ())
        met = [c.saved_bytes for c in choices if self.backwards or not c.others & ~ran]
        return during - max(met, default=0), after


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched: the costs, what must run before and after each step, the budget."""

    costs: Costs
    before: Sequence[int]
    after: Sequence[int]
    budget_bytes: int

    def moves(self, ran: int, live_bytes: int) -> list[tuple[int, int, int]]:
        """(live while it runs, downset, live after it) of each step that may run."""
        found = []
        for step, needed in enumerate(self.before):
            if not ran >> step & 1 and not needed & ~ran:
                during, after = self.costs.run(ran, live_bytes, step)
                found.append((during, ran | 1 << step, after))
        return found

    def after_gains(self, ran: int, live_bytes: int) -> tuple[int, int]:
        """`ran` and every step, one by one, that fits and after which no more is live."""
        gains = True
        while gains:
            gains = False
            for during, following, after in self.moves(ran, live_bytes):
                if during <= self.budget_bytes and after <= live_bytes:
                    ran, live_bytes, gains = following, after, True
                    break
        return ran, live_bytes

    def following(self, ran: int, live_bytes: int) -> dict[int, int]:
        """The downsets to look at after `ran`, with their live bytes."""
        found = {}
        for during, following, after in self.moves(ran, live_bytes):
            if during > self.budget_bytes:
                continue
            reached, reached_bytes = self.after_gains(following, after)
            step = (following & ~ran).bit_length() - 1
            if reached_bytes <= live_bytes and not reached & ~following & ~self.after[step]:
                return {reached: reached_bytes}
            found[reached] = reached_bytes
        return found

    def states(self, limit_states: int, path: str) -> int | None:
        """How many downsets there are within the budget; None: more than the limit."""
        start = self.after_gains(0, self.costs.start())
        seen, waiting = {start[0]}, [start]
        while waiting:
            ran, live_bytes = waiting.pop()
            if ran == self.costs.everything:
                if self.costs.backwards and self.costs.choices:
                    return None  # what was taken for granted may not be there
                raise wrong(f"{path}.bytes", f"an order within {self.budget_bytes:,} B exists")
            if len(seen) > limit_states:
                return None
            for downset, downset_bytes in self.following(ran, live_bytes).items():
                if downset not in seen:
                    seen.add(downset)
                    waiting.append((downset, downset_bytes))
        return len(seen)


def search_again(
    step_graph: StepGraph,
    before: Sequence[int],
    after: Sequence[int],
    budget_bytes: int,
    path: str,
) -> int:
    """Go through every downset within the budget; returns their number.

    Some graphs are easy from the start and hard from the end, and others the other way
    round: both are tried, with a small limit first.
    """
    for limit_states in LIMITS_STATES:
        for needed, following, backwards in ((before, after, False), (after, before, True)):
            costs = Costs(step_graph, backwards)
            if costs.can_be_searched:
                search = Search(costs, needed, following, budget_bytes)
                states = search.states(limit_states, path)
                if states is not None:
                    return states
    raise wrong(path, f"cannot be repeated within {LIMITS_STATES[-1]:,} states")
