"""Which orders are worth a try before anything is proven?

In: a problem. Out: orders, found quickly: the given one, greedy ones from the
start and from the end, and a beam of partial orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from mcucomp.order.deadline import NEVER, Deadline
from mcucomp.order.derived import mirrored
from mcucomp.order.problem import Problem, bits, change, live_after, peak_of

# What the next step should keep small: (bytes while it runs, change of live bytes).
PREFERENCES: dict[str, Callable[[int, int, int], tuple[int, ...]]] = {
    "least live after": lambda more, rest, v: (rest, more, v),
    "least live during": lambda more, rest, v: (more, rest, v),
    "frees the most for its need": lambda more, rest, v: (2 * rest + more, more, v),
    "latest step": lambda more, rest, v: (min(rest, 0), -v),
}


def greedy(problem: Problem, preference: Callable[[int, int, int], tuple[int, ...]]) -> list[int]:
    """An order that takes the ready step that `preference` puts first, again and again."""
    ran, order = 0, []
    ready = {v for v in range(problem.count) if not problem.ancestors[v]}
    while ready:
        v = min(ready, key=lambda v: preference(*change(problem, ran, v), v))
        ready.remove(v)
        order.append(v)
        ran |= 1 << v
        ready.update(w for w in bits(problem.children[v]) if not problem.ancestors[w] & ~ran)
    return order


class _State(NamedTuple):
    """A downset that a partial order reaches, and the order as links to what came before."""

    peak_bytes: int
    live_bytes: int
    ran: int
    ready: tuple[int, ...]
    last: int
    previous: _State | None


def beam(
    problem: Problem, width: int, enough_bytes: int, deadline: Deadline = NEVER
) -> list[int] | None:
    """The best order that keeping the `width` most promising downsets of each size finds.

    Steps that cost `enough_bytes` or more are not taken; None where the beam ends early,
    and where the deadline ends it.
    """
    sources = tuple(v for v in range(problem.count) if not problem.ancestors[v])
    layer = [_State(0, live_after(problem, 0), 0, sources, -1, None)]
    for _ in range(problem.count):
        if deadline.passed:
            return None
        following: dict[int, _State] = {}
        for state in layer:
            deadline.spend(len(state.ready))
            for v in state.ready:
                more, rest = change(problem, state.ran, v)
                peak_bytes = max(state.peak_bytes, state.live_bytes + more)
                after = state.ran | 1 << v
                known = following.get(after)
                if peak_bytes >= enough_bytes or (known and known.peak_bytes <= peak_bytes):
                    continue
                ready = tuple(w for w in state.ready if w != v) + tuple(
                    w for w in bits(problem.children[v]) if not problem.ancestors[w] & ~after
                )
                following[after] = _State(
                    peak_bytes, state.live_bytes + rest, after, ready, v, state
                )
        layer = sorted(following.values(), key=lambda s: (s.live_bytes, s.peak_bytes, s.ran))
        del layer[width:]
    if not layer:
        return None
    order = []
    last: _State | None = min(layer, key=lambda s: s.peak_bytes)
    while last is not None and last.previous is not None:
        order.append(last.last)
        last = last.previous
    return order[::-1]


def quick_orders(problem: Problem) -> Iterable[list[int]]:
    """The order of the numbering, which is topological, and the greedy ones both ways."""
    yield list(range(problem.count))
    for preference in PREFERENCES.values():
        yield greedy(problem, preference)
    backwards = mirrored(problem)
    for preference in PREFERENCES.values():
        yield greedy(backwards, preference)[::-1]


def best_of(problem: Problem, orders: Iterable[list[int]]) -> tuple[list[int], int]:
    """The order of least peak, the first of several, and its peak."""
    return min(((order, peak_of(problem, order)) for order in orders), key=lambda o: o[1])
