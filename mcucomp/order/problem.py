"""What does an order cost, once names are gone and sizes are rounded?

In: a `StepGraph`. Out: a `Problem`: the same thing in the form that bounds and
searches work on. Sets of steps are integers used as bit sets.

Every *item* (a buffer that takes bytes) is known by the steps that touch it:
it is live from the first of them to the last, or from the start, or to the
end. Nothing else matters, and so time can be turned around: an order costs in
`mirrored(problem)` (`derived.py`) what the same order backwards costs in `problem`.

    live(D)      bytes live once exactly the steps of the downset D have run
    during(D, v) bytes live while v runs after D
               = local[v] + bytes of the items that v does not touch and that are
                 live after D
               - the most that a saving of v whose condition D meets is worth

The peak of an order is its largest `during`. `live` is submodular, and the more
has run the more savings there are: a step that is moved to the front costs no
later step anything.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mcucomp.errors import InvalidInput
from mcucomp.memory import StepGraph, round_up, savings_of


@dataclass(frozen=True, slots=True)
class Item:
    """Bytes live from the first to the last of the steps in `touches`.

    `starters` are the steps of `touches` that no other of them must precede,
    `enders` those that none must follow. `buffer` is its index in the step graph.
    """

    buffer: int
    size_bytes: int
    touches: int
    starters: int
    enders: int
    from_start: bool
    to_end: bool


@dataclass(frozen=True, slots=True)
class Saving:
    """What an overlap takes off a step that runs once all of `others` have run.

    Where time runs backwards: while none of `others` has run. `reads` are the
    buffers written over, by their index in the step graph.
    """

    others: int
    size_bytes: int
    reads: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A planning problem over steps 0, 1, ... in a topological numbering.

    `steps[v]` is the step of the step graph that v stands for. `ancestors[v]`
    and `descendants[v]` leave v itself out; `parents[v]` are the ancestors that
    no other ancestor of v follows. `local_bytes[v]` is v's scratch and all
    items that it touches; `savings[v]` what may be taken off that, of which one
    counts. `base_bytes` is live throughout.
    `first_bytes` is live at the first position alone (inputs that nobody
    reads); `last_bytes` is its mirror image.
    """

    steps: tuple[int, ...]
    ancestors: tuple[int, ...]
    descendants: tuple[int, ...]
    parents: tuple[int, ...]
    children: tuple[int, ...]
    scratch_bytes: tuple[int, ...]
    items: tuple[Item, ...]
    items_of: tuple[tuple[int, ...], ...]
    local_bytes: tuple[int, ...]
    base_bytes: int
    first_bytes: int = 0
    last_bytes: int = 0
    savings: tuple[tuple[Saving, ...], ...] = ()
    backwards: bool = False

    @property
    def count(self) -> int:
        return len(self.steps)

    @property
    def everything(self) -> int:
        """The set of all steps."""
        return (1 << len(self.steps)) - 1


