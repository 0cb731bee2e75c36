"""Does every operator keep to the bytes that it declares?

In: a build directory, a session with its device, one inference's inputs. Out: a `Trace`.

The inference runs twice, step by step. First as it is: every tensor that a step writes
is compared with TensorFlow Lite Micro's, unless a rewrite gave it other bytes, or a board's
C library may (`tolerance.py`). Then, before each step, every byte of
the arena that the step does not declare to read is made another; after it, every byte
that it does not declare to write must be what it was, and what it wrote must be what it
wrote the first time. Then the bytes are put back. What is found is narrowed down,
with further runs, to bytes and to the buffer that owns them at that moment.
"""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcucomp.build_directory import PLAN, BuildDirectory
from mcucomp.check import reference
from mcucomp.check.tolerance import may_be_off
from mcucomp.device import HeldRun, Session
from mcucomp.errors import InvalidInput, short_name
from mcucomp.ir import SUBGRAPH_OPTIONS

Story = Callable[[str, int, int], None]
Span = tuple[int, int]  # half open, offsets in the arena

NOBODY = "no buffer"


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of the arena that one buffer owns while a step runs."""

    start: int
    end: int
    owner: str


@dataclass(frozen=True, slots=True)
class TracedStep:
    """What one operator declares, and who owns the rest of the arena while it runs."""

    name: str
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]
    tensors: tuple[int, ...]  # that it writes, beside `writes`
    kept: tuple[Piece, ...]  # what it does not declare to write
    unread: tuple[Piece, ...]  # what it does not declare to read


@dataclass(frozen=True, slots=True)
class Violation:
    """The first operator that does not keep to what it declares, and the bytes."""

    operator: str
    what: str
    start: int
    end: int
    owner: str

    @property
    def sentence(self) -> str:
        return f"{self.operator} {self.what}: bytes [{self.start:,}, {self.end:,}), of {self.owner}"


@dataclass(frozen=True, slots=True)
class Trace:
    """`steps` were looked at; the last of them is that of `violation`, if there is one."""

    steps: int
    violation: Violation | None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, in words; empty where all is well."""
        return () if self.violation is None else (self.violation.sentence,)


def trace(build: BuildDirectory, session: Session, row: Sequence[bytes], story: Story) -> Trace:
    """Trace the inference of `row`; what `story` is told counts steps.

    Raises:
        InvalidInput: the model has control flow or runs in rows, or the build directory's plan
            is damaged.
        ToolMissing, ToolFailed: there is no reference to compare with.
        DeviceError: the device is silent, or what it says is damaged.
    """
    require_traceable(build)
    tensors, off = reference.tensors(build.model, build.graph, [row]), may_be_off(build)
    wanted = {t: data for t, data in build.unchanged(tensors).items() if t not in off}
    steps = traced_steps(build)
    total = 2 * len(steps)
    sums: list[list[int]] = []
    run = session.held(row)
    for k, step in enumerate(steps):
        story("trace", k, total)
        run.step()
        sums.append(_sums(run, step.writes))
        for place, tensor, found in zip(step.writes, step.tensors, sums[-1], strict=True):
            if tensor in wanted and zlib.crc32(wanted[tensor]) != found:
                violation = _differs(run, step, place, wanted[tensor])
                run.finish()
                return Trace(k + 1, violation)
    run.finish()
    run = session.held(row)
    for k, step in enumerate(steps):
        story("trace", len(steps) + k, total)
        changed = _run_masked(run, step)
        written = _sums(run, step.writes)
        if changed is None and written == sums[k]:
            continue
        run.finish()
        narrow = _Narrowing(session, row, steps, k)
        return Trace(k + 1, narrow.change(changed) if changed is not None else narrow.read(sums[k]))
    run.finish()
    return Trace(len(steps), None)


def require_traceable(build: BuildDirectory) -> None:
    """Every operator must run once, as a whole, and all that it touches must be declared.

    Raises:
        InvalidInput: it is another model.
    """
    if any(
        not operator.options.keys().isdisjoint(SUBGRAPH_OPTIONS)
        for operator in build.graph.operators
    ):
        raise InvalidInput(
            "a model with control flow cannot be traced: its steps do not run once each",
            at="--trace",
            fix="leave out --trace",
        )
    if any(operator.get("arena", ()) is None for operator in build.report["operators"]):
        raise InvalidInput(
            "a model in rows cannot be traced: its operators run a row at a time, several in turn",
            at="--trace",
            fix="leave out --trace, or build without +rows (--rules all)",
        )


def _sums(run: HeldRun, spans: Iterable[Span]) -> list[int]:
    return [run.sum((start, end - start)) for start, end in spans]


def _mask(run: HeldRun, spans: Iterable[Span]) -> None:
    for start, end in spans:
        run.mask((start, end - start))


def _run_masked(run: HeldRun, step: TracedStep) -> Piece | None:
    """Run `step` with all masked that it does not read; the first piece that it changed."""
    _mask(run, _spans(step.unread))
    before = _sums(run, _spans(step.kept))
    run.step()
    after = _sums(run, _spans(step.kept))
    # What the step wrote stays as it wrote it, whether it was masked before or not.
    _mask(run, _common(_spans(step.unread), _spans(step.kept)))
    changed = (p for p, a, b in zip(step.kept, before, after, strict=True) if a != b)
    return next(changed, None)


