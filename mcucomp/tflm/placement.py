"""Which offset should a file prescribe for each tensor?

In: what TFLM places, and the pairs of tensors that may start at one byte. Out: an
offset for each group of blocks, such that nothing lies over anything that is
in use with it, but for those pairs. Scratch cannot be given an offset. It is
planned here as one hole an operator, large enough for all its requests
together: whatever TFLM's planner puts elsewhere, the rest fits the hole.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcucomp.memory import Lifetime
from mcucomp.tflm.blocks import Block, overlapping

# Work, not time, so that results repeat.
_MOST_TRIALS = 400
_MOST_BLOCK_TRIALS = 60_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A size during a lifetime, part of a group that starts at one byte."""

    size_bytes: int
    lifetime: Lifetime


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that start at the same byte; `blocks` are the indices of those with an offset."""

    pieces: tuple[Piece, ...]
    blocks: tuple[int, ...]

    @property
    def largest_bytes(self) -> int:
        return max(piece.size_bytes for piece in self.pieces)

    @property
    def start(self) -> int:
        return min(piece.lifetime.start for piece in self.pieces)

    @property
    def end(self) -> int:
        return max(piece.lifetime.end for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Placement:
    """An offset a group; `bound_bytes` is what no placement of these groups can be below."""

    offsets: tuple[int, ...]
    highest_bytes: int
    bound_bytes: int


def groups_of(blocks: Sequence[Block], shared: Sequence[tuple[int, int]]) -> list[Group]:
    """The groups to place: chains of blocks that share a start, and a hole an operator.

    `shared` holds pairs (earlier, later) of blocks; each block is at most once the
    earlier and once the later one.
    """
    following = dict(shared)
    later = {b for _, b in shared}
    groups = []
    holes: dict[tuple[int, int], tuple[int, Lifetime]] = {}
    for index, block in enumerate(blocks):
        if block.operator is not None:
            key = (block.graph, block.operator)
            known = holes.get(key, (0, block.lifetime))[0]
            holes[key] = (known + block.size_bytes, block.lifetime)
        elif index not in later:
            chain = [index]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            pieces = tuple(Piece(blocks[i].size_bytes, blocks[i].lifetime) for i in chain)
            groups.append(Group(pieces, tuple(chain)))
    groups += [Group((Piece(size, life),), ()) for size, life in holes.values()]
    return groups


def bound_bytes(groups: Sequence[Group]) -> int:
    """The most that is in use at once; a group counts with its largest piece at that time."""
    change: dict[int, int] = {}
    for group in groups:
        times = sorted({t for p in group.pieces for t in (p.lifetime.start, p.lifetime.end)})
        before = 0
        for time in times:
            now = max(
                (p.size_bytes for p in group.pieces if p.lifetime.start <= time < p.lifetime.end),
                default=0,
            )
            change[time] = change.get(time, 0) + now - before
            before = now
    highest = live = 0
    for time in sorted(change):
        live += change[time]
        highest = max(highest, live if time >= 0 else 0)
    return highest


# Each maps a group to a sort key; the first in order is placed first.
_KEYS: Sequence[Callable[[Group], tuple[int, ...]]] = (
    lambda g: (-g.largest_bytes, g.start),
    lambda g: (-g.largest_bytes, -g.start),
    lambda g: (-(g.largest_bytes * (g.end - g.start)), g.start),
    lambda g: (g.start - g.end, -g.largest_bytes),
    lambda g: (g.start, -g.largest_bytes),
    lambda g: (-g.end, -g.largest_bytes),
)


def place(groups: Sequence[Group]) -> Placement:
    """The best placement that a bounded search finds; deterministic."""
    search = _Search(groups)
    least = bound_bytes(groups)
    sequences = [sorted(range(len(groups)), key=lambda i: key(groups[i])) for key in _KEYS]
    sequences.append(search.by_pressure())
    best, best_offsets, best_bytes = sequences[0], [0] * len(groups), None
    for sequence in sequences:
        offsets, highest = search.first_fit(sequence)
        if best_bytes is None or highest < best_bytes:
            best, best_offsets, best_bytes = sequence, offsets, highest
    assert best_bytes is not None
    generator = random.Random(0)
    trials = min(_MOST_TRIALS, _MOST_BLOCK_TRIALS // max(1, len(groups)))
    for _ in range(trials):
        if best_bytes <= least:
            break
        sequence = _moved(best, best_offsets, groups, best_bytes, generator)
        offsets, highest = search.first_fit(sequence)
        if highest <= best_bytes:
            best, best_offsets, best_bytes = sequence, offsets, highest
    return Placement(tuple(best_offsets), best_bytes, least)


def _moved(
    sequence: Sequence[int],
    offsets: Sequence[int],
    groups: Sequence[Group],
    highest_bytes: int,
    generator: random.Random,
) -> list[int]:
    """`sequence` with one group that reaches the top placed earlier, and sometimes a swap."""
    top = [i for i in sequence if offsets[i] + groups[i].largest_bytes >= highest_bytes]
    moved = list(sequence)
    chosen = generator.choice(top or moved)
    at = moved.index(chosen)
    moved.insert(generator.randrange(at + 1), moved.pop(at))
    if generator.random() < 0.5:
        a, b = generator.randrange(len(moved)), generator.randrange(len(moved))
        moved[a], moved[b] = moved[b], moved[a]
    return moved


class _Search:
    """Groups with their neighbours in time, and how far apart these must be."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._groups = groups
        self._neighbours: list[list[tuple[int, int, int]]] = [[] for _ in groups]
        for i, a in enumerate(groups):
            for j in range(i):
                below, above = _distance(a, groups[j]), _distance(groups[j], a)
                if below or above:
                    self._neighbours[i].append((j, below, above))
                    self._neighbours[j].append((i, above, below))

    def first_fit(self, sequence: Sequence[int]) -> tuple[list[int], int]:
        """Each group at the lowest byte that is free when its turn comes; and the highest end."""
        offsets = [-1] * len(self._groups)
        highest = 0
        for i in sequence:
            taken = sorted(
                (offsets[j] - below, offsets[j] + above)
                for j, below, above in self._neighbours[i]
                if offsets[j] >= 0
            )
            offset = 0
            for start, end in taken:
                if offset <= start:
                    break
                offset = max(offset, end)
            offsets[i] = offset
            highest = max(highest, offset + self._groups[i].largest_bytes)
        return offsets, highest

    def by_pressure(self) -> list[int]:
        """Those first that live beside the most bytes."""
        beside = [
            sum(above for _, _, above in neighbours) + self._groups[i].largest_bytes
            for i, neighbours in enumerate(self._neighbours)
        ]
        return sorted(range(len(self._groups)), key=lambda i: (-beside[i], i))


def _distance(a: Group, b: Group) -> int:
    """How many bytes `b` must start after `a` starts, if `b` lies above."""
    if a.end <= b.start or b.end <= a.start:
        return 0
    return max(
        (
            p.size_bytes
            for p in a.pieces
            if any(overlapping(p.lifetime, q.lifetime) for q in b.pieces)
        ),
        default=0,
    )
