"""Which steps and buffers does a graph have whose operators run one row at a time?

In: a graph, the kernel calls of its operators, and which of them are to run in
rows. Out: a `RowModel`: a `StepGraph` of row steps, and the way back.

A step (v, y) computes row y of operator v, and follows (v, y - 1). A row of a
tensor is a buffer with readers of its own, so that line buffers, rows that
are dead already, and writing in place need no words of their own. Tensors that
somebody wants in one piece (an input or output of the graph, whatever a whole
operator touches) are *pieces*: rows side by side. An operator that accumulates
has a step for each row that it reads, and a state. Rows that nobody needs are
left out with their steps. Whatever cannot run in rows is one step.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mcucomp.ir import DType, Graph
from mcucomp.memory.effects import effect_order
from mcucomp.memory.overlaps import overlaps_of
from mcucomp.memory.row_shapes import forms_in_rows, seen_in_rows
from mcucomp.memory.types import Buffer, Overlap, Step, StepGraph
from mcucomp.memory.uses import TensorUse, Use
from mcucomp.memory.views import Groups, grouped
from mcucomp.ops.row_forms import RowForm, RowMode, Rows
from mcucomp.rules import Rules

STREAMED_INPUT = "stream-input"
# A step writes over the last rows that it reads; every choice of them has a condition of its own.
_MOST_ROWS = 4

_T = TypeVar("_T")
StepKey = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class RowModel:
    """A step graph in rows with its way back to the graph.

    `steps[k]` is (position of the operator, row): the row is one of the output, or of
    the input where the operator accumulates, None where it runs whole; (-1 - i, y) is
    where row y of input i of the graph arrives. `row_buffers[t]` has the buffer of
    each row of tensor t (-1: nobody needs it), `tensor_buffers[t]` that of a tensor that is
    never seen in rows, in which it starts `place_in_buffer[t]` bytes from the start.
    `pieces[t]` is the piece of a tensor whose rows lie side by side.
    """

    step_graph: StepGraph
    steps: tuple[StepKey, ...]
    forms: Mapping[int, RowForm]
    row_buffers: Mapping[int, tuple[int, ...]]
    tensor_buffers: Mapping[int, int]
    place_in_buffer: Mapping[int, int]
    state_buffers: Mapping[int, int]
    pieces: Mapping[int, int]
    streamed_inputs: tuple[int, ...]
    possible: frozenset[int]


def row_model(
    graph: Graph,
    calls: Sequence[Use],
    alignment: int,
    *,
    io: str = "shared",
    rules: Rules = Rules(),
    streamed: Collection[int] | None = None,
) -> RowModel:
    """The planning problem of `graph` in rows; operator i is lowered to `calls[i]`.

    streamed: positions of operators that run in rows if they can; None for all.
    io: as for whole tensors; "stream-input" lets the application hand in rows of an
        input when they are wanted, if operators read it in rows.
    """
    groups, kept = grouped(graph, calls if rules.views else (), alignment)
    kept = kept if rules.views else tuple(range(len(calls)))
    seen = {g: seen_in_rows(graph, groups, g) for g in groups.members}
    possible = forms_in_rows(graph, calls, kept, groups, seen)
    forms = {k: f for k, f in possible.items() if streamed is None or k in streamed}
    built = _Building(graph, calls, alignment, groups, kept, seen, forms, io)
    built.classify()
    built.keep_needed()
    built.add_steps()
    built.add_buffers()
    step_graph = StepGraph(
        tuple(built.steps),
        tuple(built.buffers),
        tuple(dict.fromkeys((*built.precedence, *built.effects()))),
        alignment,
        built.overlaps() if rules.overlap else (),
        rules.name,
    )
    return RowModel(
        step_graph,
        tuple(built.keys),
        forms,
        built.of_tensors(built.rows),
        built.of_tensors(built.whole),
        {t: groups.place[t] for t in built.of_tensors(built.whole)},
        built.states,
        built.of_tensors(built.pieces),
        tuple(i for i in graph.inputs if groups.group[i] in built.streamed),
        frozenset(possible),
    )


def _row_name(name: str, row: int | None) -> str:
    """A row's name; of a tensor with several names, that a converter joined, the first."""
    return name if row is None else f"{name.split(';')[0]} row {row}"


