"""Which models run in rows without being asked, and that they are planned like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mcucomp.backends import Optimize, Selection, Wanted
from mcucomp.fit import live_at, peak_position
from mcucomp.ir import Model
from mcucomp.planning import GraphPlan, ModelPlan, check_document, plan_document, plan_graphs
from mcucomp.rows import worth
from mcucomp.rules import ALL, DEFAULT, parse
from tests.support.models import ModelBuilder


def layers(*kinds: str) -> Model:
    """From a small image to a smaller one, 3x3: convolutions (`conv`), one to many channels
    (`wide`), and depthwise ones (`each`)."""
    random, b = np.random.default_rng(11), ModelBuilder()
    x, channels = b.input((1, 16, 16, 3), scale=0.5), 3
    for kind, stride, size in (("conv", 1, 16), *((k, 1, 16) for k in kinds), ("conv", 4, 4)):
        outputs = channels if kind == "each" else 64 if kind == "wide" else 16
        name, shape, axis, more = "CONV_2D", (outputs, 3, 3, channels), 0, {}
        if kind == "each":
            name, shape, axis = "DEPTHWISE_CONV_2D", (1, 3, 3, channels), 3
            more = {"depth_multiplier": 1}
        w = random.integers(-90, 91, shape, dtype=np.int8)
        bias = random.integers(-300, 300, outputs).astype(np.int32)
        filters = b.constant(w, (0.01,) * outputs, axis=axis)
        biases = b.constant(bias, (0.005,) * outputs)
        x, channels = b.operator(
            name, (x, filters, biases), (1, size, size, outputs), scale=0.5, zero_point=-128,
            padding="SAME", fused_activation_function="RELU", stride_w=stride, stride_h=stride,
            **more,
        ), outputs  # fmt: skip
    return b.finish()


def planned(model: Model, optimize: Optimize = Optimize.BALANCED) -> ModelPlan:
    selection = Selection("cortex-m4", Wanted(optimize=optimize))
    return plan_graphs(model, 4, rules=DEFAULT, selection=selection)


def test_convolutions_run_in_rows_and_depthwise_ones_whole() -> None:
    """As measured: convolutions are as fast, depthwise layers take a third more."""
    convolutions, depthwise = planned(layers("conv", "conv", "conv")), planned(layers("each"))
    assert convolutions.main.rows is not None
    assert convolutions.main.plan.rules == parse("all,rows").name
    assert depthwise.main.rows is None
    assert depthwise.main.plan.rules == ALL.name


def test_rows_of_a_tensor_are_told_together_at_the_peak() -> None:
    main = planned(layers("conv", "conv", "conv")).main
    steps = main.memory.step_graph
    lines = live_at(steps, main.plan, peak_position(steps, main.plan))
    names = [line.split(" B ")[1].split(", ")[0] for line in lines if ", " in line and "[" in line]
    assert any(" rows [" in line for line in lines)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("optimize", [Optimize.SPEED, Optimize.SIZE])
def test_what_is_asked_for_stays(optimize: Optimize) -> None:
    assert planned(layers("conv", "conv", "conv"), optimize).main.rows is None


def test_without_kernels_nothing_is_estimated() -> None:
    model = layers("conv", "conv", "conv")
    assert plan_graphs(model, 4, rules=DEFAULT).main.rows is None


def test_only_some_operators_may_be_in_rows_and_the_floor_is_of_all() -> None:
    """The checker, which knows no estimates, accepts both."""
    model = layers("each", "wide")
    found = planned(model).main
    assert found.rows is not None
    assert 1 not in found.rows.model.forms, "a depthwise layer takes more in rows"
    assert check_document(plan_document(planned(model)), model)
    every = plan_graphs(model, 4, rules=parse("all,rows"), selection=Selection("cortex-m4")).main
    assert every.rows is not None
    assert 1 in every.rows.model.possible
    assert found.plan.floor_bytes == every.plan.floor_bytes


def test_what_fits_in_no_other_way_runs_in_rows_whatever_that_takes() -> None:
    model = layers("each", "each", "wide")
    selection = Selection("cortex-m4", Wanted(optimize=Optimize.SPEED))
    whole_bytes = planned(model, Optimize.SPEED).main.plan.arena_bytes

    def limited(limit_bytes: int) -> GraphPlan:
        found = plan_graphs(
            model, 4, rules=DEFAULT, selection=selection, arena_limit_bytes=limit_bytes
        )
        return found.main

    assert limited(whole_bytes).rows is None
    in_rows = limited(whole_bytes - 4)
    assert in_rows.rows is not None
    assert in_rows.plan.arena_bytes < whole_bytes / 2
    assert limited(in_rows.plan.arena_bytes).plan.arena_bytes == in_rows.plan.arena_bytes
    assert limited(100).rows is None, "what does not fit at all is told of whole operators"


def test_operators_that_take_least_more_come_first() -> None:
    model = layers("conv", "each", "conv")
    whole = planned(model).main.calls
    rows = plan_graphs(model, 4, rules=parse("all,rows"), selection=Selection("cortex-m4")).main
    assert rows.rows is not None
    calls, forms = rows.calls, rows.rows.model.forms
    chosen = worth.as_fast(whole, calls, forms)
    assert chosen < frozenset(forms)
    taken = worth.instructions(calls, {k: forms[k] for k in chosen})
    assert taken <= worth.MOST_TIMES * worth.instructions(whole)


def test_what_was_not_measured_is_left_out() -> None:
    model = layers("conv", "conv")
    rows = plan_graphs(model, 4, rules=parse("all,rows"), selection=Selection("cortex-m4")).main
    assert rows.rows is not None
    forms = {k: replace(f, kernel="mcuc_unknown") for k, f in rows.rows.model.forms.items()}
    assert worth.as_fast(rows.calls, rows.calls, rows.rows.model.forms)
    assert not worth.as_fast(rows.calls, rows.calls, forms)
