"""What lives when an order is run? Worked out from the definition, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcucomp.certify.overlap import choices_of
from mcucomp.certify.reading import wrong
from mcucomp.certify.rounding import room_of, rounded
from mcucomp.memory.types import StepGraph


@dataclass(frozen=True, slots=True)
class Replay:
    """An order that was run: each buffer's (first position, position after the last)."""

    order: tuple[int, ...]
    lives: tuple[tuple[int, int], ...]
    peak_bytes: int


def replay(step_graph: StepGraph, order: Sequence[int]) -> Replay:
    """Run `order`; raises CheckFailed where it runs a step too early, twice or never."""
    count = len(step_graph.steps)
    if sorted(order) != list(range(count)):
        raise wrong("order", f"is not each of the {count} steps once")
    place = [0] * count
    for position, step in enumerate(order):
        place[step] = position
    for before, after in direct_pairs(step_graph):
        if place[before] > place[after]:
            raise wrong(
                f"order[{place[after]}]",
                f"step {after} ({step_graph.steps[after].name}) runs before"
                f" step {before} ({step_graph.steps[before].name}), which it needs",
            )
    lives = []
    for buffer in step_graph.buffers:
        marks = [place[step] for step in buffer.writers + buffer.readers]
        if not buffer.writers or buffer.from_start:
            marks.append(0)
        if buffer.held:
            marks.append(max(0, count - 1))
        lives.append((min(marks), max(marks) + 1))
    live_bytes = [rounded(step_graph.steps[s].scratch_bytes, step_graph.alignment) for s in order]
    live_bytes = live_bytes or [0]
    for buffer, (start, end) in zip(step_graph.buffers, lives, strict=True):
        for position in range(start, end):
            live_bytes[position] += room_of(buffer, step_graph.alignment)
    for step, choices in choices_of(step_graph).items():
        ran = sum(1 << other for other in order[: place[step]])
        met = [c.saved_bytes for c in choices if not c.others & ~ran]
        live_bytes[place[step]] -= max(met, default=0)
    return Replay(tuple(order), tuple(lives), max(live_bytes))


def direct_pairs(step_graph: StepGraph) -> list[tuple[int, int]]:
    """Which step must run before which: writers before readers, and the listed pairs."""
    pairs = list(step_graph.precedence)
    for buffer in step_graph.buffers:
        for writer in () if buffer.in_parts else buffer.writers:
            pairs += [(writer, reader) for reader in buffer.readers if reader != writer]
    return pairs
