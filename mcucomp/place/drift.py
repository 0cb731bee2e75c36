"""How far does a chain of layers that write over their inputs drift through the arena?

In: a step graph with overlaps. Out: a `Bound` on the arena of every order and every
placement. Each buffer of a chain is live together with the next, at the step that touches
both: so they lie apart, or at a distance that an overlap allows. Each of these ways is a
range of distances; for one way a link, the least bytes that hold the chain are a longest
path through differences. The least over all ways is the bound. That a step's overlap may
not be there in some order makes the bound no less true.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from mcucomp.memory import StepGraph, round_up
from mcucomp.order.bounds import Bound

# There are three ways or more a link: a fourth link costs much and has added nothing yet.
_MOST_BUFFERS = 4
_MOST_CHAINS = 1_000

# (least, greatest) offset of the first buffer less that of the second, in aligned bytes.
Way = tuple[int | None, int | None]


def drift_bound(step_graph: StepGraph, above_bytes: int, enough_bytes: int) -> Bound | None:
    """The best bound of a chain that is above `above_bytes`; stops at `enough_bytes`.

    Shorter chains come first, so that the witness has no more links than it needs.
    """
    best: Bound | None = None
    for chain in itertools.islice(_chains(step_graph), _MOST_CHAINS):
        links = [ways_between(step_graph, a, b) for a, b in itertools.pairwise(chain)]
        sizes = [_rounded(step_graph, b) for b in chain]
        least = min(_span(sizes, ways) for ways in itertools.product(*links))
        if least > max(above_bytes, best.bytes if best else 0):
            best = Bound("drift", least, chain=chain)
        if least >= enough_bytes:
            break
    return best


def _rounded(step_graph: StepGraph, buffer: int) -> int:
    return round_up(step_graph.buffers[buffer].size_bytes, step_graph.alignment)


def _chains(step_graph: StepGraph) -> Iterator[tuple[int, ...]]:
    """Buffers of which each is written over the one before, from two on, shortest first."""
    after: dict[int, list[int]] = {}
    for overlap in step_graph.overlaps:
        written = after.setdefault(overlap.read, [])
        if overlap.written not in written:
            written.append(overlap.written)
    chains: list[tuple[int, ...]] = [(read,) for read in after]
    for _ in range(_MOST_BUFFERS - 1):
        chains = [(*chain, b) for chain in chains for b in after.get(chain[-1], ())]
        yield from chains


def ways_between(step_graph: StepGraph, first: int, second: int) -> list[Way]:
    """How the first of two buffers may lie that are live together: apart, or overlapping."""
    unit = step_graph.alignment
    ways: list[Way] = [
        (_rounded(step_graph, second), None),
        (None, -_rounded(step_graph, first)),
    ]
    for overlap in step_graph.overlaps:
        if step_graph.buffers[overlap.read].held:
            continue
        low, high = overlap.low_bytes, overlap.high_bytes
        if (overlap.read, overlap.written) == (second, first):
            low, high = None if high is None else -high, None if low is None else -low
        elif (overlap.read, overlap.written) != (first, second):
            continue
        low = None if low is None else round_up(low, unit)
        high = None if high is None else high // unit * unit
        if low is None or high is None or low <= high:
            ways.append((low, high))
    return ways


def _span(sizes: Sequence[int], ways: Sequence[Way]) -> int:
    """The least bytes that hold the chain: a longest path from its lowest to its highest byte.

    Nodes are the buffers' offsets, then the bottom and the top of what holds them.
    """
    count = len(sizes)
    bottom, top = count, count + 1
    least: dict[tuple[int, int], int] = {}  # (from, to): `to` is at least that far above
    for k, size_bytes in enumerate(sizes):
        least[bottom, k] = 0
        least[k, top] = size_bytes
    for k, (low, high) in enumerate(ways):
        if low is not None:
            least[k + 1, k] = low
        if high is not None:
            least[k, k + 1] = -high
    return _longest(least, bottom, top)


def _longest(least: Mapping[tuple[int, int], int], start: int, end: int) -> int:
    """The longest path; there is no circle that gains."""
    reached = {start: 0}
    changed = True
    while changed:
        changed = False
        for (one, other), distance in least.items():
            if one in reached and reached[one] + distance > reached.get(other, -(1 << 60)):
                reached[other] = reached[one] + distance
                changed = True
    return reached[end]
