"""Why does no order need less? A bound's witness in words.

In: a plan and its step graph. Out: sentences, names made printable and short.
"""

from __future__ import annotations

from mcucomp.errors import short_name
from mcucomp.memory import StepGraph, round_up
from mcucomp.planner import Plan

_SHOWN = 4


def witness_text(plan: Plan, step_graph: StepGraph) -> list[str]:
    """What proves `plan.floor`, a sentence each; empty where there is no floor."""
    floor = plan.floor
    if floor is None:
        return []
    if floor.kind == "inputs":
        return [f"{floor.bytes:,} B of inputs are live before the first step."]
    if floor.kind == "ilp":
        return [f"A solver claims that no order needs less than {floor.bytes:,} B; unchecked."]
    if floor.kind == "exhaustion":
        return [
            f"Every order was looked at that could need less than {floor.bytes:,} B"
            f" ({floor.states:,} states): none does."
        ]
    if floor.chain:
        names = [short_name(step_graph.buffers[b].name) for b in floor.chain]
        return [
            f"{', '.join(names[:-1])} and {names[-1]}, each as far over the next as it may lie,"
            f" take at least {floor.bytes:,} B together."
        ]
    sentences = []
    if floor.edges:
        sentences.append(
            f"Within {floor.bytes - 1:,} B, {len(floor.edges)} pairs of steps can run in one order"
            " only, although nothing passes between them."
        )
    trap = floor.trap
    assert trap is not None
    lowest = min(trap.floors, key=lambda f: f.bytes)
    name = _step(step_graph, lowest.step)
    size = trap.members.bit_count()
    if size == 1:
        sentences.append(f"Whenever {name} runs, at least {lowest.bytes:,} B are live.")
    else:
        sentences.append(
            f"One of {size} steps must be the {'last' if trap.reverse else 'first'} to run;"
            f" whichever it is needs at least {trap.bytes:,} B. The cheapest is {name}."
        )
    chains = lowest.chains
    saved = min(lowest.saved, key=lambda case: case.bytes, default=None)
    if saved is not None and (chains is None or saved.bytes == lowest.bytes):
        chains = saved.chains
        over = " and ".join(short_name(step_graph.buffers[b].name) for b in saved.reads)
        sentences.append(f"It writes over {over} as far as it may, and that is taken off.")
    own, other = _live(step_graph, lowest.step, chains or ())
    sentences.append(
        f"It uses {own}." + (f" Also live, whatever ran before: {other}." if other else "")
    )
    return sentences


def _step(step_graph: StepGraph, step: int) -> str:
    named = step_graph.steps[step]
    return f"{named.kind} {short_name(named.name)}"


def _live(
    step_graph: StepGraph, step: int, chains: tuple[tuple[int, tuple[int, ...]], ...]
) -> tuple[str, str]:
    """The step's own bytes, and what else its floor counts."""
    own = [
        (round_up(buffer.size_bytes, step_graph.alignment), short_name(buffer.name))
        for buffer in step_graph.buffers
        if step in buffer.writers or step in buffer.readers
    ]
    scratch_bytes = step_graph.steps[step].scratch_bytes
    if scratch_bytes:
        own.append((round_up(scratch_bytes, step_graph.alignment), "scratch"))
    other = [
        (size_bytes, " or ".join(short_name(step_graph.buffers[b].name) for b in buffers))
        for size_bytes, buffers in chains
    ]
    return _listed(own), _listed(other)


def _listed(rows: list[tuple[int, str]]) -> str:
    """The largest few, and how much the rest is."""
    rows = sorted((row for row in rows if row[0]), key=lambda row: (-row[0], row[1]))
    shown = [f"{size_bytes:,} B {name}" for size_bytes, name in rows[:_SHOWN]]
    if len(rows) > _SHOWN:
        rest = sum(size_bytes for size_bytes, _ in rows[_SHOWN:])
        shown.append(f"{rest:,} B in {len(rows) - _SHOWN} more")
    return ", ".join(shown)
