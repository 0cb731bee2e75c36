"""What has to be placed, and how may two of it lie to each other?

In: a step graph in rows and an order. Out: *objects* with one offset each: a
buffer, a step's scratch, a whole piece, or a chain of rows each of which is
written over the one before. For two objects the distances that are forbidden:
a union of open intervals, one for each pair of parts that live together, less
what a step allows that writes over what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mcucomp.memory import Lifetime, StepGraph, lifetimes, round_up
from mcucomp.place import Placement

InPlace = Mapping[tuple[int, int], int]
Numbers = np.ndarray
# Pairs of parts that live together, the later one first, and the open interval in which
# the offset of the one less that of the other must not lie.
Meetings = tuple[Numbers, Numbers, Numbers, Numbers]

_BLOCK = 512  # parts that are compared with all others at a time
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Part:
    """`size_bytes` during `life`: a buffer, or a step's scratch, rounded up unless in a piece."""

    size_bytes: int
    life: Lifetime


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of a plan: the buffers in their order, then the scratch of `scratch_steps`.

    `in_place[a, b]`: part b may lie over part a where a starts at least that far above b;
    `exact` are such pairs of which it may where they start together, and nowhere else.
    """

    parts: tuple[Part, ...]
    scratch_steps: tuple[int, ...]
    in_place: InPlace
    exact: frozenset[tuple[int, int]]
    meetings: Meetings


def parts_of(step_graph: StepGraph, order: Sequence[int]) -> Parts:
    """The parts under `order`."""
    position = {step: k for k, step in enumerate(order)}
    lives = lifetimes(step_graph, order)
    alignment = step_graph.alignment
    parts = [
        Part(b.room_bytes(alignment), life)
        for b, life in zip(step_graph.buffers, lives, strict=True)
    ]
    scratch = tuple(s for s in order if step_graph.steps[s].scratch_bytes)
    parts += [
        Part(
            round_up(step_graph.steps[s].scratch_bytes, alignment),
            Lifetime(position[s], position[s] + 1),
        )
        for s in scratch
    ]
    in_place = {}
    exact = set()
    for o in step_graph.overlaps:
        k = position[o.step]
        dies = lives[o.read].end == k + 1 and not step_graph.buffers[o.read].held
        if dies and lives[o.written].start == k:
            low = -parts[o.read].size_bytes if o.low_bytes is None else o.low_bytes
            if o.high_bytes is None:
                in_place[o.read, o.written] = low
            elif low == o.high_bytes == 0:
                exact.add((o.read, o.written))
    meetings = _meetings(parts, in_place)
    return Parts(tuple(parts), scratch, in_place, frozenset(exact), meetings)


@dataclass(frozen=True, slots=True)
class Objects:
    """Parts by object: part k lies `places[k]` bytes after the start of object `object_of[k]`.

    `forbidden[o]` has (other, low, high): the offset of object o less that of the other is
    not between the two. `members[o]` has (place, bytes, life) of each part of o, by place.
    """

    object_of: tuple[int, ...]
    places: tuple[int, ...]
    sizes: tuple[int, ...]
    lives: tuple[Lifetime, ...]
    areas: tuple[int, ...]
    forbidden: tuple[tuple[tuple[int, int, int], ...], ...]
    members: tuple[tuple[tuple[int, int, Lifetime], ...], ...]

    @property
    def intervals(self) -> int:
        """How many forbidden intervals there are."""
        return sum(map(len, self.forbidden))

    def offsets_of_parts(self, offsets: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            offsets[o] + place for o, place in zip(self.object_of, self.places, strict=True)
        )


# Which rows become one object with the row that is written over them, by their bytes.
MERGES: dict[str, Callable[[int, int], bool]] = {
    "equal": lambda read, written: read == written,
    "shrinking": lambda read, written: written <= read,
    "none": lambda read, written: False,
    "any": lambda read, written: True,
}


def grouped_parts(step_graph: StepGraph, parts: Parts, merge: str) -> tuple[tuple[int, ...], ...]:
    """Which parts are one object: those of a piece, and chains; `merge` is one of `MERGES`."""
    inside = [False] * len(parts.parts)
    pieces: dict[int, list[int]] = {}
    for k, buffer in enumerate(step_graph.buffers):
        if buffer.piece is not None:
            pieces.setdefault(buffer.piece, []).append(k)
            inside[k] = True
    following = _chains(parts, inside, MERGES[merge])
    inner = set(following.values())
    groups = list(pieces.values())
    for k in range(len(parts.parts)):
        if inside[k] or k in inner:
            continue
        groups.append([k])
        while groups[-1][-1] in following:
            groups[-1].append(following[groups[-1][-1]])
    return tuple(map(tuple, groups))


def objects_of(step_graph: StepGraph, parts: Parts, groups: Sequence[Sequence[int]]) -> Objects:
    """The objects that `groups` of parts make."""
    object_of = [-1] * len(parts.parts)
    for number, group in enumerate(groups):
        for k in group:
            object_of[k] = number
    places = [b.place_bytes for b in step_graph.buffers]
    places += [0] * (len(parts.parts) - len(places))
    of = parts.parts
    members = [
        tuple((places[k], of[k].size_bytes, of[k].life) for k in sorted(g, key=places.__getitem__))
        for g in groups
    ]
    return Objects(
        tuple(object_of),
        tuple(places),
        tuple(max(place + size for place, size, _ in m) for m in members),
        tuple(
            Lifetime(min(life.start for *_, life in m), max(life.end for *_, life in m))
            for m in members
        ),
        tuple(sum(size * (life.end - life.start) for _, size, life in m) for m in members),
        _forbidden(parts.meetings, object_of, places, len(groups)),
        tuple(members),
    )


def _chains(
    parts: Parts, in_piece: Sequence[bool], fits: Callable[[int, int], bool]
) -> dict[int, int]:
    """Which part is written exactly over which; of several rows over the last."""
    following: dict[int, int] = {}
    written = set()
    together = {**parts.in_place, **dict.fromkeys(parts.exact, 0)}
    pairs = sorted(together.items(), key=lambda pair: (pair[0][1], -pair[0][0]))
    for (read, out), low in pairs:
        alone = not (in_piece[read] or in_piece[out])
        sizes = parts.parts[read].size_bytes, parts.parts[out].size_bytes
        if alone and low <= 0 and read not in following and out not in written and fits(*sizes):
            following[read] = out
            written.add(out)
    return following


def _meetings(parts: Sequence[Part], in_place: InPlace) -> Meetings:
    """Every two parts that live together, with the forbidden distances of the two."""
    sized = [k for k, part in enumerate(parts) if part.size_bytes]
    sized.sort(key=lambda k: parts[k].life.start)
    numbers = np.array(sized, np.int64)
    starts = np.array([parts[k].life.start for k in sized], np.int64)
    ends = np.array([parts[k].life.end for k in sized], np.int64)
    ones, others = [], []
    for first in range(0, len(sized), _BLOCK):
        together = ends[None, :] > starts[first : first + _BLOCK, None]
        later, earlier = np.nonzero(np.tril(together, first - 1))
        ones.append(numbers[later + first])
        others.append(numbers[earlier])
    one, other = np.concatenate([*ones, _NONE]), np.concatenate([*others, _NONE])
    sizes = np.array([part.size_bytes for part in parts], np.int64)
    lows, highs = -sizes[one], sizes[other]
    count = len(parts)
    keys = other * count + one
    order = np.argsort(keys)
    for (read, written), low in in_place.items():
        for key, sign in ((read * count + written, 1), (written * count + read, -1)):
            at = np.searchsorted(keys, key, sorter=order)
            if at == len(keys) or keys[order[at]] != key:
                continue
            if sign > 0:
                lows[order[at]] = max(lows[order[at]], -low)
            else:
                highs[order[at]] = min(highs[order[at]], low)
    return one, other, lows, highs


def _forbidden(
    meetings: Meetings, object_of: Sequence[int], places: Sequence[int], count: int
) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """For each object (other, low, high): forbidden values of its offset less the other's."""
    one, other, lows, highs = meetings
    objects, starts = np.array(object_of, np.int64), np.array(places, np.int64)
    apart = starts[other] - starts[one]
    one, other, lows, highs = objects[one], objects[other], lows + apart, highs + apart
    kept = (one != other) & (lows < highs)
    one, other, lows, highs = one[kept], other[kept], lows[kept], highs[kept]
    pairs = np.concatenate([one * count + other, other * count + one])
    lows, highs = np.concatenate([lows, -highs]), np.concatenate([highs, -lows])
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    for pair, low, high in zip(*_united(pairs, lows, highs), strict=True):
        found[pair // count].append((pair % count, low, high))
    return tuple(map(tuple, found))


def _united(pairs: Numbers, lows: Numbers, highs: Numbers) -> tuple[list[int], ...]:
    """The unions of the open intervals of each pair, sorted.

    Where two only touch, the point between stays free.
    """
    if not len(pairs):
        return [], [], []
    order = np.lexsort((lows, pairs))
    pairs, lows, highs = pairs[order], lows[order], highs[order]
    span = int(max(highs.max(), -lows.min())) * 2 + 1  # sets the pairs apart on one line
    groups = np.cumsum(np.diff(pairs, prepend=pairs[0]) != 0) * span
    reached = np.maximum.accumulate(highs + groups)
    new = np.concatenate([[True], lows[1:] + groups[1:] >= reached[:-1]])
    first = np.flatnonzero(new)
    last = np.concatenate([first[1:], [len(pairs)]]) - 1
    return (
        pairs[first].tolist(),
        lows[first].tolist(),
        (reached[last] - groups[last]).tolist(),
    )


def placement_of(
    step_graph: StepGraph, parts: Parts, objects: Objects, offsets: Sequence[int], placer: str
) -> Placement:
    """The offsets of all parts, from those of the objects; `placer` tells how they were found."""
    of_parts = objects.offsets_of_parts(offsets)
    sizes = [b.size_bytes for b in step_graph.buffers]
    sizes += [step_graph.steps[s].scratch_bytes for s in parts.scratch_steps]
    highest = max((o + size for o, size in zip(of_parts, sizes, strict=True) if size), default=0)
    return Placement(of_parts, highest, placer)
