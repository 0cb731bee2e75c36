"""Is every claim of a plan true?

In: a plan's document, and the step graph of the model that it is about, made
from the model alone. Out: what was found to be true, in words; or CheckFailed,
which names the first line that is wrong.

Quadratic and dull on purpose. It replays the order, lays all live bytes side by
side at every step, and adds up the witness of the floor; a cut is verified
from its flow, without a solver.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from mcucomp.certify.digest import digest_of
from mcucomp.certify.floor import check_floor
from mcucomp.certify.overlap import permitted
from mcucomp.certify.reading import equal, member, numbers, of_kind, wrong
from mcucomp.certify.replay import Replay, replay
from mcucomp.certify.rounding import room_of, rounded
from mcucomp.errors import CheckFailed
from mcucomp.memory.types import StepGraph

_SCHEMA = 1


def check(
    document: Mapping[str, Any],
    step_graph: StepGraph,
    sha256: str,
    floor_graph: StepGraph | None = None,
) -> tuple[str, ...]:
    """Verify `document` against the step graph and the SHA-256 of its model.

    The floor is one of `floor_graph`, where that is given: of the same operators in
    smaller steps.

    Returns:
        What is true of the plan, a sentence each.

    Raises:
        CheckFailed: a line is wrong; the message names it.
    """
    document = of_kind(document, "document", dict)
    equal(member(document, "", "schema", int), _SCHEMA, "schema", "this checker")
    found = member(member(document, "", "model", dict), "model", "sha256", str)
    if found != sha256:
        raise wrong("model.sha256", "is of another model", details=[found, sha256])
    equal(member(document, "", "rules", str), step_graph.rules, "rules", "the request")
    _check_model(document, step_graph)
    count = len(step_graph.steps)
    played = replay(step_graph, numbers(member(document, "", "order", list), "order", count))
    _check_lives(document, step_graph, played)
    high_water_bytes = _check_offsets(document, step_graph, played)
    sentences = _check_memory(
        document, step_graph, played, high_water_bytes, floor_graph or step_graph
    )
    equal(member(document, "", "digest", str), digest_of(document), "digest", "the document itself")
    return tuple(sentences)


def _check_model(document: Mapping[str, Any], step_graph: StepGraph) -> None:
    """The memory model in the document is the model's."""
    equal(member(document, "", "alignment", int), step_graph.alignment, "alignment", "the request")
    steps = member(document, "", "steps", list)
    equal(len(steps), len(step_graph.steps), "steps (how many)", "the model")
    for k, (found, step) in enumerate(zip(steps, step_graph.steps, strict=True)):
        path = f"steps[{k}]"
        equal(member(found, path, "name", str), step.name, f"{path}.name", "the model")
        equal(member(found, path, "kind", str), step.kind, f"{path}.kind", "the model")
        equal(
            member(found, path, "scratch_bytes", int),
            step.scratch_bytes,
            f"{path}.scratch_bytes",
            "the model",
        )
    buffers = member(document, "", "buffers", list)
    equal(len(buffers), len(step_graph.buffers), "buffers (how many)", "the model")
    for k, (found, buffer) in enumerate(zip(buffers, step_graph.buffers, strict=True)):
        path = f"buffers[{k}]"
        for key, expected in (
            ("name", buffer.name),
            ("size_bytes", buffer.size_bytes),
            ("writers", list(buffer.writers)),
            ("readers", list(buffer.readers)),
            ("held", buffer.held),
            ("from_start", buffer.from_start),
            ("in_parts", buffer.in_parts),
        ):
            equal(member(found, path, key, type(expected)), expected, f"{path}.{key}", "the model")
        for key, of_piece in (("piece", buffer.piece), ("place_bytes", buffer.place_bytes)):
            expected_of_piece = None if buffer.piece is None else of_piece
            equal(found.get(key), expected_of_piece, f"{path}.{key}", "the model")
    precedence = [list(pair) for pair in step_graph.precedence]
    equal(member(document, "", "precedence", list), precedence, "precedence", "the model")
    overlaps = [dataclasses.asdict(overlap) for overlap in step_graph.overlaps]
    equal(member(document, "", "overlaps", list), overlaps, "overlaps", "the model")


