"""How is each tensor seen in rows, and which operators run in rows at all?

In: a graph, its kernel calls, and its groups of views. Out: rows of a group, forms of operators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcucomp.ir import DType, Graph
from mcucomp.memory.uses import Use
from mcucomp.memory.views import Groups
from mcucomp.ops import KernelCall
from mcucomp.ops.row_forms import RowForm, RowMode, Rows, row_form

# Every row is a step to plan; a damaged file can claim billions.
_MOST_ROWS = 1_024


def seen_in_rows(graph: Graph, groups: Groups, group: int) -> Rows | None:
    """How the tensors of a group are seen in rows; None where they are parts of each other.

    Of several shapes that of an image decides, else the one with the most rows. What has more
    rows than any image of a microcontroller is one row.
    """
    tensors = [graph.tensors[t] for t in sorted(groups.members[group])]
    first = tensors[0]
    if first.is_variable or first.dtype.element_bytes is None or first.dtype is DType.RESOURCE:
        return None
    if not first.is_constant and any(groups.place[t.index] for t in tensors):
        return None
    if any(t.size_bytes != first.size_bytes for t in tensors) or not first.size_bytes:
        return None
    images = [t.shape for t in tensors if len(t.shape) == 4 and t.shape[0] == 1]
    others = [t.shape for t in tensors if len(t.shape) == 3 and t.shape[0] == 1]
    shapes = images or others
    height = max((shape[1] for shape in shapes if shape[1] <= _MOST_ROWS), default=1)
    return Rows(height, first.size_bytes // height)


def forms_in_rows(
    graph: Graph,
    calls: Sequence[Use],
    kept: Sequence[int],
    groups: Groups,
    seen: Mapping[int, Rows | None],
) -> dict[int, RowForm]:
    """The form in rows of each operator that has one, and more than one row."""
    found: dict[int, RowForm] = {}
    for k in kept:
        use = calls[k]
        call = use if isinstance(use, KernelCall) else getattr(use, "call", None)
        if not isinstance(call, KernelCall) or len(call.writes) != 1:
            continue
        out = seen[groups.group[call.writes[0]]]
        reads: list[Rows | None] = []
        for t in call.reads:
            rows = seen[groups.group[t]]
            if rows is None and not graph.tensors[t].is_constant:
                break
            reads.append(None if graph.tensors[t].is_constant else rows)
        else:
            form = None if out is None else row_form(call, reads, out)
            if form is not None and (form.mode is RowMode.ACCUMULATE or form.out_rows > 1):
                found[k] = form
    return found
