"""Do a plan and a model's state fit a board's memory? Answered before anything is compiled.

The linker decides in the end; this refuses what cannot fit whatever the rest
of the image takes, and says which tensors make the peak.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.boards import PART_KINDS, Board, MemoryRegion
from mcucomp.errors import DoesNotFit, short_name
from mcucomp.memory import Buffer, Lifetime, StepGraph, lifetimes, live_bytes, round_up
from mcucomp.planner import Plan

_LARGER_BOARD = "choose a board with more memory ('mcucomp boards'), or a smaller model"


def arena_limit_bytes(board: Board) -> int | None:
    """The most that an arena can have on `board`: its region, less the stack if that is there too.

    None for the host, which sets no limit.
    """
    if board.sections is None:
        return None
    return _room_bytes(board, board.region(board.sections.arena))


def _room_bytes(board: Board, region: MemoryRegion) -> int:
    """What a region has, less the stack if that is there."""
    stack_is_there = board.sections is not None and board.sections.stack == region.name
    return region.bytes - ((board.stack_bytes or 0) if stack_is_there else 0)


def _regions_line(part: str, needed_bytes: int, board: Board) -> str:
    """By how much each region that may hold `part` is too small."""
    rooms = []
    for region in board.memory:
        if region.kind == PART_KINDS[part]:
            room_bytes = _room_bytes(board, region)
            short_bytes = needed_bytes - room_bytes
            verdict = f"{short_bytes:,} B short" if short_bytes > 0 else "enough"
            rooms.append(f"{region.name} has {room_bytes:,} B ({verdict})")
    verb = "needs" if part == "arena" else "need"
    return f"{part} {verb} {needed_bytes:,} B: {', '.join(rooms)}"


def _fix(part: str, needed_bytes: int, board: Board) -> str:
    """A region that is large enough, if there is one."""
    for region in board.memory:
        if region.kind == PART_KINDS[part] and needed_bytes <= _room_bytes(board, region):
            return f"put it where it fits: --place {part}={region.name.lower()}"
    return _LARGER_BOARD


def peak_position(step_graph: StepGraph, plan: Plan) -> int:
    """The first position at which most bytes are live, for a plan that has steps."""
    live = live_bytes(step_graph, plan.order)
    return live.index(max(live))


def live_at(step_graph: StepGraph, plan: Plan, position: int) -> list[str]:
    """What is live at a position, largest first, as `bytes name [start, end)`.

    Rows of one tensor are one line. A last line says how much of all is the same bytes, where the
    step's output overlaps an input.
    """
    step = step_graph.steps[plan.order[position]]
    live = [
        (buffer, life)
        for buffer, life in zip(step_graph.buffers, lifetimes(step_graph, plan.order), strict=True)
        if life.start <= position < life.end and buffer.size_bytes
    ]
    rows = _together(live)
    apart_bytes = sum(round_up(buffer.size_bytes, step_graph.alignment) for buffer, _ in live)
    if step.scratch_bytes:
        rows.append((step.scratch_bytes, f"scratch [{position}, {position + 1})"))
        apart_bytes += round_up(step.scratch_bytes, step_graph.alignment)
    rows.sort(key=lambda row: (-row[0], row[1]))
    lines = [f"{size_bytes:,} B {what}" for size_bytes, what in rows]
    shared_bytes = apart_bytes - live_bytes(step_graph, plan.order)[position]
    if shared_bytes > 0:
        lines.append(f"less {shared_bytes:,} B of input that the output is written over")
    return lines


def _together(live: Sequence[tuple[Buffer, Lifetime]]) -> list[tuple[int, str]]:
    """(bytes, what it is and when) of each buffer, or of all rows of one tensor."""
    found: dict[int, list[tuple[Buffer, Lifetime]]] = {}
    for number, entry in enumerate(live):
        row_of = entry[0].row_of
        found.setdefault(-1 - number if row_of is None else row_of, []).append(entry)
    return [_told(each) for each in found.values()]


def _told(each: Sequence[tuple[Buffer, Lifetime]]) -> tuple[int, str]:
    """Of a buffer, or of several rows of one tensor."""
    what = short_name(each[0][0].name)
    if len(each) > 1:
        what = f"{short_name(each[0][0].name.rpartition(' row ')[0])}, {len(each)} rows"
    start, end = min(life.start for _, life in each), max(life.end for _, life in each)
    return sum(b.size_bytes for b, _ in each), f"{what} [{start}, {end})"


# Offsets on the device are 32-bit, and signed in what compares them.
GREATEST_BYTES = 2**31 - 1


def require_addressable(source: str, part: str, needed_bytes: int) -> None:
    """Raise DoesNotFit for an arena or a state (`part`) that no 32-bit device could address."""
    if needed_bytes > GREATEST_BYTES:
        raise DoesNotFit(
            f"needs {needed_bytes:,} B of {part}; offsets on a device reach {GREATEST_BYTES:,} B",
            at=source,
            fix="choose a smaller model",
        )


def require_fit(
    source: str, step_graph: StepGraph, plan: Plan, board: Board, state_bytes: int = 0
) -> None:
    """Raise DoesNotFit if arena or state are larger than what `board` has for each, or, where
    they are in one region, for both.
    """
    limit_bytes = arena_limit_bytes(board)
    if limit_bytes is None or board.sections is None:
        return
    _require_state_fit(source, state_bytes, board)
    if plan.arena_bytes > limit_bytes:
        raise DoesNotFit(
            f"needs {plan.arena_bytes:,} B of arena; {board.name} has {limit_bytes:,} B",
            at=source,
            details=[
                _peak_line(step_graph, plan),
                _regions_line("arena", plan.arena_bytes, board),
            ],
            fix=_fix("arena", plan.arena_bytes, board),
        )
    if board.sections.data != board.sections.arena:
        return
    if plan.arena_bytes + state_bytes > limit_bytes:
        raise DoesNotFit(
            f"needs {plan.arena_bytes:,} B of arena and {state_bytes:,} B of state; "
            f"{board.sections.arena} of {board.name} has {limit_bytes:,} B for both",
            at=source,
            details=[_peak_line(step_graph, plan)],
            fix=_fix_apart(plan.arena_bytes, state_bytes, board),
        )


def _fix_apart(arena_bytes: int, state_bytes: int, board: Board) -> str:
    """Another region for one of the two, if there is one."""
    assert board.sections is not None
    for part, needed_bytes in (("data", state_bytes), ("arena", arena_bytes)):
        for region in board.memory:
            is_other = region.kind == PART_KINDS[part] and region.name != board.sections.arena
            if is_other and needed_bytes <= _room_bytes(board, region):
                return f"put one of them elsewhere: --place {part}={region.name.lower()}"
    return _LARGER_BOARD


def _require_state_fit(source: str, state_bytes: int, board: Board) -> None:
    """Raise DoesNotFit if the state alone is larger than the region that it goes to."""
    assert board.sections is not None
    limit_bytes = _room_bytes(board, board.region(board.sections.data))
    if state_bytes <= limit_bytes:
        return
    raise DoesNotFit(
        f"needs {state_bytes:,} B of state; {board.name} has {limit_bytes:,} B",
        at=source,
        details=[_regions_line("data", state_bytes, board)],
        fix=_fix("data", state_bytes, board),
    )


def _peak_line(step_graph: StepGraph, plan: Plan) -> str:
    if not plan.order:
        return "no step runs: inputs and outputs alone take it"
    position = peak_position(step_graph, plan)
    kind = step_graph.steps[plan.order[position]].kind
    return f"peak is at step {position}, {kind}: {', '.join(live_at(step_graph, plan, position))}"


def require_weights_fit(source: str, constants_bytes: int, board: Board) -> None:
    """Raise DoesNotFit if the constants alone are larger than the region that they go to."""
    if board.sections is None:
        return
    limit_bytes = board.region(board.sections.weights).bytes
    if constants_bytes <= limit_bytes:
        return
    raise DoesNotFit(
        f"needs {constants_bytes:,} B for weights; {board.name} has {limit_bytes:,} B",
        at=source,
        details=[_regions_line("weights", constants_bytes, board)],
        fix=_fix("weights", constants_bytes, board),
    )
