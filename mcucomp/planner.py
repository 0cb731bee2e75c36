"""Which order, and which offsets?

In: a `StepGraph`. Out: a `Plan`: the order of the steps, an offset for each
buffer and each step's scratch, and what the plan predicts of the arena.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcucomp.memory import Lifetime, StepGraph, lifetimes, live_bytes, round_up
from mcucomp.order.file_order import file_order
from mcucomp.place.greedy import Block, highest_byte, place


@dataclass(frozen=True, slots=True)
class Plan:
    """An order with offsets.

    `peak_bytes` is the live peak of the order, sizes rounded up to the
    alignment; `arena_bytes` what the arena must have; `high_water_bytes` the
    largest offset plus unrounded bytes, which is what a device measures.
    `scratch_offsets` has an entry a step, None where it needs no scratch.
    """

    order: tuple[int, ...]
    offsets: tuple[int, ...]
    scratch_offsets: tuple[int | None, ...]
    alignment: int
    peak_bytes: int
    arena_bytes: int
    high_water_bytes: int
    floor_bytes: int | None = None
    floor_kind: str | None = None
    verdict: str = "open"
    rules: str = "orders"


def plan(step_graph: StepGraph) -> Plan:
    """The file's own order, with the best of a few quick placements."""
    order = file_order(step_graph)
    blocks = [
        Block(buffer.size_bytes, life)
        for buffer, life in zip(step_graph.buffers, lifetimes(step_graph, order), strict=True)
    ]
    scratch_steps = [s for s in order if step_graph.steps[s].scratch_bytes]
    position = {step: k for k, step in enumerate(order)}
    blocks += [
        Block(step_graph.steps[s].scratch_bytes, Lifetime(position[s], position[s] + 1))
        for s in scratch_steps
    ]
    offsets = place(blocks, step_graph.alignment)
    count = len(step_graph.buffers)
    scratch_offset = dict(zip(scratch_steps, offsets[count:], strict=True))
    high_water_bytes = highest_byte(blocks, offsets)
    return Plan(
        order=order,
        offsets=offsets[:count],
        scratch_offsets=tuple(scratch_offset.get(s) for s in range(len(step_graph.steps))),
        alignment=step_graph.alignment,
        peak_bytes=max(live_bytes(step_graph, order), default=0),
        arena_bytes=round_up(high_water_bytes, step_graph.alignment),
        high_water_bytes=high_water_bytes,
    )
