"""Which step may write over what it reads, and how many bytes can that save?

In: kernel calls with their clearances, and where tensors lie in buffers. Out:
`Overlap`s between buffers. And from a step graph: for each step what the best
overlaps save, on the condition that nothing else needs the buffers any more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcucomp.memory.types import Buffer, Overlap, StepGraph
from mcucomp.memory.uses import Use

# Every choice of inputs has a condition of its own: a step that reads more writes over none.
_MOST_INPUTS = 4


def overlaps_of(
    calls: Sequence[Use],
    buffers: Sequence[Buffer],
    buffer_of_tensor: Mapping[int, int],
    place_in_buffer: Mapping[int, int],
) -> tuple[Overlap, ...]:
    """What the clearances of `calls` mean for buffers; step k is `calls[k]`.

    Only a buffer that the step alone writes can begin over another.
    """
    found: list[Overlap] = []
    for step, call in enumerate(calls):
        if len(call.writes) != 1:
            continue
        written = buffer_of_tensor[call.writes[0]]
        if buffers[written].writers != (step,) or buffers[written].from_start:
            continue
        reads = {k: buffer_of_tensor[t] for k, t in enumerate(call.reads) if t in buffer_of_tensor}
        if len(set(reads.values())) > _MOST_INPUTS:
            continue
        for read in dict.fromkeys(reads.values()):
            if read == written:
                continue
            positions = [k for k, buffer in reads.items() if buffer == read]
            found += _between(
                step,
                call,
                read,
                written,
                positions,
                place_in_buffer,
                alone=len(set(reads.values())) == 1,
            )
    return tuple(found)


def _between(
    step: int,
    call: Use,
    read: int,
    written: int,
    positions: Sequence[int],
    place_in_buffer: Mapping[int, int],
    *,
    alone: bool,
) -> Iterable[Overlap]:
    """One overlap for each form in which every tensor of `read` has a clearance.

    Other forms than the usual one only where the step reads no other buffer:
    a form is chosen for the whole step.
    """
    forms = dict.fromkeys(c.kernel for c in call.clearances if alone or not c.kernel)
    for form in forms:
        clearances = [
            [c for c in call.clearances if c.position == k and c.kernel == form] for k in positions
        ]
        if any(len(choices) != 1 for choices in clearances):
            continue
        lows, highs, multiple_bytes = [], [], 1
        for k, (clearance,) in zip(positions, clearances, strict=True):
            shift = place_in_buffer[call.writes[0]] - place_in_buffer[call.reads[k]]
            if clearance.low_bytes is not None:
                lows.append(clearance.low_bytes + shift)
            if clearance.high_bytes is not None:
                highs.append(clearance.high_bytes + shift)
            if shift and clearance.multiple_bytes > 1:
                break
            multiple_bytes = math.lcm(multiple_bytes, clearance.multiple_bytes)
        else:
            yield Overlap(
                step,
                read,
                written,
                max(lows, default=None),
                min(highs, default=None),
                multiple_bytes,
                form,
            )


@dataclass(frozen=True, slots=True)
class Saving:
    """Running `step` needs `bytes` less than its buffers have, once all of `others` have run."""

    step: int
    reads: tuple[int, ...]
    others: frozenset[int]
    bytes: int


def savings_of(step_graph: StepGraph) -> tuple[Saving, ...]:
    """The most that each step can save, for each choice of inputs that it may write over."""
    by_step: dict[int, dict[int, list[Overlap]]] = {}
    for overlap in step_graph.overlaps:
        if not step_graph.buffers[overlap.read].held:
            by_step.setdefault(overlap.step, {}).setdefault(overlap.read, []).append(overlap)
    savings: list[Saving] = []
    for step, by_read in by_step.items():
        single, apart = {}, {}
        for read, overlaps in by_read.items():
            saved = saved_bytes(step_graph, overlaps)
            if saved:
                single[read] = saved
                apart[read] = min(_least_distance(step_graph, o) for o in overlaps)
        written = step_graph.buffers[next(iter(by_read.values()))[0].written]
        out_bytes = written.room_bytes(step_graph.alignment)
        savings += _choices(step_graph, step, single, apart, out_bytes)
    return tuple(savings)


def _choices(
    step_graph: StepGraph,
    step: int,
    single: Mapping[int, int],
    apart: Mapping[int, int],
    out_bytes: int,
) -> Iterable[Saving]:
    """Each input by itself, and several where that may save more.

    Before the least distance at which any of them may lie, the output is over none.
    """
    for read, saved in single.items():
        yield Saving(step, (read,), _others(step_graph, step, (read,)), saved)
    for count in range(2, len(single) + 1):
        for reads in itertools.combinations(single, count):
            most = out_bytes - min(apart[read] for read in reads)
            saved = min(most, sum(single[read] for read in reads))
            if saved > max(single[read] for read in reads):
                yield Saving(step, reads, _others(step_graph, step, reads), saved)


def _others(step_graph: StepGraph, step: int, reads: Iterable[int]) -> frozenset[int]:
    touched = {
        s for read in reads for b in (step_graph.buffers[read],) for s in (*b.writers, *b.readers)
    }
    return frozenset(touched - {step})


def permits(overlap: Overlap, distance: int) -> bool:
    """Whether the buffer that is read may start `distance` bytes above the one written."""
    return (
        (overlap.low_bytes is None or distance >= overlap.low_bytes)
        and (overlap.high_bytes is None or distance <= overlap.high_bytes)
        and distance % overlap.multiple_bytes == 0
    )


def saved_bytes(step_graph: StepGraph, overlaps: Sequence[Overlap]) -> int:
    """Bytes that two buffers can have in common under one of `overlaps`, sizes rounded up."""
    read, written = (step_graph.buffers[b] for b in (overlaps[0].read, overlaps[0].written))
    read_bytes, written_bytes = (b.room_bytes(step_graph.alignment) for b in (read, written))
    unit = _distance_unit(step_graph, overlaps[0])
    return max(_common(o, read_bytes, written_bytes, unit) for o in overlaps)


def _distance_unit(step_graph: StepGraph, overlap: Overlap) -> int:
    """What distances are multiples of: the alignment, unless one lies anywhere in its piece."""
    places = (step_graph.buffers[b].place_bytes for b in (overlap.read, overlap.written))
    aligned = all(place % step_graph.alignment == 0 for place in places)
    return step_graph.alignment if aligned else 1


def _least_distance(step_graph: StepGraph, overlap: Overlap) -> int:
    """How far the input must at least start above the output; not below 0."""
    unit = math.lcm(_distance_unit(step_graph, overlap), overlap.multiple_bytes)
    return -(-max(0, overlap.low_bytes or 0) // unit) * unit


def _common(overlap: Overlap, read_bytes: int, written_bytes: int, alignment: int) -> int:
    """The common bytes are most where one buffer holds the other, or as near to that as it gets."""
    unit = math.lcm(alignment, overlap.multiple_bytes)
    inner = sorted((0, written_bytes - read_bytes))
    low = -read_bytes if overlap.low_bytes is None else max(overlap.low_bytes, -read_bytes)
    high = written_bytes if overlap.high_bytes is None else min(overlap.high_bytes, written_bytes)
    first, last = -(-low // unit) * unit, high // unit * unit
    if first > last:
        return 0
    wanted = [min(max(end, first), last) for end in inner]
    candidates = {d for w in wanted for d in (w // unit * unit, -(-w // unit) * unit)}
    return max(
        max(0, min(written_bytes, d + read_bytes) - max(0, d))
        for d in candidates
        if first <= d <= last
    )
