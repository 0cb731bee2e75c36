"""Do operators run as fast in rows as whole?

In: the kernel call of each operator, chosen for whole tensors, and how operators run in rows.
Out: which of them take hardly more instructions in rows, and what a plan in rows takes.
Instructions are estimates for a Cortex-M4 (`backends/costs.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcucomp.backends import costs
from mcucomp.ops import KernelCall
from mcucomp.ops.row_types import RowForm

# A plan in rows may take so many times the instructions of whole operators,
MOST_TIMES = 1.02
# where it takes at most this much of their arena.
MOST_ARENA = 0.9


def instructions(calls: Sequence[KernelCall], forms: Mapping[int, RowForm] = {}) -> int:
    """Of all `calls`, of which those with a form run in rows, by the operator's position."""
    return sum(_instructions(call, forms.get(k)) for k, call in enumerate(calls))


def _instructions(call: KernelCall, form: RowForm | None) -> int:
    return costs.instructions(call) if form is None else costs.instructions_in_rows(form)


def as_fast(
    whole: Sequence[KernelCall], in_rows: Sequence[KernelCall], forms: Mapping[int, RowForm]
) -> frozenset[int]:
    """Positions of operators that together take hardly more in rows than `whole`.

    Those that take the least more of their own come first. One whose kernel was measured, but
    not the kernel of its rows, is left out. `in_rows` are the calls that `forms` are made from.
    """
    alone = [costs.instructions(call) for call in whole]
    more = {
        k: costs.instructions_in_rows(form) - alone[k]
        for k, form in forms.items()
        if costs.is_measured(costs.step_call(form)) or not costs.is_measured(in_rows[k])
    }
    found, taken = set(), 0
    for k in sorted(more, key=lambda k: (more[k] / max(alone[k], 1), k)):
        taken += more[k]
        if taken <= (MOST_TIMES - 1) * sum(alone):
            found.add(k)
        else:
            break
    return frozenset(found)