def bits(steps: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while steps:
        lowest = steps & -steps
        yield lowest.bit_length() - 1
        steps ^= lowest


def set_of(members: Sequence[int]) -> int:
    """The set that holds `members`."""
    result = 0
    for member in members:
        result |= 1 << member
    return result


def problem_of(step_graph: StepGraph) -> Problem:
    """The problem that `step_graph` poses.

    Raises:
        InvalidInput: its steps depend on each other in a circle.
    """
    count = len(step_graph.steps)
    predecessors: list[set[int]] = [set() for _ in range(count)]
    for before, after in step_graph.precedence:
        predecessors[after].add(before)
    for buffer in step_graph.buffers:
        for reader in () if buffer.in_parts else buffer.readers:
            predecessors[reader].update(w for w in buffer.writers if w != reader)
    order = _topological(predecessors)
    index = {step: v for v, step in enumerate(order)}
    ancestors: list[int] = []
    for step in order:
        before = 0
        for p in predecessors[step]:
            before |= ancestors[index[p]] | 1 << index[p]
        ancestors.append(before)

    touched = []
    base_bytes = first_bytes = 0
    for number, buffer in enumerate(step_graph.buffers):
        size_bytes = buffer.room_bytes(step_graph.alignment)
        touches = set_of([index[s] for s in (*buffer.writers, *buffer.readers)])
        from_start = buffer.from_start or not buffer.writers
        if size_bytes and touches:
            touched.append((number, size_bytes, touches, from_start, buffer.held))
        elif buffer.held:
            base_bytes += size_bytes
        else:
            first_bytes += size_bytes
    scratch_bytes = tuple(
        round_up(step_graph.steps[step].scratch_bytes, step_graph.alignment) for step in order
    )
    savings: list[list[Saving]] = [[] for _ in order]
    for s in savings_of(step_graph):
        others = set_of([index[other] for other in s.others])
        savings[index[s.step]].append(Saving(others, s.bytes, s.reads))
    return replace(
        assemble(tuple(order), tuple(ancestors), scratch_bytes, touched, base_bytes, first_bytes),
        savings=tuple(map(tuple, savings)),
    )


def assemble(
    steps: tuple[int, ...],
    ancestors: tuple[int, ...],
    scratch_bytes: tuple[int, ...],
    touched: Sequence[tuple[int, int, int, bool, bool]],
    base_bytes: int,
    first_bytes: int = 0,
    last_bytes: int = 0,
) -> Problem:
    """A problem from its parts; `touched` has (buffer, bytes, touches, from_start, to_end)."""
    parents, children, descendants = _relations(ancestors)
    items = []
    items_of: list[list[int]] = [[] for _ in steps]
    local_bytes = list(scratch_bytes)
    for number, (buffer, size_bytes, touches, from_start, to_end) in enumerate(touched):
        starters = enders = 0
        for v in bits(touches):
            if not ancestors[v] & touches:
                starters |= 1 << v
            if not descendants[v] & touches:
                enders |= 1 << v
            items_of[v].append(number)
            local_bytes[v] += size_bytes
        items.append(Item(buffer, size_bytes, touches, starters, enders, from_start, to_end))
    return Problem(
        steps,
        ancestors,
        descendants,
        parents,
        children,
        scratch_bytes,
        tuple(items),
        tuple(map(tuple, items_of)),
        tuple(local_bytes),
        base_bytes,
        first_bytes,
        last_bytes,
    )


def live_after(problem: Problem, ran: int) -> int:
    """live(D) for the downset D = `ran`; without first_bytes and last_bytes."""
    total = problem.base_bytes
    for item in problem.items:
        if (item.from_start or item.touches & ran) and (item.to_end or item.touches & ~ran):
            total += item.size_bytes
    return total


def savings_of_step(problem: Problem, v: int) -> tuple[Saving, ...]:
    """What may be taken off v."""
    return problem.savings[v] if problem.savings else ()


def most_saved(problem: Problem, v: int) -> int:
    """The most that is ever taken off v."""
    return max((s.size_bytes for s in savings_of_step(problem, v)), default=0)


def saved(problem: Problem, ran: int, v: int) -> int:
    """What is taken off v if it runs after `ran`.

    Backwards it is the most that there ever is: then what is shown to be out of
    reach is so, and orders that are found must be counted anew.
    """
    if problem.backwards:
        return most_saved(problem, v)
    met = [s.size_bytes for s in savings_of_step(problem, v) if not s.others & ~ran]
    return max(met, default=0)


def change(problem: Problem, ran: int, v: int) -> tuple[int, int]:
    """What running v after `ran` does: (during - live(ran), live(ran + v) - live(ran))."""
    after = ran | 1 << v
    more = problem.scratch_bytes[v] - saved(problem, ran, v)
    rest = 0
    for number in problem.items_of[v]:
        item = problem.items[number]
        if not (item.from_start or item.touches & ran):
            more += item.size_bytes
            rest += item.size_bytes
        if not (item.to_end or item.touches & ~after):
            rest -= item.size_bytes
    if not ran:
        more += problem.first_bytes
    if after == problem.everything:
        more += problem.last_bytes
    return more, rest


def step_costs(problem: Problem, order: Sequence[int]) -> list[int]:
    """during(D, v) at each position of `order`."""
    ran, live, costs = 0, live_after(problem, 0), []
    for v in order:
        more, rest = change(problem, ran, v)
        costs.append(live + more)
        live += rest
        ran |= 1 << v
    return costs


def peak_of(problem: Problem, order: Sequence[int]) -> int:
    """The peak of `order`; of no steps at all, what is live from the start."""
    start = live_after(problem, 0) + problem.first_bytes
    return max(step_costs(problem, order), default=start)


def _relations(
    ancestors: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Parents, children and descendants, from ancestors in a topological numbering."""
    count = len(ancestors)
    parents = [0] * count
    children = [0] * count
    for v in range(count):
        rest = ancestors[v]
        while rest:
            u = rest.bit_length() - 1
            parents[v] |= 1 << u
            children[u] |= 1 << v
            rest &= ~(ancestors[u] | 1 << u)
    descendants = [0] * count
    for v in range(count - 1, -1, -1):
        for u in bits(parents[v]):
            descendants[u] |= descendants[v] | 1 << v
    return tuple(parents), tuple(children), tuple(descendants)


def _topological(predecessors: Sequence[set[int]]) -> list[int]:
    """The least topological order: steps stay as they are listed where they can."""
    waiting = [len(p) for p in predecessors]
    followers: list[list[int]] = [[] for _ in predecessors]
    for step, before in enumerate(predecessors):
        for p in before:
            followers[p].append(step)
    ready = [step for step, number in enumerate(waiting) if not number]
    order = []
    while ready:
        step = heapq.heappop(ready)
        order.append(step)
        for follower in followers[step]:
            waiting[follower] -= 1
            if not waiting[follower]:
                heapq.heappush(ready, follower)
    if len(order) < len(predecessors):
        stuck = [step for step, number in enumerate(waiting) if number]
        raise InvalidInput(
            "steps depend on each other in a circle",
            at=f"step {stuck[0]}",
            details=[f"none of {len(stuck)} steps can run before the others"],
        )
    return order
