"""When is each buffer live under a given order, and how much is live at once?"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.memory.overlaps import savings_of
from mcucomp.memory.types import Lifetime, StepGraph


def round_up(size_bytes: int, alignment: int) -> int:
    """The least multiple of `alignment` (a power of two) that is not below `size_bytes`."""
    return -(-size_bytes // alignment) * alignment


def lifetimes(step_graph: StepGraph, order: Sequence[int]) -> tuple[Lifetime, ...]:
    """The lifetime of each buffer, in positions of `order`.

    An input is written before the first step, so it is live at position 0
    even if nobody reads it: other inputs must not share its bytes.
    """
    position = {step: k for k, step in enumerate(order)}
    result = []
    for buffer in step_graph.buffers:
        written = [position[step] for step in buffer.writers]
        touched = written + [position[step] for step in buffer.readers]
        start = 0 if buffer.from_start else min(written, default=0)
        end = len(order) if buffer.held else max(touched, default=0) + 1
        result.append(Lifetime(start, max(end, start + 1)))
    return tuple(result)


def live_bytes(step_graph: StepGraph, order: Sequence[int]) -> tuple[int, ...]:
    """Bytes live at each position of `order`: rounded buffers, and the step's scratch.

    Less what the step's overlaps can save at that position.
    """
    change = [0] * (len(order) + 1)
    for buffer, life in zip(step_graph.buffers, lifetimes(step_graph, order), strict=True):
        size_bytes = buffer.room_bytes(step_graph.alignment)
        change[life.start] += size_bytes
        change[min(life.end, len(order))] -= size_bytes
    live, total = [], 0
    for k, step in enumerate(order):
        total += change[k]
        live.append(total + round_up(step_graph.steps[step].scratch_bytes, step_graph.alignment))
    position = {step: k for k, step in enumerate(order)}
    saved = [0] * len(order)
    for saving in savings_of(step_graph):
        k = position[saving.step]
        if all(position[other] < k for other in saving.others):
            saved[k] = max(saved[k], saving.bytes)
    return tuple(bytes_ - less for bytes_, less in zip(live, saved, strict=True))
