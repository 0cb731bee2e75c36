"""Which offsets keep the free bytes in pieces that what comes next fits into?

In: objects with their lives and what is forbidden between them, and a capacity.
Out: offsets within it, or None where none were found. Not finding any proves nothing.

Objects are placed as they are born. Of many placements of all that was born so far (a
*beam*) each is followed by one for either end of every gap that the next object fits into;
the best of those are kept. First fits fill a gap as if nothing came after; here a
placement is judged by what the next births find: bytes of objects that would not fit,
then how large the gaps are, soon and when the object that was placed last dies. A little is
drawn on top of that, from the offsets themselves, so that a beam does not end up
with one placement told in many ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mcucomp.rows.objects import Objects

_LOOK = 4  # so many of the next births are looked at
_ALIKE = 2  # of placements with the same gaps so many are kept
_DRAWN = 0.5  # how much of the worth of gaps is drawn at most
_MULTIPLIER = 0x9E3779B97F4A7C15 - (1 << 64)  # scatters products over 64 bits

Numbers = np.ndarray


@dataclass(frozen=True, slots=True)
class _Moment:
    """What is live at a time, of what has been placed by then.

    Run r of live bytes goes from `starts[r]` to `ends[r]` after the start of object
    `objects[r]`; `wanted` are the sizes of objects that are to be placed by then.
    """

    objects: Numbers
    starts: Numbers
    ends: Numbers
    wanted: tuple[int, ...]


def beam_fit(
    objects: Objects,
    alignment: int,
    capacity_bytes: int,
    width: int,
    draw: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[int, ...] | None:
    """Offsets with no end above `capacity_bytes`; None where none of `width` placements goes on.

    Equal arguments have equal answers; `draw` selects what is drawn.
    """
    births = sorted(
        (k for k, size in enumerate(objects.sizes) if size),
        key=lambda k: (objects.lives[k].start, -objects.sizes[k]),
    )
    beam = np.full((1, len(objects.sizes)), -1, dtype=np.int64)
    clock = _Clock(objects, births)
    for number, k in enumerate(births):
        if stop():
            return None
        parents, offsets = _ends_of_gaps(objects, k, beam, alignment, capacity_bytes)
        if not len(parents):
            return None
        if objects.lives[k].end - objects.lives[k].start == 1:
            parents, first = np.unique(parents, return_index=True)
            offsets = offsets[first]
        beam = beam[parents]
        beam[:, k] = offsets
        beam = beam[_best(clock, number, beam, capacity_bytes, width, draw)]
    chosen = np.maximum(beam[0], 0)
    return tuple(int(offset) for offset in chosen)


def _ends_of_gaps(
    objects: Objects, k: int, beam: Numbers, alignment: int, capacity_bytes: int
) -> tuple[Numbers, Numbers]:
    """(which placement of the beam, offset of object k): both ends of every gap it fits into."""
    met = [(o, low, high) for o, ivs in objects.forbidden[k].items() for low, high in ivs]
    limit = capacity_bytes - objects.sizes[k]
    if limit < 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    count = len(beam)
    last = np.full((count, 1), limit, np.int64)
    first = np.zeros((count, 1), np.int64)
    if met:
        others, lows, highs = (np.array(column, np.int64) for column in zip(*met, strict=True))
        bases = beam[:, others]
        placed = bases >= 0
        low = np.where(placed, bases + lows, limit)
        high = np.where(placed, bases + highs, 0)
        order = np.argsort(low, axis=1, kind="stable")
        low = np.take_along_axis(low, order, 1)
        high = np.maximum.accumulate(np.take_along_axis(high, order, 1), axis=1)
        last = np.concatenate([np.minimum(low, limit), last], axis=1)
        first = np.concatenate([first, np.maximum(high, 0)], axis=1)
    first = -(-first // alignment) * alignment
    last = last // alignment * alignment
    parents, gaps = np.nonzero(first <= last)
    lower, upper = first[parents, gaps], last[parents, gaps]
    two = lower < upper
    pairs = np.concatenate(
        [np.stack([parents, lower]), np.stack([parents[two], upper[two]])], axis=1
    )
    pairs = np.unique(pairs, axis=1)
    return pairs[0], pairs[1]


class _Clock:
    """What is live when; moments are asked for in the order of births."""

    def __init__(self, objects: Objects, births: Sequence[int]) -> None:
        self.objects = objects
        self.births = births
        self.starts = [objects.lives[k].start for k in births]
        self.born = {k: number for number, k in enumerate(births)}
        self.runs: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        self.live: list[int] = []

    def moments(self, number: int) -> list[_Moment]:
        """After birth `number`: the next times of birth, and the end of the object's life.

        Each call is for the birth after that of the last call.
        """
        k = self.births[number]
        now = self.objects.lives[k].start
        self.live = [q for q in (*self.live, k) if self.objects.lives[q].end > now]
        times: list[int] = []
        for start in self.starts[number + 1 :]:
            if start not in times:
                times.append(start)
            if len(times) == _LOOK:
                break
        if not times:
            times.append(now)
        return [self._moment(number, t) for t in (*times, self.objects.lives[k].end)]

    def _moment(self, number: int, time: int) -> _Moment:
        runs = [(q, *run) for q in self.live for run in self._runs(q, time)]
        wanted: list[int] = []
        for k in self.births[number + 1 :]:
            if self.objects.lives[k].start > time or len(wanted) > 2 * _LOOK:
                break
            if self.objects.lives[k].end > time:
                wanted.append(self.objects.sizes[k])
        columns = np.array(runs, np.int64).reshape(-1, 3)
        return _Moment(columns[:, 0], columns[:, 1], columns[:, 2], tuple(sorted(wanted)[::-1]))

    def _runs(self, k: int, time: int) -> tuple[tuple[int, int], ...]:
        """The live bytes of object k at `time`, side by side ones as one run."""
        found = self.runs.get((k, time))
        if found is None:
            joined: list[tuple[int, int]] = []
            for start, size, life in self.objects.members[k]:
                if not life.start <= time < life.end or not size:
                    continue
                if joined and start <= joined[-1][1]:
                    joined[-1] = joined[-1][0], max(joined[-1][1], start + size)
                else:
                    joined.append((start, start + size))
            found = self.runs[k, time] = tuple(joined)
        return found


def _best(
    clock: _Clock, number: int, beam: Numbers, capacity_bytes: int, width: int, draw: int
) -> Numbers:
    """Which rows of `beam` to keep, the best first."""
    moments = clock.moments(number)
    if len(beam) == 1:
        return np.zeros(1, np.int64)
    missing = np.zeros(len(beam))
    worth = np.zeros(len(beam))
    told = np.zeros(len(beam), np.int64)
    for place, moment in enumerate(moments):
        gaps, edges = _gaps(moment, beam, capacity_bytes)
        if place == 0:
            told = _scattered(edges, draw)
        if place in (0, len(moments) - 1):
            worth += (gaps * gaps).sum(axis=1)
        if place < len(moments) - 1:
            missing += _missing(gaps, moment.wanted)
    worth *= 1 + _DRAWN * ((told >> 40) & 0xFFFF) / 0x10000
    kept: list[int] = []
    alike: dict[int, int] = {}
    names = told.tolist()
    for row in np.lexsort((-worth, missing)).tolist():
        seen = alike.get(names[row], 0)
        if seen < _ALIKE:
            alike[names[row]] = seen + 1
            kept.append(row)
            if len(kept) == width:
                break
    return np.array(kept, np.int64)


def _gaps(moment: _Moment, beam: Numbers, capacity_bytes: int) -> tuple[Numbers, Numbers]:
    """For each placement its free bytes between live ones, and the edges of those."""
    bases = beam[:, moment.objects]
    starts = bases + moment.starts
    ends = bases + moment.ends
    order = np.argsort(starts, axis=1)
    starts = np.take_along_axis(starts, order, 1)
    ends = np.maximum.accumulate(np.take_along_axis(ends, order, 1), axis=1)
    edge = np.zeros((len(beam), 1), np.int64)
    before = np.concatenate([edge, ends], axis=1)
    after = np.concatenate([starts, edge + capacity_bytes], axis=1)
    return np.maximum(after - before, 0), np.concatenate([starts, ends], axis=1)


def _missing(gaps: Numbers, wanted: Sequence[int]) -> Numbers:
    """Bytes of `wanted` that find no gap, each taking the smallest that it fits into."""
    missing = np.zeros(len(gaps))
    gaps = gaps.copy()
    rows = np.arange(len(gaps))
    for size in wanted:
        fitting = np.where(gaps >= size, gaps, np.iinfo(np.int64).max)
        place = fitting.argmin(axis=1)
        fits = gaps[rows, place] >= size
        gaps[rows[fits], place[fits]] -= size
        missing += np.where(fits, 0, size)
    return missing


def _scattered(edges: Numbers, draw: int) -> Numbers:
    """A number for each row of `edges`, equal for equal rows alone, as far as one can tell."""
    factors = (np.arange(1, edges.shape[1] + 1, dtype=np.int64) + draw) * 2 + 1
    with np.errstate(over="ignore"):
        mixed = (edges * np.int64(_MULTIPLIER) ^ (edges >> 3)) * factors
        total = mixed.sum(axis=1)
        return (total ^ (total >> 29)) * np.int64(_MULTIPLIER)
