"""Plans in rows that nobody would want, to try code generation with: easy to make, hard to get
right by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mcucomp.ir import Graph
from mcucomp.ops import KernelCall
from mcucomp.ops.row_forms import RowForm, RowMode, Rows, row_form
from mcucomp.rows.types import RowPlan, RowStep


def seen(graph: Graph, tensor: int) -> Rows:
    """A tensor in rows: an image has its height, anything else one row."""
    t = graph.tensors[tensor]
    height = t.shape[1] if len(t.shape) == 4 and t.shape[0] == 1 else 1
    return Rows(height, t.size_bytes // height)


def forms_of(graph: Graph, calls: Sequence[KernelCall]) -> dict[int, RowForm]:
    """Every call that runs in rows."""
    found = {}
    for k, call in enumerate(calls):
        form = row_form(call, [seen(graph, t) for t in call.reads], seen(graph, call.writes[0]))
        if form is not None and (form.out_rows > 1 or form.mode is RowMode.ACCUMULATE):
            found[k] = form
    return found


def _rows(form: RowForm | None) -> list[int | None]:
    if form is None:
        return [None]
    if form.mode is RowMode.WINDOW:
        return list(range(form.out_rows))
    window = form.windows[0]
    return [y for y in window.rows(0) if 0 <= y < window.height]


def _pulled(
    graph: Graph, calls: Sequence[KernelCall], forms: Mapping[int, RowForm], streamed: Sequence[int]
) -> list[RowStep]:
    """Every row when it is asked for, from the last operator on."""
    writer = {t: k for k, call in enumerate(calls) for t in call.writes}
    writer |= {t: -1 - graph.inputs.index(t) for t in streamed}
    done: dict[int, int] = {}
    steps: list[RowStep] = []

    def need(tensor: int, row: int) -> None:
        k = writer.get(tensor)
        if k is None:
            return
        if k < 0:
            rows: list[int | None] = list(range(seen(graph, tensor).height))
        else:
            rows = _rows(forms.get(k))
        wanted = row if k < 0 or (k in forms and forms[k].mode is RowMode.WINDOW) else len(rows) - 1
        while done.get(k, 0) <= wanted:
            at = rows[done.get(k, 0)]
            if k >= 0:
                for t, window_rows in _reads(graph, calls[k], forms.get(k), at):
                    for y in window_rows:
                        need(t, y)
            steps.append(RowStep(k, at))
            done[k] = done.get(k, 0) + 1

    for t in graph.outputs:
        need(t, seen(graph, t).height - 1)
    return steps


def _reads(
    graph: Graph, call: KernelCall, form: RowForm | None, row: int | None
) -> list[tuple[int, list[int]]]:
    if form is None or row is None:
        return [(t, list(range(seen(graph, t).height))) for t in call.reads]
    if form.mode is RowMode.ACCUMULATE:
        return [(call.reads[0], [row])]
    return [
        (t, [y for y in w.rows(row) if 0 <= y < w.height])
        for t, w in zip(call.reads, form.windows, strict=True)
    ]


def scattered_plan(
    graph: Graph,
    calls: Sequence[KernelCall],
    forms: Mapping[int, RowForm],
    draw: np.random.Generator,
    *,
    streamed: Sequence[int] = (),
    is_pulled: bool = True,
) -> RowPlan:
    """Rows at drawn addresses, no two overlapping; in the order of pulling, or of the operators."""
    steps = [RowStep(-1 - graph.inputs.index(t), y) for t in streamed
             for y in range(seen(graph, t).height)]  # fmt: skip
    steps += [RowStep(k, row) for k in range(len(calls)) for row in _rows(forms.get(k))]
    if is_pulled:
        steps = _pulled(graph, calls, forms, streamed)
    in_pieces = {*graph.inputs, *graph.outputs} - set(streamed)
    for k, call in enumerate(calls):
        if k not in forms:
            in_pieces |= {*call.reads, *call.writes}
    spans: list[tuple[object, int]] = []
    for t in sorted({t for call in calls for t in (*call.reads, *call.writes)}):
        if graph.tensors[t].is_constant:
            continue
        if t in in_pieces:
            spans.append((t, graph.tensors[t].size_bytes))
        else:
            spans += [((t, y), seen(graph, t).row_bytes) for y in range(seen(graph, t).height)]
    spans += [(("state", k), form.state_bytes) for k, form in forms.items()]
    spans += [(("scratch", i), _scratch(s, calls, forms)) for i, s in enumerate(steps)]
    at, places = 0, {}
    for i in draw.permutation(len(spans)).tolist():
        places[spans[i][0]] = at
        at += -(-spans[i][1] // 4) * 4
    rows = {t for t, _ in (key for key in places if isinstance(key, tuple)) if isinstance(t, int)}
    return RowPlan(
        steps=tuple(steps),
        row_offsets={t: tuple(places[t, y] for y in range(seen(graph, t).height)) for t in rows},
        tensor_offsets={t: places[t] for t in places if isinstance(t, int)},
        scratch_offsets=tuple(
            places["scratch", i] if _scratch(s, calls, forms) else None for i, s in enumerate(steps)
        ),
        state_offsets={k: places["state", k] for k, form in forms.items() if form.state_bytes},
        arena_bytes=at,
        streamed_inputs=tuple(streamed),
    )


def _scratch(step: RowStep, calls: Sequence[KernelCall], forms: Mapping[int, RowForm]) -> int:
    if step.operator < 0:
        return 0
    form = forms.get(step.operator)
    return calls[step.operator].scratch_bytes if form is None else form.scratch_bytes
