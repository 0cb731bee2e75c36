"""How far does a chain of layers that write over their inputs drift through the arena?

In: a step graph with overlaps. Out: a `Bound` on the arena of every order and every
placement. Each buffer of a chain is live together with the next, at a step that touches
both: so they lie apart, or at a distance that an overlap allows. That step's scratch lies
apart from both: below them, above them, or between. Each of these ways is a range of
distances; for one way a link, the least bytes that hold the chain are a longest path
through differences. The least over all ways is the bound. That a step's overlap may
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

# One way in which two buffers and the scratch of a step may lie: (a, b, bytes) says that b
# starts at least that many bytes above a.
_FIRST, _SECOND, _SCRATCH = range(3)
_Way = tuple[tuple[int, int, int], ...]


def drift_bound(step_graph: StepGraph, above_bytes: int, enough_bytes: int) -> Bound | None:
    """The best bound of a chain that is above `above_bytes`; stops at `enough_bytes`.

    Shorter chains come first, so that the witness has no more links than it needs.
    """
    best: Bound | None = None
    for chain in itertools.islice(_chains(step_graph), _MOST_CHAINS):
        known_bytes = max(above_bytes, best.bytes if best else 0)
        least = _least_bytes(step_graph, chain, known_bytes)
        if least > known_bytes:
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


def _scratch_between(step_graph: StepGraph, first: int, second: int) -> int:
    """The most scratch of a step that touches both buffers, in aligned bytes."""
    one, other = step_graph.buffers[first], step_graph.buffers[second]
    steps = {*one.writers, *one.readers} & {*other.writers, *other.readers}
    most = max((step_graph.steps[step].scratch_bytes for step in steps), default=0)
    return round_up(most, step_graph.alignment)


def _ways_between(step_graph: StepGraph, first: int, second: int) -> list[_Way]:
    """How two buffers may lie that are live together, with a step's scratch."""
    sizes = [_rounded(step_graph, first), _rounded(step_graph, second)]
    scratch = _scratch_between(step_graph, first, second)
    over = _distances(step_graph, first, second)
    if not scratch:
        return [*over, ((_SECOND, _FIRST, sizes[1]),), ((_FIRST, _SECOND, sizes[0]),)]
    above = ((_FIRST, _SCRATCH, sizes[0]), (_SECOND, _SCRATCH, sizes[1]))
    below = ((_SCRATCH, _FIRST, scratch), (_SCRATCH, _SECOND, scratch))
    rows = itertools.permutations(range(3))  # apart: three things in a row
    room = [*sizes, scratch]
    apart = [tuple((a, b, room[a]) for a, b in itertools.pairwise(row)) for row in rows]
    return [(*way, *side) for way in over for side in (above, below)] + apart


def _distances(step_graph: StepGraph, first: int, second: int) -> list[_Way]:
    """The distances at which one of two buffers may be written over the other."""
    unit = step_graph.alignment
    ways: list[_Way] = []
    for overlap in step_graph.overlaps:
        if step_graph.buffers[overlap.read].held:
            continue
        if {overlap.read, overlap.written} != {first, second}:
            continue
        read, written = (_FIRST, _SECOND) if overlap.read == first else (_SECOND, _FIRST)
        low = None if overlap.low_bytes is None else round_up(overlap.low_bytes, unit)
        high = None if overlap.high_bytes is None else overlap.high_bytes // unit * unit
        if low is not None and high is not None and low > high:
            continue
        least = () if low is None else ((written, read, low),)
        most = () if high is None else ((read, written, -high),)
        ways.append((*least, *most))
    return ways


def _least_bytes(step_graph: StepGraph, chain: Sequence[int], known_bytes: int) -> int:
    """The least bytes that hold a chain; no more than `known_bytes` where that is not exact."""
    sizes = [_rounded(step_graph, buffer) for buffer in chain]
    links = [_ways_between(step_graph, a, b) for a, b in itertools.pairwise(chain)]
    scratch = [_scratch_between(step_graph, a, b) for a, b in itertools.pairwise(chain)]
    best: int | None = None
    waiting: list[tuple[_Way, ...]] = [()]
    while waiting:
        ways = waiting.pop()
        # Fewer links never need more.
        found = _span(sizes, scratch, ways)
        if best is not None and found >= best:
            continue
        if len(ways) < len(links):
            waiting += [(*ways, way) for way in reversed(links[len(ways)])]
            continue
        best = found
        if best <= known_bytes:
            break
    assert best is not None, "buffers that lie apart are always a way"
    return best


def _span(sizes: Sequence[int], scratch: Sequence[int], ways: Sequence[_Way]) -> int:
    """The least bytes that hold the first links of a chain: a longest path from end to end.

    Nodes are the offsets of the buffers and of the scratch between them, then the bottom and
    the top of what holds them all.
    """
    count = len(sizes)
    bottom, top = 2 * count, 2 * count + 1
    room = {k: sizes[k] for k in range(len(ways) + 1)}
    room |= {count + k: scratch[k] for k in range(len(ways)) if scratch[k]}
    least: dict[tuple[int, int], int] = {}  # (from, to): `to` is at least that far above
    for node, size_bytes in room.items():
        least[bottom, node] = 0
        least[node, top] = size_bytes
    for k, way in enumerate(ways):
        nodes = (k, k + 1, count + k)
        for a, b, distance in way:
            least[nodes[a], nodes[b]] = distance
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