def _check_lives(document: Mapping[str, Any], step_graph: StepGraph, played: Replay) -> None:
    for k, (found, life) in enumerate(zip(document["buffers"], played.lives, strict=True)):
        path = f"buffers[{k}].live"
        live = numbers(member(found, f"buffers[{k}]", "live", list), path)
        equal(live, list(life), path, f"the order, of {step_graph.buffers[k].name},")


@dataclasses.dataclass(frozen=True, slots=True)
class _Block:
    """Bytes [offset, end), taken at positions [start, stop); `path` is where that stands.

    Nothing else may begin before `taken`: the end, rounded up unless the block is part of a
    piece. A part of a piece that starts between the two would make the floor wrong.
    """

    offset: int
    end: int
    taken: int
    name: str
    path: str
    start: int
    stop: int
    buffer: int | None = None

    @property
    def span(self) -> str:
        return f"{self.name} [{self.offset:,}, {self.end:,})"


def _check_offsets(document: Mapping[str, Any], step_graph: StepGraph, played: Replay) -> int:
    """Blocks that live together overlap only where a step may. Returns the highest byte in use."""
    blocks = _blocks(document, step_graph, played)
    _check_starts(blocks, step_graph)
    blocks = [block for block in blocks if block.offset < block.end]
    positions = max(1, len(played.order))
    live_at: list[list[_Block]] = [[] for _ in range(positions)]
    for block in blocks:
        for position in range(block.start, min(block.stop, positions)):
            live_at[position].append(block)
    for position, live in enumerate(live_at):
        for low, high in _overlapping(live):
            if not _may_overlap(document, step_graph, played, position, low, high):
                raise _overlap(step_graph, played, position, low, high)
    return max((block.end for block in blocks), default=0)


def _check_starts(blocks: Sequence[_Block], step_graph: StepGraph) -> None:
    """Everything starts at a multiple of the alignment, parts of a piece at their place in it."""
    starts: dict[int, tuple[int, str]] = {}
    for block in blocks:
        buffer = None if block.buffer is None else step_graph.buffers[block.buffer]
        offset = block.offset - (0 if buffer is None else buffer.place_bytes)
        if offset < 0 or offset % step_graph.alignment:
            less = "" if buffer is None or buffer.piece is None else " less its place in its piece"
            raise wrong(
                block.path,
                f"is {block.offset:,}{less}; it must be a multiple of {step_graph.alignment}",
            )
        if buffer is not None and buffer.piece is not None:
            start, first = starts.setdefault(buffer.piece, (offset, block.name))
            if offset != start:
                raise wrong(
                    block.path,
                    f"is {block.offset:,}; beside {first} it must be"
                    f" {start + buffer.place_bytes:,}, since both are of one piece",
                )


def _blocks(document: Mapping[str, Any], step_graph: StepGraph, played: Replay) -> list[_Block]:
    """Every buffer and every step's scratch, where the document puts them."""
    blocks = []
    for k, buffer in enumerate(step_graph.buffers):
        path = f"buffers[{k}].offset"
        offset = member(document["buffers"][k], f"buffers[{k}]", "offset", int)
        end, taken = offset + buffer.size_bytes, offset + room_of(buffer, step_graph.alignment)
        blocks.append(_Block(offset, end, taken, buffer.name, path, *played.lives[k], buffer=k))
    for position, number in enumerate(played.order):
        step, path = step_graph.steps[number], f"steps[{number}].scratch_offset"
        offset = document["steps"][number].get("scratch_offset")
        if not step.scratch_bytes:
            equal(offset, None, path, "a step without scratch")
            continue
        of_kind(offset, path, int)
        name = f"scratch of {step.name}"
        end = offset + step.scratch_bytes
        taken = offset + rounded(step.scratch_bytes, step_graph.alignment)
        blocks.append(_Block(offset, end, taken, name, path, position, position + 1))
    return blocks


