"""Do the blocks fit into a capacity? A search that fills the arena from below.

In: blocks and a capacity. Out: offsets, or that there are none, or that the
limit of work was reached.

If there is a placement there is one in which no block can be moved down by
itself. Such a placement can be built with offsets that never decrease, each
block resting on the highest end of those placed before it that live with it:
its *rest*. So the search takes blocks in this order. It keeps away from

- offsets below that of the block before (the *level*);
- offsets at or above the end that an unplaced block would have at its own rest:
  that block would fit below, and no later one could be in its way;
- times at which the least rest of the unplaced blocks there, and all their
  bytes above it, exceed the capacity.

Where no unplaced block spans two times, the parts before and after are solved
by themselves. A part with the same blocks, rests and level as one that failed
fails again: it is remembered over all tries.

The order in which blocks are tried decides how long it takes. So there are many
short tries, each with another mixture of duration and size, every other one
with blocks first that fill times with little room, and the times at which tries
failed make their blocks more urgent for the next ones. All draws
are seeded: the same blocks have the same answer.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from mcucomp.memory import round_up
from mcucomp.place.blocks import Block

_SEED = 1
_SPARE_NODES = 850  # a try that succeeds takes few more nodes than there are blocks
_TRIES_A_MIXTURE = 12
_STATES_REMEMBERED = 1_000_000  # some 100 MB
_ROOM_CLASSES = 64  # rooms within one class are left to urgency
_FORGET = 0.7  # what remains of the memory of failures from try to try

Numbers = np.ndarray


class _LimitReached(Exception):
    """A try took as many nodes as it may."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`offsets` or None; `impossible` where the search has shown that there are none."""

    offsets: tuple[int, ...] | None
    impossible: bool
    nodes: int


def level_search(
    blocks: Sequence[Block],
    alignment: int,
    capacity_bytes: int,
    limit_nodes: int,
    stop: Callable[[], bool] = lambda: False,
) -> Fit:
    """Fit `blocks` into `capacity_bytes`, with offsets that are multiples of `alignment`."""
    placed = [k for k, block in enumerate(blocks) if block.size_bytes]
    if not placed:
        return Fit((0,) * len(blocks), False, 0)
    trial = _Trial.of([blocks[k] for k in placed], alignment, capacity_bytes)
    draw = np.random.default_rng(_SEED + 1)
    mixtures = _mixtures(trial)
    nodes = 0
    while nodes < limit_nodes and not stop():
        urgency = next(mixtures)
        trial.failures[:] = 0
        trial.narrow_first = not trial.narrow_first
        for _ in range(_TRIES_A_MIXTURE):
            trial.urgency = urgency + draw.uniform(0, 3) * trial.trouble()
            found = trial.run()
            nodes += trial.nodes
            if found:
                offsets = [0] * len(blocks)
                for k, offset in zip(placed, trial.offsets, strict=True):
                    offsets[k] = int(offset)
                return Fit(tuple(offsets), False, nodes)
            if found is False:
                return Fit(None, True, nodes)
            trial.failures *= _FORGET
            if stop() or nodes >= limit_nodes:
                break
    return Fit(None, False, nodes)


def _mixtures(trial: _Trial) -> Iterator[Numbers]:
    """How urgent each block is: by area, duration, size, time; then drawn mixtures without end."""
    duration, size = np.log(trial.ends - trial.starts), np.log(trial.sizes)
    spans = zip(trial.starts, trial.ends, strict=True)
    busiest = np.array([trial.bytes_left[a:b].max() for a, b in spans])
    yield duration + size
    yield duration
    yield size
    yield -trial.starts.astype(float)
    draw = np.random.default_rng(_SEED)
    while True:
        crowd = draw.uniform(0, 8) if draw.random() < 0.33 else 0.0
        noise = draw.choice([0.0, 0.05, 0.2])
        yield (
            draw.uniform(0, 2) * duration
            + draw.uniform(0, 2) * size
            + crowd * np.log(busiest / trial.capacity_bytes)
            + noise * draw.standard_normal(len(size))
        )


