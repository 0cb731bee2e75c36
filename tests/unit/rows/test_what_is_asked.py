"""What can be asked of plans in rows, and what is answered."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.errors import InvalidInput
from mcucomp.ir import Model
from mcucomp.memory import TensorUse, uses_of
from mcucomp.memory.row_graph import STREAMED_INPUT, row_model
from mcucomp.planning import plan_graphs
from mcucomp.planning.in_rows import may_run_in_rows
from mcucomp.report.plan_html import plan_html
from mcucomp.rules import ALL, parse
from mcucomp.trade import trades
from tests.support.drawn_graphs import draw_images
from tests.support.models import ModelBuilder

RULES = parse("all,rows")


def streamed_model() -> Model:
    """One that takes less in rows."""
    for seed in range(100):
        model = draw_images(seed, (6, 12), (8, 14))
        if plan_graphs(model, 4, rules=RULES).main.rows is not None:
            return model
    raise AssertionError("no drawn model takes less in rows")


def whole_model() -> Model:
    """One without anything that runs in rows."""
    b = ModelBuilder()
    x = b.input((1, 6), scale=0.5)
    b.operator("SOFTMAX", (x,), (1, 6), scale=1 / 256, zero_point=-128, beta=1.0)
    return b.finish()


def test_rows_one_by_one_need_the_rule() -> None:
    with pytest.raises(InvalidInput) as failure:
        plan_graphs(streamed_model(), 4, io=STREAMED_INPUT, rules=ALL)
    assert str(failure.value).splitlines()[1:] == ["  fix: allow it with --rules all,rows"]
    assert "rows arrive one by one only where operators run in rows" in str(failure.value)


def test_rows_one_by_one_need_a_reader_in_rows() -> None:
    with pytest.raises(InvalidInput) as failure:
        plan_graphs(whole_model(), 4, io=STREAMED_INPUT, rules=RULES)
    assert str(failure.value) == (
        "test.tflite: --io stream-input: no input of the model is read in rows\n"
        "  fix: leave the option out"
    )


def test_where_rows_do_not_pay_the_plan_names_the_other_rules() -> None:
    plan = plan_graphs(whole_model(), 4, rules=RULES).main.plan
    assert plan.rules == ALL.name


def test_the_page_tells_the_trade() -> None:
    model = streamed_model()
    planned = plan_graphs(model, 4, rules=RULES)
    found = trades(model, 4)
    arenas = [trade.arena_bytes for trade in found]
    assert found[-1].rules == planned.main.plan.rules
    assert found[-1].operators_in_rows > 0
    assert found[-1].table_bytes > 0
    assert np.diff(arenas).max() < 0
    page = plan_html(planned, found)
    for trade in found:
        assert f"<td>{trade.rules}</td>" in page
        assert f">{trade.arena_bytes:,}</td>" in page


def tall_model(height: int, operators: int) -> Model:
    b = ModelBuilder()
    x = b.input((1, height, 4, 2), scale=0.5)
    for _ in range(operators):
        x = b.operator("ADD", (x, x), (1, height, 4, 2), scale=0.5)
    return b.finish()


def test_what_is_too_tall_for_any_image_runs_whole() -> None:
    for height, in_rows in ((1_024, 2), (1_025, 0)):
        model = tall_model(height, 2)
        found = row_model(model.graphs[0], uses_of(model), 4, rules=RULES)
        assert len(found.forms) == in_rows


def test_more_rows_than_can_be_planned_are_not_looked_at() -> None:
    for height, expected in ((1_000, True), (1_001, False)):
        assert may_run_in_rows(tall_model(height, 10), TensorUse((), ())) == expected