def _overlapping(live: list[_Block]) -> list[tuple[_Block, _Block]]:
    """Each pair that has bytes in common, the lower first."""
    found = []
    open_blocks: list[_Block] = []
    for block in sorted(live, key=lambda b: (b.offset, b.end, b.path)):
        open_blocks = [other for other in open_blocks if other.taken > block.offset]
        found += [(other, block) for other in open_blocks]
        open_blocks.append(block)
    return found


def _may_overlap(
    document: Mapping[str, Any],
    step_graph: StepGraph,
    played: Replay,
    position: int,
    one: _Block,
    other: _Block,
) -> bool:
    """Whether the step at `position`, in its form, may write one block over the other."""
    if not played.order:
        return False
    step = played.order[position]
    form = member(document["steps"][step], f"steps[{step}]", "form", str)
    for overlap in step_graph.overlaps:
        if overlap.step != step or overlap.form != form:
            continue
        for read, written in ((one, other), (other, one)):
            if (read.buffer, written.buffer) == (overlap.read, overlap.written):
                dies, begins = read.stop == position + 1, written.start == position
                held = step_graph.buffers[overlap.read].held
                distance = read.offset - written.offset
                if dies and begins and not held and permitted(overlap, distance):
                    return True
    return False


def _overlap(
    step_graph: StepGraph, played: Replay, position: int, low: _Block, high: _Block
) -> CheckFailed:
    details = []
    if played.order:
        kind = step_graph.steps[played.order[position]].kind
        count = len(played.order)
        details = [f"both are live at step {position}, {kind}, operator {position + 1} of {count}"]
    return wrong(high.path, f"{high.span} overlaps {low.span}", details=details)


def _smallest(rules: str) -> str:
    """What is proven where floor and arena meet; beyond orders it names the rules."""
    under = "" if rules == "orders" else f"under {rules} "
    return f"so {under}no order of these operators has a smaller arena"


def _check_memory(
    document: Mapping[str, Any],
    step_graph: StepGraph,
    played: Replay,
    high_water_bytes: int,
    floor_graph: StepGraph,
) -> list[str]:
    memory = member(document, "", "memory", dict)
    for key in ("high_water_bytes", "arena_peak_bytes"):
        equal(member(document, "", key, int), high_water_bytes, key, "the highest byte in use")
    alignment = step_graph.alignment
    arena_bytes = -(-high_water_bytes // alignment) * alignment
    peak_bytes = member(memory, "memory", "peak_bytes", int)
    equal(peak_bytes, played.peak_bytes, "memory.peak_bytes", "the replayed order")
    found = member(memory, "memory", "arena_bytes", int)
    equal(found, arena_bytes, "memory.arena_bytes", "the highest byte in use, rounded up,")
    allowed = " but where a step may write over its input" if step_graph.overlaps else ""
    sentences = [
        f"the order is valid, and its live peak is {peak_bytes:,} B",
        f"no two buffers that live together overlap{allowed}, in an arena of {arena_bytes:,} B",
    ]
    verdict = member(memory, "memory", "verdict", str)
    certificates = member(document, "", "certificates", list)
    if not certificates:
        equal(memory.get("floor_bytes"), None, "memory.floor_bytes", "a plan without certificate")
        equal(memory.get("floor_kind"), None, "memory.floor_kind", "a plan without certificate")
        equal(verdict, "open", "memory.verdict", "a plan without certificate")
        return sentences
    if len(certificates) > 1:
        raise wrong("certificates[1]", "is one too many")
    floor = check_floor(certificates[0], floor_graph, "certificates[0]")
    equal(
        member(memory, "memory", "floor_bytes", int),
        floor.bytes,
        "memory.floor_bytes",
        "the certificate",
    )
    equal(
        member(memory, "memory", "floor_kind", str),
        floor.kind,
        "memory.floor_kind",
        "the certificate",
    )
    earned = "open"
    if floor.bytes == arena_bytes:
        earned = "proven" if floor.verified else "claimed"
    equal(verdict, earned, "memory.verdict", "the certificate")
    sentences.append(floor.sentence)
    if earned == "proven":
        sentences.append(_smallest(step_graph.rules))
    return sentences