@dataclass(slots=True)
class _Building:
    """Steps and buffers as they come; tensors are told by their group."""

    graph: Graph
    calls: Sequence[Use]
    alignment: int
    groups: Groups
    kept: Sequence[int]
    seen: Mapping[int, Rows | None]
    forms: Mapping[int, RowForm]
    io: str
    in_rows: set[int] = field(default_factory=set)
    in_one_piece: set[int] = field(default_factory=set)
    streamed: set[int] = field(default_factory=set)
    needed: dict[int, set[int]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    keys: list[StepKey] = field(default_factory=list)
    steps_of: dict[int, dict[int | None, int]] = field(default_factory=dict)
    precedence: list[tuple[int, int]] = field(default_factory=list)
    buffers: list[Buffer] = field(default_factory=list)
    rows: dict[int, tuple[int, ...]] = field(default_factory=dict)
    whole: dict[int, int] = field(default_factory=dict)
    pieces: dict[int, int] = field(default_factory=dict)
    states: dict[int, int] = field(default_factory=dict)

    def inputs_of(self, k: int) -> list[int]:
        """The groups that operator k reads and that live in the arena, in order."""
        return [self.groups.group[t] for t in self.calls[k].reads if self._lives(t)]

    def outputs_of(self, k: int) -> list[int]:
        return [self.groups.group[t] for t in self.calls[k].writes if self._lives(t)]

    def _lives(self, tensor: int) -> bool:
        first = self.graph.tensors[min(self.groups.members[self.groups.group[tensor]])]
        return not (first.is_constant or first.is_variable)

    def of_tensors(self, by_group: Mapping[int, _T]) -> dict[int, _T]:
        """By tensor what is known by group."""
        return {t: value for g, value in by_group.items() for t in sorted(self.groups.members[g])}

    def classify(self) -> None:
        """Who is seen in rows, and of those who has to lie in one piece."""
        wanted_whole = {self.groups.group[t] for t in self.graph.outputs}
        for k in self.kept:
            touched = {*self.inputs_of(k), *self.outputs_of(k)}
            (self.in_rows if k in self.forms else wanted_whole).update(touched)
        for t in self.graph.inputs:
            group = self.groups.group[t]
            if self.io == STREAMED_INPUT and group in self.in_rows:
                self.streamed.add(group)
            else:
                wanted_whole.add(group)
        self.in_one_piece = self.in_rows & wanted_whole

    def height(self, group: int) -> int:
        rows = self.seen[group]
        assert rows is not None
        return rows.height

    def keep_needed(self) -> None:
        """For each tensor in rows those that somebody needs; consumers come last in the file."""
        outputs = {self.groups.group[t] for t in self.graph.outputs}
        for group in self.in_rows & outputs:
            self.needed[group] = set(range(self.height(group)))
        for k in reversed(self.kept):
            form = self.forms.get(k)
            for group in self.outputs_of(k):
                if group in self.in_rows and not self.needed.get(group):
                    self.needed[group] = set(range(self.height(group)))
            if form is None:
                for group in self.inputs_of(k):
                    if group in self.in_rows:
                        self.needed[group] = set(range(self.height(group)))
                continue
            for group, read in zip(self.inputs_of(k), self._read_rows(k), strict=True):
                self.needed.setdefault(group, set()).update(*read.values())

    def _read_rows(self, k: int) -> list[dict[int, list[int]]]:
        """For each window of operator k the rows inside that each step reads, by its row."""
        form = self.forms[k]
        if form.mode is RowMode.ACCUMULATE:
            window = form.windows[0]
            inside = [row for row in window.rows(0) if 0 <= row < window.height]
            return [{row: [row] for row in inside}]
        ys = sorted(self.needed[self.outputs_of(k)[0]])
        return [
            {y: [row for row in window.rows(y) if 0 <= row < window.height] for y in ys}
            for window in form.windows
        ]

    def add_steps(self) -> None:
        """First the inputs that arrive in rows, then the operators as they are listed."""
        for number, t in enumerate(self.graph.inputs):
            group = self.groups.group[t]
            if group in self.streamed and -1 - number not in self.steps_of:
                self._add(-1 - number, sorted(self.needed.get(group, ())), t, "INPUT", 0)
        for k in self.kept:
            operator, form = self.graph.operators[k], self.forms.get(k)
            if form is None:
                rows: list[int] | list[None] = [None]
                scratch_bytes = self.calls[k].scratch_bytes
            else:
                rows, scratch_bytes = list(self._read_rows(k)[0]), form.scratch_bytes
            written = [index for index in operator.outputs if index >= 0]
            tensor = written[0] if written else None
            self._add(k, rows, tensor, operator.kind, scratch_bytes)

    def _add(
        self,
        operator: int,
        rows: Sequence[int | None],
        tensor: int | None,
        kind: str,
        scratch_bytes: int,
    ) -> None:
        name = f"operator {operator}" if tensor is None else self.graph.tensors[tensor].name
        found = self.steps_of.setdefault(operator, {})
        for y in rows:
            number = len(self.steps)
            if found:
                self.precedence.append((number - 1, number))
            found[y] = number
            self.keys.append((operator, y))
            self.steps.append(Step(_row_name(name, y), kind, scratch_bytes))

    def effects(self) -> list[tuple[int, int]]:
        """The last step of one operator before the first of another."""
        return [
            (max(self.steps_of[a].values()), min(self.steps_of[b].values()))
            for a, b in effect_order(self.graph)
            if a in self.steps_of and b in self.steps_of
        ]

    def _touches(self) -> tuple[dict[tuple[int, int], list[int]], ...]:
        """(writers, readers) of each row of each group; row -1 of one that is not in rows."""
        writers: dict[tuple[int, int], list[int]] = {}
        readers: dict[tuple[int, int], list[int]] = {}
        for number, t in enumerate(self.graph.inputs):
            for y, step in self.steps_of.get(-1 - number, {}).items():
                writers.setdefault((self.groups.group[t], y or 0), []).append(step)
        for k in self.kept:
            steps, form = self.steps_of[k], self.forms.get(k)
            if form is None:
                for groups, touching in (
                    (self.inputs_of(k), readers),
                    (self.outputs_of(k), writers),
                ):
                    for group in groups:
                        rows = range(self.height(group)) if group in self.in_rows else (-1,)
                        for row in rows:
                            touching.setdefault((group, row), []).append(steps[None])
                continue
            for group, read in zip(self.inputs_of(k), self._read_rows(k), strict=True):
                for y, rows_read in read.items():
                    for row in rows_read:
                        readers.setdefault((group, row), []).append(steps[y])
            out = self.outputs_of(k)[0]
            if form.mode is RowMode.ACCUMULATE:
                last = max(steps.values())
                for row in range(self.height(out)) if out in self.in_rows else (-1,):
                    writers.setdefault((out, row), []).append(last)
            else:
                for y, step in steps.items():
                    assert y is not None
                    writers.setdefault((out, y), []).append(step)
        return writers, readers

    def add_buffers(self) -> None:
        """A buffer for each row, each tensor that is not in rows, and each state."""
        writers, readers = self._touches()
        ends = {self.groups.group[t] for t in (*self.graph.inputs, *self.graph.outputs)}
        used = ends | {group for group, _ in (*writers, *readers)}
        for group in sorted(used, key=lambda g: min(self.groups.members[g])):
            if not self._lives(group):
                continue
            if group not in self.in_rows:
                self.whole[group] = len(self.buffers)
                size_bytes = self._size_bytes(group)
                self._add_buffer(group, -1, size_bytes, writers, readers)
                continue
            seen = self.seen[group]
            assert seen is not None
            if group in self.in_one_piece:
                self.pieces[group] = len(self.pieces)
            rows = []
            for y in range(seen.height):
                if group not in self.in_one_piece and y not in self.needed[group]:
                    rows.append(-1)
                    continue
                rows.append(len(self.buffers))
                self._add_buffer(group, y, seen.row_bytes, writers, readers)
            self.rows[group] = tuple(rows)
        for k, form in self.forms.items():
            if form.mode is RowMode.ACCUMULATE:
                self.states[k] = len(self.buffers)
                steps = tuple(self.steps_of[k].values())
                name = f"state of {self.graph.tensors[self.calls[k].writes[0]].name}"
                self.buffers.append(Buffer(name, form.state_bytes, steps, (), in_parts=True))

    def _size_bytes(self, group: int) -> int:
        tensors = [self.graph.tensors[t] for t in self.groups.members[group]]
        if tensors[0].dtype is DType.RESOURCE:
            return 0
        return max(self.groups.place[t.index] + t.size_bytes for t in tensors)

    def _add_buffer(
        self,
        group: int,
        row: int,
        size_bytes: int,
        writers: Mapping[tuple[int, int], list[int]],
        readers: Mapping[tuple[int, int], list[int]],
    ) -> None:
        graph, members = self.graph, self.groups.members[group]
        name = graph.tensors[min(members)].name
        written = tuple(dict.fromkeys(writers.get((group, row), ())))
        arrives = not self.streamed.isdisjoint({group})
        held = {*graph.outputs, *(graph.inputs if self.io == "held" else ())}
        from_start = any(t in graph.inputs for t in members) and bool(written) and not arrives
        self.buffers.append(
            Buffer(
                _row_name(name, None if row < 0 else row),
                size_bytes,
                written,
                tuple(dict.fromkeys(readers.get((group, row), ()))),
                held=not held.isdisjoint(members),
                from_start=from_start
                or (self.io == "held" and any(t in graph.outputs for t in members)),
                in_parts=len(written) > 1,
                piece=self.pieces.get(group) if row >= 0 else None,
                place_bytes=row * size_bytes if group in self.pieces else 0,
                row_of=group if row >= 0 else None,
            )
        )

    def overlaps(self) -> tuple[Overlap, ...]:
        """Rows that a step may write over, and what whole operators say of whole tensors."""
        nothing = TensorUse((), ())
        uses = [nothing if y is not None or k < 0 else self.calls[k] for k, y in self.keys]
        buffers_of = self.of_tensors(self.whole)
        uses = [use if all(t in buffers_of for t in use.writes) else nothing for use in uses]
        uses = [use if self._reads_whole(use, buffers_of) else nothing for use in uses]
        places = {t: self.groups.place[t] for t in buffers_of}
        found = [
            overlap
            for overlap in overlaps_of(uses, self.buffers, buffers_of, places)
            if not overlap.form and overlap.multiple_bytes == 1
        ]
        for k, form in self.forms.items():
            if form.mode is RowMode.WINDOW:
                found += self._in_rows(k, form)
        return tuple(found)

    def _reads_whole(self, use: Use, buffers_of: Mapping[int, int]) -> bool:
        """Whether nothing that is read is in rows."""
        return all(t in buffers_of or not self._lives(t) for t in use.reads)

    def _in_rows(self, k: int, form: RowForm) -> list[Overlap]:
        out = self.rows[self.outputs_of(k)[0]]
        exact = any(window.is_exact for window in form.windows)
        dying: dict[int, dict[int, int]] = {}
        last: dict[int, int] = {}
        reads = list(zip(self.inputs_of(k), self._read_rows(k), form.windows, strict=True))
        for group, read, _ in reads:
            for y, rows in read.items():
                last.update(dict.fromkeys((self.rows[group][row] for row in rows), y))
        refused = set()
        for group, read, window in reads:
            for y, rows in read.items():
                for row in rows:
                    buffer = self.rows[group][row]
                    if window.clearance_bytes is None:
                        refused.add(buffer)
                    elif last[buffer] == y:
                        known = dying.setdefault(y, {})
                        known[buffer] = max(known.get(buffer, window.clearance_bytes),
                                            window.clearance_bytes)  # fmt: skip
        return [
            Overlap(self.steps_of[k][y], buffer, out[y], low, low if exact else None)
            for y, found in sorted(dying.items())
            for buffer, low in sorted(found.items())[-_MOST_ROWS:]
            if buffer not in refused
        ]
