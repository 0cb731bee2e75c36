"""Which offsets keep the free bytes in pieces that what comes next fits into?

In: objects with their lives and what is forbidden between them, and a capacity.
Out: offsets within it, or where the search got stuck; that proves nothing.

Objects are placed as they are born. Of many placements of all that was born so far (a
*beam*) each is followed by one for either end of every gap that the next object fits into;
the best of those are kept. A first fit fills a gap as if nothing came after; here a
placement is judged by what the next births find: bytes of objects that would not fit,
then how large the gaps are, soon and when the object that was placed last dies. Part of
that is drawn, from the edges of the gaps, so that a beam does not end up with one
placement told in many ways, and so that another beam goes other ways. Where beams got
stuck is what the next ones look at from the start: that gaps hold whole objects then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mcucomp.rows.objects import Objects

_WIDTH = 24  # placements that are kept; many narrow beams find more than a wide one
_LOOK = 3  # so many of the next births are looked at
_ALIKE = 2  # of placements with the same gaps so many are kept
_DRAWN = 1.5  # how much of the worth of gaps is drawn at most, of what is not
_LATER = 0.25  # how much an object counts that will not fit where beams got stuck
_SCATTER = np.int64(0x1E3779B97F4A7C15)  # an odd number, by which products are scattered

Numbers = np.ndarray
Stuck = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BeamFit:
    """Offsets of the objects; or None, and the birth that found no place: (time, bytes).

    `births` is how many objects were placed until then.
    """

    offsets: tuple[int, ...] | None
    births: int
    stuck: Stuck | None = None


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


def births_of(objects: Objects) -> list[int]:
    """The objects in the order in which they are placed."""
    return sorted(
        (k for k, size in enumerate(objects.sizes) if size),
        key=lambda k: (objects.lives[k].start, -objects.sizes[k]),
    )


def beam_fit(
    objects: Objects,
    alignment: int,
    capacity_bytes: int,
    draw: int = 0,
    stuck: Sequence[Stuck] = (),
) -> BeamFit:
    """Look for offsets with no end above `capacity_bytes`.

    draw: which of the many beams; equal arguments have equal answers.
    stuck: where others got stuck.
    """
    births = births_of(objects)
    clock = _Clock(objects, births)
    judge = _Judge(clock, capacity_bytes, draw, tuple(stuck))
    beam = np.full((1, len(objects.sizes)), -1, dtype=np.int64)
    for number, k in enumerate(births):
        clock.pass_birth(number)
        parents, offsets = _ends_of_gaps(objects, k, beam, alignment, capacity_bytes)
        if not len(parents):
            return BeamFit(None, number, (objects.lives[k].start, objects.sizes[k]))
        if objects.lives[k].end - objects.lives[k].start == 1:  # the lowest gap will do
            parents, first = np.unique(parents, return_index=True)
            offsets = offsets[first]
        beam = beam[parents]
        beam[:, k] = offsets
        beam = beam[judge.best(number, beam)]
    return BeamFit(tuple(np.maximum(beam[0], 0).tolist()), len(births))


def _ends_of_gaps(
    objects: Objects, k: int, beam: Numbers, alignment: int, capacity_bytes: int
) -> tuple[Numbers, Numbers]:
    """(which placement of the beam, offset of object k): both ends of every gap it fits into."""
    met = objects.forbidden[k]
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


@dataclass(slots=True)
class _Clock:
    """What is live when, after one birth and the next."""

    objects: Objects
    births: Sequence[int]
    live: list[int] = field(default_factory=list)
    _runs: dict[tuple[int, int], tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def pass_birth(self, number: int) -> None:
        """Go on to birth `number`; they are passed in order."""
        k = self.births[number]
        now = self.objects.lives[k].start
        self.live = [q for q in (*self.live, k) if self.objects.lives[q].end > now]

    def next_times(self, number: int) -> list[int]:
        """The next times at which objects are born that live longer than a step."""
        times: list[int] = []
        for later in range(number + 1, len(self.births)):
            life = self.objects.lives[self.births[later]]
            if life.end - life.start > 1 and life.start not in times:
                times.append(life.start)
                if len(times) == _LOOK:
                    break
        return times or [self.objects.lives[self.births[number]].start]

    def moment(self, number: int, time: int) -> _Moment:
        """What is live at `time` of what has been placed after birth `number`."""
        lives = self.objects.lives
        runs = [(q, *run) for q in self.live for run in self._runs_at(q, time)]
        wanted: list[int] = []
        for later in range(number + 1, len(self.births)):
            k = self.births[later]
            if lives[k].start > time or len(wanted) > 2 * _LOOK:
                break
            if lives[k].end > time:
                wanted.append(self.objects.sizes[k])
        columns = np.array(runs, np.int64).reshape(-1, 3)
        return _Moment(columns[:, 0], columns[:, 1], columns[:, 2], tuple(sorted(wanted)[::-1]))

    def _runs_at(self, k: int, time: int) -> tuple[tuple[int, int], ...]:
        """The live bytes of object k at `time`; what lies side by side is one run."""
        found = self._runs.get((k, time))
        if found is None:
            joined: list[tuple[int, int]] = []
            for start, size, life in self.objects.members[k]:
                if not size or not life.start <= time < life.end:
                    continue
                if joined and start <= joined[-1][1]:
                    joined[-1] = joined[-1][0], max(joined[-1][1], start + size)
                else:
                    joined.append((start, start + size))
            found = self._runs[k, time] = tuple(joined)
        return found


@dataclass(frozen=True, slots=True)
class _Judge:
    """Which placements are worth going on with."""

    clock: _Clock
    capacity_bytes: int
    draw: int
    stuck: tuple[Stuck, ...]

    def best(self, number: int, beam: Numbers) -> Numbers:
        """The rows of `beam` to keep, the best first."""
        if len(beam) == 1:
            return np.zeros(1, np.int64)
        life = self.clock.objects.lives[self.clock.births[number]]
        missing, worth = np.zeros(len(beam)), np.zeros(len(beam))
        names = np.zeros(len(beam), np.int64)
        for place, time in enumerate(self.clock.next_times(number)):
            moment = self.clock.moment(number, time)
            gaps, edges = _gaps(moment, beam, self.capacity_bytes)
            missing += _missing(gaps, moment.wanted)
            if place == 0:
                worth += (gaps * gaps).sum(axis=1)
                names = _scattered(edges, self.draw)
        gaps, _ = _gaps(self.clock.moment(number, life.end), beam, self.capacity_bytes)
        worth += (gaps * gaps).sum(axis=1)
        for time, size in self.stuck:
            if time > life.start:
                gaps, _ = _gaps(self.clock.moment(number, time), beam, self.capacity_bytes)
                fewer = gaps.sum(axis=1) // size - (gaps // size).sum(axis=1)
                missing += _LATER * size * fewer
        worth *= 1 + _DRAWN * ((names >> 40) & 0xFFFF) / 0x10000
        return _first_of_each(np.lexsort((-worth, missing)).tolist(), names.tolist())


def _first_of_each(rows: Sequence[int], names: Sequence[int]) -> Numbers:
    """The first of `rows`, of those with one name not too many."""
    kept: list[int] = []
    alike: dict[int, int] = {}
    for row in rows:
        seen = alike.get(names[row], 0)
        if seen < _ALIKE:
            alike[names[row]] = seen + 1
            kept.append(row)
            if len(kept) == _WIDTH:
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
    """A number for each row of `edges`: equal rows have the same, others hardly ever."""
    factors = 2 * (np.arange(1, edges.shape[1] + 1, dtype=np.int64) + draw) + 1
    with np.errstate(over="ignore"):
        total = ((edges * _SCATTER ^ (edges >> 3)) * factors).sum(axis=1)
        scattered: Numbers = (total ^ (total >> 29)) * _SCATTER
        return scattered
