"""What does each set of rules give, and what does it take?

In: a model. Out: a `Trade` for each growing set of rules that changes something: the arena
against steps, instructions and tables in flash. No compiler is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcucomp.ir import Model
from mcucomp.memory import uses_of
from mcucomp.planning import GraphPlan, plan_graphs
from mcucomp.rewrite import rewrite
from mcucomp.rows import worth
from mcucomp.rules import OPTIONAL, Rules

ADDRESS_BYTES = 2  # of a row, in a table


@dataclass(frozen=True, slots=True)
class Trade:
    """A plan under `rules`.

    `instructions` are estimates for a Cortex-M4; None where an operator cannot be compiled.
    `table_bytes` are the addresses of rows.
    """

    rules: str
    arena_bytes: int
    peak_bytes: int
    floor_bytes: int | None
    steps: int
    operators_in_rows: int
    instructions: int | None
    table_bytes: int


def trades(model: Model, alignment: int, *, io: str = "shared") -> tuple[Trade, ...]:
    """One for each growing set of rules that changes the arena; the model must be verified."""
    found: list[Trade] = []
    rules = Rules()
    for name in (None, *OPTIONAL):
        if name is not None:
            rules = replace(rules, **{name: True})
        graph = plan_graphs(model, alignment, rules=rules, io=io).main
        trade = _trade(rewrite(model, rules), graph)
        if not found or trade.arena_bytes != found[-1].arena_bytes:
            found.append(trade)
    return tuple(found)


def _trade(model: Model, planned: GraphPlan) -> Trade:
    plan, rows = planned.plan, planned.rows
    forms = {} if rows is None else rows.model.forms
    calls = [use.call for use in uses_of(model) if use.call is not None]
    is_known = len(calls) == len(model.graphs[0].operators)
    addresses: Sequence[int] = ()
    if rows is not None:
        scattered = {t: b for t, b in rows.model.row_buffers.items() if t not in rows.model.pieces}
        addresses = tuple({b for buffers in scattered.values() for b in buffers if b >= 0})
    return Trade(
        plan.rules,
        plan.arena_bytes,
        plan.peak_bytes,
        plan.floor_bytes,
        len(plan.order),
        len(forms),
        worth.instructions(calls, forms) if is_known else None,
        ADDRESS_BYTES * len(addresses),
    )
