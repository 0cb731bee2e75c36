"""A plan as one page that needs nothing else.

In: a planned model. Out: HTML with the picture inside. All text of the model
goes through the template's escaping.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from mcucomp.errors import printable, short_name
from mcucomp.fit import peak_position
from mcucomp.memory import live_bytes
from mcucomp.report.plan_svg import plan_svg
from mcucomp.report.plan_text import peak_rows, segments_text
from mcucomp.report.witness_text import witness_text

if TYPE_CHECKING:
    from mcucomp.planning import ModelPlan
    from mcucomp.trade import Trade

_TEMPLATE = "plan.html.j2"
_LEAST_STEP_WIDTH = 4  # pixels; a long model is scrolled


def plan_html(planned: ModelPlan, trades: Sequence[Trade] = ()) -> str:
    """The page of the main graph's plan; `trades` says what other sets of rules give and take."""
    plan, step_graph = planned.main.plan, planned.main.memory.step_graph
    live = live_bytes(step_graph, plan.order)
    peak = peak_position(step_graph, plan) if plan.order else None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template(_TEMPLATE).render(
        source=printable(planned.model.source),
        steps=len(plan.order),
        alignment=plan.alignment,
        unknown=planned.main.unknown,
        arena=f"{plan.arena_bytes:,}",
        peak=f"{plan.peak_bytes:,}",
        floor="none" if plan.floor_bytes is None else f"{plan.floor_bytes:,} B",
        verdict=plan.verdict,
        witness=witness_text(plan, planned.main.floor_graph),
        picture=Markup(plan_svg(plan, step_graph)),
        least_width=max(640, _LEAST_STEP_WIDTH * len(plan.order)),
        peak_step="" if peak is None else _told(planned, peak),
        at_peak=[] if peak is None else peak_rows(plan, step_graph),
        trades=[_trade_cells(trade, plan.rules) for trade in trades],
        rows_text="" if planned.main.rows is None else segments_text(planned.main.rows),
        waists=[(ran, f"{waist_bytes:,}") for ran, waist_bytes in plan.waists],
        rows=[
            {
                "position": position,
                "step": step,
                "kind": step_graph.steps[step].kind,
                "name": short_name(step_graph.steps[step].name),
                "live": f"{live[position]:,}",
                "peak": live[position] == plan.peak_bytes,
            }
            for position, step in enumerate(plan.order)
        ],
    )


def _trade_cells(trade: Trade, rules: str) -> dict[str, object]:
    def number(value: int | None) -> str:
        return "" if value is None else f"{value:,}"

    return {
        "rules": trade.rules,
        "is_this": trade.rules == rules,
        "cells": [
            number(value)
            for value in (
                trade.arena_bytes,
                trade.floor_bytes,
                trade.instructions,
                trade.table_bytes,
                trade.steps,
                trade.operators_in_rows,
            )
        ],
    }


def _told(planned: ModelPlan, position: int) -> str:
    step = planned.main.memory.step_graph.steps[planned.main.plan.order[position]]
    return f"{position}, {step.kind} {short_name(step.name)}"
