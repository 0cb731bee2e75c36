"""An arena that knows whose each of its bytes is, to run plans in rows in.

Shares nothing with what makes plans: it has the kernel calls, their forms in rows, and
offsets. Before a step reads, every byte that it reads must still be the tensor's own;
what it writes may lie over what it reads only as far as its form allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mcucomp.ir import Graph
from mcucomp.ops import KernelCall, View
from mcucomp.ops.row_types import RowForm, RowMode
from mcucomp.rows.types import RowPlan, RowStep

NOISE = -1
_SPAN = 1 << 32  # bytes of a tensor are told by its number times this, plus their place


class ArenaError(AssertionError):
    """A step read what is no longer there, or the plan is no plan."""


class RowArena:
    """The arena of one inference."""

    def __init__(
        self,
        graph: Graph,
        calls: Sequence[KernelCall],
        forms: Mapping[int, RowForm],
        plan: RowPlan,
    ) -> None:
        self.graph, self.calls, self.forms, self.plan = graph, calls, forms, plan
        self.owners = np.full(plan.arena_bytes, NOISE, np.int64)
        self.touched_bytes = 0
        run = {step.operator for step in plan.steps}
        # Whoever is left out must be a view: what shares bytes has a root, and a place in it.
        self.root = {t.index: t.index for t in graph.tensors}
        self.place_bytes = dict.fromkeys(self.root, 0)
        for k, call in enumerate(calls):
            if k not in run:
                for view in call.views:
                    self._join(k, view)

    def _join(self, k: int, view: View) -> None:
        """All that shares bytes with the part shares them with the whole."""
        start, root = self.place_bytes[view.whole] + view.offset_bytes, self.root[view.whole]
        further, before = start - self.place_bytes[view.part], self.root[view.part]
        if before == root and further:
            raise ArenaError(f"operator {k} is left out")
        for t in [t for t, known in self.root.items() if known == before]:
            self.root[t] = root
            self.place_bytes[t] += further

    def run(self) -> int:
        """Run every step; returns one more than the highest byte that was touched."""
        if [s.operator for s in self.plan.steps] == []:
            return 0
        for t in self.graph.inputs:
            if t not in self.plan.streamed_inputs:
                self._put(t, 0, self.graph.tensors[t].size_bytes, self.plan.tensor_offsets[t])
        seen: dict[int, list[int | None]] = {}
        for number, step in enumerate(self.plan.steps):
            seen.setdefault(step.operator, []).append(step.row)
            if step.operator < 0:
                self._arrive(step)
            elif step.row is None:
                self._run_whole(number, step.operator)
            elif self.forms[step.operator].mode is RowMode.WINDOW:
                self._run_window(number, step.operator, step.row)
            else:
                self._accumulate(number, step.operator, step.row)
        for k, rows in seen.items():
            if rows != sorted(set(rows), key=lambda row: -1 if row is None else row):
                raise ArenaError(f"operator {k} runs rows {rows}")
        for t in self.graph.outputs:
            self._require(
                t, 0, self.graph.tensors[t].size_bytes, self.plan.tensor_offsets[t], "end"
            )
        return self.touched_bytes

    def _marks(self, tensor: int, first: int, size_bytes: int) -> np.ndarray:
        root = (self.root[tensor] + 1) * _SPAN  # a place in it may be negative
        return root + self.place_bytes[tensor] + first + np.arange(size_bytes)

    def _slice(self, offset: int, size_bytes: int) -> slice:
        if offset < 0 or offset + size_bytes > len(self.owners):
            raise ArenaError(f"[{offset}, {offset + size_bytes}) is outside the arena")
        self.touched_bytes = max(self.touched_bytes, offset + size_bytes)
        return slice(offset, offset + size_bytes)

    def _put(self, tensor: int, first: int, size_bytes: int, offset: int) -> None:
        self.owners[self._slice(offset, size_bytes)] = self._marks(tensor, first, size_bytes)

    def _require(self, tensor: int, first: int, size_bytes: int, offset: int, who: str) -> None:
        found = self.owners[self._slice(offset, size_bytes)]
        if not np.array_equal(found, self._marks(tensor, first, size_bytes)):
            raise ArenaError(f"{who}: tensor {tensor} from byte {first} on is not at {offset}")

    def _row_at(self, tensor: int, row: int, row_bytes: int) -> int:
        if tensor in self.plan.row_offsets:
            return self.plan.row_offsets[tensor][row]
        return self.plan.tensor_offsets[tensor] + row * row_bytes

    def _arrive(self, step: RowStep) -> None:
        tensor = self.graph.inputs[-1 - step.operator]
        rows = self.plan.row_offsets[tensor]
        row_bytes = self.graph.tensors[tensor].size_bytes // len(rows)
        assert step.row is not None
        self._put(tensor, step.row * row_bytes, row_bytes, rows[step.row])

    def _use_scratch(self, number: int, size_bytes: int) -> None:
        """Scratch is noise before anything is read, so that it can lie over nothing in use."""
        if size_bytes:
            offset = self.plan.scratch_offsets[number]
            if offset is None:
                raise ArenaError(f"step {number} has no scratch")
            self.owners[self._slice(offset, size_bytes)] = NOISE

    def _require_apart(self, number: int, write: tuple[int, int], size_bytes: int) -> None:
        """What is written lies over no scratch of the step."""
        offset = self.plan.scratch_offsets[number]
        if offset is None or not size_bytes:
            return
        if write[0] < offset + size_bytes and offset < sum(write):
            raise ArenaError(f"step {number} writes over its scratch")

    def _run_whole(self, number: int, k: int) -> None:
        call = self.calls[k]
        self._use_scratch(number, call.scratch_bytes)
        at, size = self.plan.tensor_offsets, {t.index: t for t in self.graph.tensors}
        for position, t in enumerate(call.reads):
            if size[t].is_constant:
                continue
            self._require(t, 0, size[t].size_bytes, at[t], f"operator {k}")
            for w in call.writes:
                if at[t] < at[w] + size[w].size_bytes and at[w] < at[t] + size[t].size_bytes:
                    lows = [c for c in call.clearances if c.position == position and not c.kernel]
                    distance = at[t] - at[w]
                    if not any(c.low_bytes is None or distance >= c.low_bytes for c in lows):
                        raise ArenaError(f"operator {k} overwrites tensor {t}")
        for w in call.writes:
            self._require_apart(number, (at[w], size[w].size_bytes), call.scratch_bytes)
            self._put(w, 0, size[w].size_bytes, at[w])

    def _run_window(self, number: int, k: int, y: int) -> None:
        call, form = self.calls[k], self.forms[k]
        self._use_scratch(number, form.scratch_bytes)
        write = self._row_at(call.writes[0], y, form.out_row_bytes)
        reads = [t for t in call.reads if not self.graph.tensors[t].is_constant]
        for t, window in zip(reads, form.windows, strict=True):
            for row in window.rows(y):
                if not 0 <= row < window.height:
                    continue
                read = self._row_at(t, row, window.row_bytes)
                self._require(
                    t, row * window.row_bytes, window.row_bytes, read, f"operator {k} row {y}"
                )
                if read < write + form.out_row_bytes and write < read + window.row_bytes:
                    low = window.clearance_bytes
                    far = window.is_exact and read - write != low
                    if low is None or read - write < low or far:
                        raise ArenaError(f"operator {k} row {y} overwrites row {row} of {t}")
        self._require_apart(number, (write, form.out_row_bytes), form.scratch_bytes)
        self._put(call.writes[0], y * form.out_row_bytes, form.out_row_bytes, write)

    def _accumulate(self, number: int, k: int, row: int) -> None:
        call, form, window = self.calls[k], self.forms[k], self.forms[k].windows[0]
        self._use_scratch(number, form.scratch_bytes)
        rows = [y for y in window.rows(0) if 0 <= y < window.height]
        state = self._slice(self.plan.state_offsets[k], form.state_bytes)
        marks = -2 - k * _SPAN - np.arange(form.state_bytes)
        if row != rows[0] and not np.array_equal(self.owners[state], marks):
            raise ArenaError(f"the state of operator {k} is lost before row {row}")
        self.owners[state] = marks
        read = self._row_at(call.reads[0], row, window.row_bytes)
        self._require(
            call.reads[0], row * window.row_bytes, window.row_bytes, read, f"operator {k} row {row}"
        )
        if row == rows[-1]:
            size_bytes = self.graph.tensors[call.writes[0]].size_bytes
            write = self._row_at(call.writes[0], 0, size_bytes)
            # The output is made of the state: it lies over neither that nor the row.
            for start, taken in ((read, window.row_bytes), (state.start, form.state_bytes)):
                if start < write + size_bytes and write < start + taken:
                    raise ArenaError(f"operator {k} overwrites what it reads")
            self._require_apart(number, (write, size_bytes), form.scratch_bytes)
            self._put(call.writes[0], 0, size_bytes, write)
