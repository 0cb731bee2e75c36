"""Where does each row of a plan lie, what is the highest byte, and what does each step leave?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcucomp.ir import Graph
from mcucomp.ops import KernelCall
from mcucomp.ops.row_types import RowForm, RowMode
from mcucomp.rows.types import RowPlan, RowStep

NOWHERE = -1  # of a row that nobody needs
Span = tuple[int, int, int, int]  # (tensor, from which byte of it, offset, bytes)


def offsets_of_rows(plan: RowPlan, tensor: int, rows: int, row_bytes: int) -> tuple[int, ...]:
    """The offset of each row of `tensor`, NOWHERE for those that nobody needs."""
    scattered = plan.row_offsets.get(tensor)
    if scattered is not None:
        assert len(scattered) == rows, f"tensor {tensor} has {rows} rows, not {len(scattered)}"
        return scattered
    first = plan.tensor_offsets[tensor]
    return tuple(first + y * row_bytes for y in range(rows))


def start_of(plan: RowPlan, graph: Graph, tensor: int) -> int:
    """Where a tensor in one piece starts.

    Its rows may have offsets of their own; then they lie side by side.
    """
    if tensor in plan.tensor_offsets:
        return plan.tensor_offsets[tensor]
    rows = plan.row_offsets[tensor]
    row_bytes = graph.tensors[tensor].size_bytes // len(rows)
    assert all(at == rows[0] + y * row_bytes for y, at in enumerate(rows)), f"tensor {tensor}"
    return rows[0]


def high_water_bytes(
    plan: RowPlan,
    graph: Graph,
    calls: Sequence[KernelCall],
    forms: Mapping[int, RowForm],
) -> int:
    """One more than the highest byte of any row, tensor, state or scratch: what is measured."""
    ends = [0]
    for tensor, rows in plan.row_offsets.items():
        row_bytes = graph.tensors[tensor].size_bytes // len(rows)
        ends += [at + row_bytes for at in rows if at != NOWHERE]
    ends += [at + graph.tensors[t].size_bytes for t, at in plan.tensor_offsets.items()]
    ends += [at + forms[k].state_bytes for k, at in plan.state_offsets.items()]
    for step, at in zip(plan.steps, plan.scratch_offsets, strict=True):
        if at is not None:
            ends.append(at + scratch_bytes(step, calls, forms))
    return max(ends)


def scratch_bytes(step: RowStep, calls: Sequence[KernelCall], forms: Mapping[int, RowForm]) -> int:
    """What a step needs beside its rows."""
    if step.operator < 0:
        return 0
    if step.row is None:
        return calls[step.operator].scratch_bytes
    return forms[step.operator].scratch_bytes


def written_bytes(
    plan: RowPlan,
    graph: Graph,
    calls: Sequence[KernelCall],
    forms: Mapping[int, RowForm],
) -> tuple[tuple[Span, ...], ...]:
    """For each step but those of inputs what it has written.

    A step that adds to a state has nothing to show until the operator's last one.
    """
    last = {s.operator: place for place, s in enumerate(plan.steps)}
    spans = {
        tensor: _spans(plan, graph, tensor)
        for operator in last
        if operator >= 0
        for tensor in calls[operator].writes
    }
    found = []
    for place, step in enumerate(plan.steps):
        if step.operator < 0:
            continue
        form, written = forms.get(step.operator), [spans[t] for t in calls[step.operator].writes]
        here: list[Span] = []
        if form is not None and form.mode is RowMode.WINDOW:
            here = [written[0][step.row or 0]]
        elif form is None or last[step.operator] == place:
            here = [span for of_tensor in written for span in of_tensor]
        found.append(tuple(span for span in here if span[2] != NOWHERE))
    return tuple(found)


def _spans(plan: RowPlan, graph: Graph, tensor: int) -> list[Span]:
    """A tensor in rows has one for each of them, another one has one."""
    size_bytes = graph.tensors[tensor].size_bytes
    offsets = plan.row_offsets.get(tensor, (plan.tensor_offsets.get(tensor, NOWHERE),))
    row_bytes = size_bytes // len(offsets)
    return [(tensor, y * row_bytes, at, row_bytes) for y, at in enumerate(offsets)]