@dataclass(slots=True)
class _Trial:
    """Blocks over *times*: the moments at which the set of live blocks is largest."""

    starts: Numbers  # a block's first time
    ends: Numbers  # the time after its last
    sizes: Numbers
    covers: Numbers  # covers[b, t]: block b is live at time t
    bytes_left: Numbers  # at each time, of all blocks
    capacity_bytes: int
    offsets: Numbers
    failures: Numbers  # how often each time was the one that did not fit
    urgency: Numbers = field(default_factory=lambda: np.zeros(0))
    narrow_first: bool = False
    nodes: int = 0
    failed: set[bytes] = field(default_factory=set)

    @staticmethod
    def of(blocks: Sequence[Block], alignment: int, capacity_bytes: int) -> _Trial:
        starts, ends, count = busy_times(blocks)
        sizes = np.array([round_up(b.size_bytes, alignment) for b in blocks], np.int64)
        times = np.arange(count)
        covers = (starts[:, None] <= times) & (times < ends[:, None])
        bytes_left = (covers * sizes[:, None]).sum(0)
        offsets = np.zeros(len(blocks), np.int64)
        return _Trial(
            starts, ends, sizes, covers, bytes_left, capacity_bytes, offsets, np.zeros(count)
        )

    def trouble(self) -> Numbers:
        """For each block how much the worst of its times has failed."""
        total = self.failures.sum() or 1.0
        worst = [self.failures[a:b].max() for a, b in zip(self.starts, self.ends, strict=True)]
        return np.log1p(20 * np.array(worst) / total)

    def run(self) -> bool | None:
        """One try: True with `offsets` filled in, False if nothing fits, None at the limit."""
        self.nodes = 0
        every = np.arange(len(self.sizes))
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 4 * len(every) + 1000))
        try:
            return self._parts(every, np.zeros(len(every), np.int64), self.bytes_left, 0)
        except _LimitReached:
            return None
        finally:
            sys.setrecursionlimit(limit)

    def _parts(self, blocks: Numbers, rests: Numbers, bytes_left: Numbers, level: int) -> bool:
        """Place `blocks`, part by part where no block spans the time between two."""
        if not len(blocks):
            return True
        sequence = blocks[np.argsort(self.starts[blocks], kind="stable")]
        reach = np.maximum.accumulate(self.ends[sequence])
        seams = np.nonzero(self.starts[sequence][1:] >= reach[:-1])[0] + 1
        parts = np.split(sequence, seams) if len(seams) else [blocks]
        parts.sort(key=len)
        return all(self._place(np.sort(part), rests, bytes_left, level) for part in parts)

    def _place(self, blocks: Numbers, rests: Numbers, bytes_left: Numbers, level: int) -> bool:
        """Choose which of `blocks` is placed next, and place the others after it."""
        self.nodes += 1
        if self.nodes > len(self.sizes) + _SPARE_NODES:
            raise _LimitReached
        own = rests[blocks]
        state = _digest(blocks, own, level if own.min() < level else 0)
        if state in self.failed:
            return False
        found = self._place_one(blocks, rests, bytes_left, level)
        if not found and len(self.failed) < _STATES_REMEMBERED:
            self.failed.add(state)
        return found

    def _place_one(self, blocks: Numbers, rests: Numbers, bytes_left: Numbers, level: int) -> bool:
        for b in self._candidates(blocks, rests, bytes_left, level):
            offset = int(rests[b])
            left = bytes_left.copy()
            left[self.starts[b] : self.ends[b]] -= self.sizes[b]
            others = blocks[blocks != b]
            beside = others[
                (self.starts[others] < self.ends[b]) & (self.ends[others] > self.starts[b])
            ]
            raised = rests.copy()
            raised[beside] = np.maximum(raised[beside], offset + self.sizes[b])
            self.offsets[b] = offset
            if self._parts(others, raised, left, offset):
                return True
        return False

    def _candidates(
        self, blocks: Numbers, rests: Numbers, bytes_left: Numbers, level: int
    ) -> Numbers:
        """The blocks that may be placed next, best first; none if some time cannot fit."""
        first, last = int(self.starts[blocks].min()), int(self.ends[blocks].max())
        own = rests[blocks]
        beyond = self.capacity_bytes + 1
        covers = self.covers[blocks, first:last]
        lowest = np.where(covers, np.maximum(own, level)[:, None], beyond).min(0)
        left = bytes_left[first:last]
        room = np.where(left > 0, self.capacity_bytes - lowest - left, beyond)
        broken = room < 0
        if broken.any():
            self.failures[first:last][broken] += 1.0 / int(broken.sum())
            return np.asarray(blocks[:0])
        highest = min(
            int((self.capacity_bytes - left[left > 0]).min()),
            int((own + self.sizes[blocks]).min()) - 1,
        )
        chosen = (own >= level) & (own <= highest)
        candidates, urgency = blocks[chosen], -self.urgency[blocks[chosen]]
        if not self.narrow_first:
            return np.asarray(candidates[np.lexsort((urgency, own[chosen]))])
        # Where a block rests on the lowest place of a time with little room, it must fit exactly.
        tight = covers[chosen] & (lowest[None, :] == own[chosen][:, None])
        narrowness = np.where(tight, room[None, :], beyond).min(1) * _ROOM_CLASSES // beyond
        return np.asarray(candidates[np.lexsort((urgency, narrowness, own[chosen]))])


def _digest(blocks: Numbers, rests: Numbers, level: int) -> bytes:
    """Names a state of the search in few bytes; 128 bits do not collide."""
    digest = hashlib.blake2b(blocks.tobytes(), digest_size=16)
    digest.update(rests.tobytes())
    digest.update(level.to_bytes(8, "little"))
    return digest.digest()


def busy_times(blocks: Sequence[Block]) -> tuple[Numbers, Numbers, int]:
    """Starts and ends counted in times at which no block fewer is live than just before or after.

    At any other moment what is live is also live at one of these, so two blocks
    live together if and only if they share one of them.
    """
    starts = sorted({b.lifetime.start for b in blocks})
    ends = sorted({b.lifetime.end for b in blocks})
    moments = []  # the last start before each run of ends
    for k, start in enumerate(starts):
        following = starts[k + 1] if k + 1 < len(starts) else None
        if following is None or any(start < end <= following for end in ends):
            moments.append(start)
    grid = np.array(moments)
    first = np.searchsorted(grid, [b.lifetime.start for b in blocks])
    after = np.searchsorted(grid, [b.lifetime.end for b in blocks])
    return first, after, len(moments)
