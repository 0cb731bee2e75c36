"""Where may a step write over what it reads, and how much can that save?

In: a step graph, whose overlaps the operators' own statements made. Out: answers
from the definition, by going through every distance and every choice of inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import lcm

import numpy as np

from mcucomp.certify.rounding import room_of
from mcucomp.memory.types import Overlap, StepGraph


@dataclass(frozen=True, slots=True)
class Choice:
    """Inputs that a step may write over at once, the bytes that saves, and who must have run."""

    reads: frozenset[int]
    saved_bytes: int
    others: int


def permitted(overlap: Overlap, distance: int) -> bool:
    """Whether the input may start `distance` bytes above the output."""
    return (
        (overlap.low_bytes is None or distance >= overlap.low_bytes)
        and (overlap.high_bytes is None or distance <= overlap.high_bytes)
        and distance % overlap.multiple_bytes == 0
    )


def choices_of(step_graph: StepGraph) -> dict[int, list[Choice]]:
    """For each step all choices that save something.

    Left out is a choice that saves no more than a part of it: that part needs
    fewer steps to have run.
    """
    common: dict[int, dict[int, int]] = {}
    bare: dict[int, dict[int, int]] = {}
    out_bytes: dict[int, int] = {}
    for overlap in step_graph.overlaps:
        read, written = step_graph.buffers[overlap.read], step_graph.buffers[overlap.written]
        if read.held:
            continue
        out_bytes[overlap.step] = room_of(written, step_graph.alignment)
        most = common.setdefault(overlap.step, {})
        distances = _distances(overlap, step_graph)
        bytes_ = _most_in_common(
            distances, room_of(read, step_graph.alignment), out_bytes[overlap.step]
        )
        most[overlap.read] = max(most.get(overlap.read, 0), bytes_)
        # Below the least distance the output lies over no byte of this input.
        least = max(0, int(distances[0])) if len(distances) else out_bytes[overlap.step]
        known = bare.setdefault(overlap.step, {})
        known[overlap.read] = min(known.get(overlap.read, least), least)
    result: dict[int, list[Choice]] = {}
    for step, most in common.items():
        found: list[Choice] = []
        for count in range(1, len(most) + 1):
            for reads in combinations(sorted(most), count):
                covered = out_bytes[step] - min(bare[step][read] for read in reads)
                saved_bytes = min(covered, sum(most[read] for read in reads))
                part = any(
                    c.reads < frozenset(reads) and c.saved_bytes >= saved_bytes for c in found
                )
                if saved_bytes and not part:
                    others = _others(step_graph, step, reads)
                    found.append(Choice(frozenset(reads), saved_bytes, others))
        result[step] = found
    return result


def _others(step_graph: StepGraph, step: int, reads: tuple[int, ...]) -> int:
    touched = 0
    for read in reads:
        buffer = step_graph.buffers[read]
        for other in buffer.writers + buffer.readers:
            touched |= 1 << other
    return touched & ~(1 << step)


def _distances(overlap: Overlap, step_graph: StepGraph) -> np.ndarray:
    """Every distance, ascending, at which input and output may touch and that is permitted.

    Starts are multiples of the alignment, but for parts of a piece, which start at
    their place in it.
    """
    read, written = step_graph.buffers[overlap.read], step_graph.buffers[overlap.written]
    read_bytes, out_bytes = (room_of(b, step_graph.alignment) for b in (read, written))
    odd = read.place_bytes % step_graph.alignment or written.place_bytes % step_graph.alignment
    unit = lcm(1 if odd else step_graph.alignment, overlap.multiple_bytes)
    low = -read_bytes if overlap.low_bytes is None else max(overlap.low_bytes, -read_bytes)
    high = out_bytes if overlap.high_bytes is None else min(overlap.high_bytes, out_bytes)
    return np.arange(-(-low // unit) * unit, high + 1, unit)


def _most_in_common(distances: np.ndarray, read_bytes: int, out_bytes: int) -> int:
    """The most common bytes over all `distances`."""
    if not len(distances):
        return 0
    common = np.minimum(out_bytes, distances + read_bytes) - np.maximum(0, distances)
    return max(0, int(common.max()))