def _differs(run: HeldRun, step: TracedStep, place: Span, wanted: bytes) -> Violation:
    start, end = place
    found = run.peek((start, end - start))
    first = next(i for i, (a, b) in enumerate(zip(found, wanted, strict=True)) if a != b)
    last = next(i for i in reversed(range(len(found))) if found[i] != wanted[i])
    return Violation(
        step.name,
        "writes other bytes than TensorFlow Lite Micro",
        start + first,
        start + last + 1,
        "its output",
    )


class _Narrowing:
    """Further runs of one inference up to a step that did something undeclared."""

    def __init__(
        self, session: Session, row: Sequence[bytes], steps: Sequence[TracedStep], k: int
    ) -> None:
        self._session, self._row, self._k, self._step = session, row, k, steps[k]

    def _held(self) -> HeldRun:
        run = self._session.held(self._row)
        for _ in range(self._k):
            run.step()
        return run

    def change(self, piece: Piece) -> Violation:
        """Which bytes of `piece` the step changes."""
        run = self._held()
        _mask(run, _spans(self._step.unread))
        place = (piece.start, piece.end - piece.start)
        before = run.peek(place)
        run.step()
        after = run.peek(place)
        run.finish()
        changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        first, last = (changed[0], changed[-1] + 1) if changed else (0, len(before))
        what = "changes what it does not declare to write"
        return self._violation(what, piece.start + first, piece.start + last, piece.owner)

    def read(self, sums: list[int]) -> Violation:
        """Which undeclared bytes the step's results depend on."""
        owners = [piece for piece in self._step.unread if self._matters([piece], sums)]
        found = owners[0] if owners else self._step.unread[0]
        while owners and found.end - found.start > 1:
            middle = (found.start + found.end) // 2
            halves = [
                Piece(found.start, middle, found.owner),
                Piece(middle, found.end, found.owner),
            ]
            matters = [half for half in halves if self._matters([half], sums)]
            if len(matters) != 1:
                break
            found = matters[0]
        what = "depends on what it does not declare to read"
        return self._violation(what, found.start, found.end, found.owner)

    def _matters(self, pieces: Sequence[Piece], sums: list[int]) -> bool:
        run = self._held()
        _mask(run, _spans(pieces))
        run.step()
        found = _sums(run, self._step.writes)
        run.finish()
        return found != sums

    def _violation(self, what: str, start: int, end: int, owner: str) -> Violation:
        return Violation(self._step.name, what, start, end, owner)


# ---- what the steps declare -------------------------------------------------------------


def traced_steps(build: BuildDirectory) -> list[TracedStep]:
    """What each step of a build declares, in the order in which they run.

    Raises:
        InvalidInput: the build directory's plan is damaged.
    """
    try:
        plan = json.loads((build.folder / PLAN).read_text(encoding="utf-8"))
        arena_bytes = max(int(plan["memory"]["arena_bytes"]), 1)
        return [
            _traced_step(build, operator, plan["buffers"], arena_bytes)
            for operator in build.report["operators"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"is damaged: {type(error).__name__}: {error}",
            at=str(build.folder / PLAN),
            fix="build again",
        ) from error


def _traced_step(
    build: BuildDirectory,
    operator: Mapping[str, Any],
    buffers: Sequence[Mapping[str, Any]],
    arena_bytes: int,
) -> TracedStep:
    declared = operator["arena"]
    reads, writes = (
        tuple((int(offset), int(offset) + int(size)) for offset, size in declared[key])
        for key in ("reads", "writes")
    )
    scratch = declared["scratch"]
    written = [*writes, *([] if scratch is None else [(scratch[0], sum(scratch))])]
    kept, unread = (_without([(0, arena_bytes)], spans) for spans in (written, reads))
    tensors = tuple(operator["writes"])
    first = build.graph.tensors[tensors[0]].name if tensors else ""
    return TracedStep(
        f"operator {operator['operator']} {operator['kind']} ({short_name(first)})",
        reads,
        writes,
        tensors,
        tuple(_owned(kept, buffers, operator["step"])),
        tuple(_owned(unread, buffers, operator["step"])),
    )


def _owned(
    spans: Iterable[Span], buffers: Sequence[Mapping[str, Any]], step: int
) -> Iterator[Piece]:
    """The spans cut where the owner changes; of buffers one over another the smaller owns."""
    live = [
        (buffer["offset"], buffer["offset"] + buffer["size_bytes"], short_name(buffer["name"]))
        for buffer in buffers
        if buffer["live"][0] <= step < buffer["live"][1]
    ]
    live.sort(key=lambda owned: owned[1] - owned[0])
    ends = sorted({edge for start, end, _ in live for edge in (start, end)})
    for start, end in spans:
        cuts = [start, *(edge for edge in ends if start < edge < end), end]
        for low, high in itertools.pairwise(cuts):
            owners = (name for first, last, name in live if first <= low and high <= last)
            yield Piece(low, high, next(owners, NOBODY))


def _spans(pieces: Iterable[Piece]) -> list[Span]:
    return [(piece.start, piece.end) for piece in pieces]


def _without(spans: Sequence[Span], taken: Iterable[Span]) -> list[Span]:
    """`spans` less the bytes of `taken`."""
    left = list(spans)
    for start, end in taken:
        left = [
            part
            for low, high in left
            for part in ((low, min(high, start)), (max(low, end), high))
            if part[0] < part[1]
        ]
    return left


def _common(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """The bytes that are in both."""
    return _without(some, _without(some, others))
