"""Does a plan fit a board's memory? Answered before anything is compiled.

The linker decides in the end; this refuses what cannot fit whatever the rest
of the image takes, and says which tensors make the peak.
"""

from __future__ import annotations

from mcucomp.boards import Board
from mcucomp.errors import DoesNotFit, short_name
from mcucomp.memory import StepGraph, lifetimes, live_bytes
from mcucomp.planner import Plan


def arena_limit_bytes(board: Board) -> int | None:
    """The most that an arena can have on `board`: its region, less the stack if that is there too.

    None for the host, which sets no limit.
    """
    if board.sections is None:
        return None
    stack_is_there = board.sections.stack == board.sections.arena
    taken_bytes = (board.stack_bytes or 0) if stack_is_there else 0
    return board.region(board.sections.arena).bytes - taken_bytes


def peak_position(step_graph: StepGraph, plan: Plan) -> int:
    """The first position of the plan's order at which most bytes are live."""
    live = live_bytes(step_graph, plan.order)
    return live.index(max(live))


def live_at(step_graph: StepGraph, plan: Plan, position: int) -> list[str]:
    """What is live at a position, largest first, as `bytes name [start, end)`."""
    step = step_graph.steps[plan.order[position]]
    rows = [
        (buffer.size_bytes, f"{short_name(buffer.name)} [{life.start}, {life.end})")
        for buffer, life in zip(step_graph.buffers, lifetimes(step_graph, plan.order), strict=True)
        if life.start <= position < life.end and buffer.size_bytes
    ]
    if step.scratch_bytes:
        rows.append((step.scratch_bytes, f"scratch [{position}, {position + 1})"))
    rows.sort(key=lambda row: (-row[0], row[1]))
    return [f"{size_bytes:,} B {what}" for size_bytes, what in rows]


def require_fit(source: str, step_graph: StepGraph, plan: Plan, board: Board) -> None:
    """Raise DoesNotFit if the arena is larger than what `board` has for it."""
    limit_bytes = arena_limit_bytes(board)
    if limit_bytes is None or plan.arena_bytes <= limit_bytes:
        return
    position = peak_position(step_graph, plan)
    kind = step_graph.steps[plan.order[position]].kind
    live = ", ".join(live_at(step_graph, plan, position))
    raise DoesNotFit(
        f"needs {plan.arena_bytes:,} B of arena; {board.name} has {limit_bytes:,} B",
        at=source,
        details=[f"peak is at step {position}, {kind}: {live}"],
        fix="choose a board with more memory ('mcucomp boards'), or a smaller model",
    )
