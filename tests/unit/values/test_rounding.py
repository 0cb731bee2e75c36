"""Ends of intervals go through both roundings exactly: one wrong direction would be seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mcucomp.ir import Graph
from mcucomp.ops.fixed_point import scaled as scaled_one
from mcucomp.rewrite import drop_by_values
from mcucomp.values import analyse
from mcucomp.values.interval import Interval
from mcucomp.values.requantise import requantised, requantised_wide, scaled
from tests.support.kernel_runner import run_graph
from tests.support.models import ModelBuilder


def layer_and_reader(
    weights: tuple[int, ...], bias: tuple[int, ...], zero_point: int
) -> ModelBuilder:
    """A layer of three outputs, each a quarter of its sum, and one that reads them."""
    b = ModelBuilder()
    x = b.input((1, 2, 2, 1), scale=0.5, zero_point=-128)
    w = b.constant(np.array(weights, np.int8).reshape(3, 1, 1, 1), (0.5,) * 3)
    v = b.constant(np.array(bias, np.int32), (0.25,) * 3)
    options = {"padding": "VALID", "stride_w": 1, "stride_h": 1}
    shape = (1, 2, 2, 3)
    y = b.operator("CONV_2D", (x, w, v), shape, scale=1.0, zero_point=zero_point, **options)
    w = b.constant(np.array([90, -70, 50], np.int8).reshape(1, 1, 1, 3), (1.0,))
    v = b.constant(np.array([7], np.int32), (1.0,))
    b.operator("CONV_2D", (y, w, v), (1, 2, 2, 1), scale=1.0, zero_point=3, **options)
    return b


def ties() -> ModelBuilder:
    """Sums whose highest ends are ties, beside the lowest value of the type.

    A quarter of the sum, as 1/2 rounded half up and 1/2 rounded half away: the sums of the first
    output are at most -2, which is -1/2 and becomes -1; those of the second at most -1, which is
    -1/2 at first, and becomes 0. The third reaches -1 from the other side.
    """
    return layer_and_reader((1, 1, -1), (-257, -256, -1), -127)


def ties_below() -> ModelBuilder:
    """The same at the lowest ends, beside the highest value: the sums are at least -1, -2, -2."""
    return layer_and_reader((1, 1, -1), (-1, -2, 253), 127)


def layer_output(graph: Graph) -> int:
    return graph.operators[0].outputs[0]


@pytest.mark.parametrize(
    ("make", "still", "moving"),
    [(ties, -128, (-128, -127)), (ties_below, 127, (126, 127))],
    ids=["highest ends", "lowest ends"],
)
def test_a_wrong_direction_would_take_a_channel_or_leave_one(
    make: Callable[[], ModelBuilder], still: int, moving: tuple[int, int]
) -> None:
    graph = make().finish().graphs[0]
    low, high = analyse(graph).channels(layer_output(graph))
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(still, still), moving, moving]
    narrow = drop_by_values(graph, 1)
    assert narrow.tensors[layer_output(graph)].shape == (1, 2, 2, 2)
    seen = set()
    for value in (-128, -127, 0, 126, 127):
        x = np.full((1, 2, 2, 1), value, np.int8)
        before, after = run_graph(graph, [x]), run_graph(narrow, [x])
        seen.update(map(tuple, before[layer_output(graph)].reshape(-1, 3).tolist()))
        assert (before[graph.outputs[0]] == after[graph.outputs[0]]).all()
    # Both ends of what may change are reached, and what may not is never left.
    assert {row[0] for row in seen} == {still}
    assert {row[1] for row in seen} == {row[2] for row in seen} == set(moving)


def test_scaling_is_that_of_the_device_for_every_sum() -> None:
    random = np.random.default_rng(1)
    sums = random.integers(-(2**31), 2**31, 2000)
    multipliers = random.integers(2**30, 2**31, 2000)
    exponents = random.integers(-31, 1, 2000)
    wanted = [
        scaled_one(*map(int, each)) for each in zip(sums, multipliers, exponents, strict=True)
    ]
    assert scaled(sums, multipliers, exponents).tolist() == wanted


@pytest.mark.parametrize(
    ("low", "high", "exponent", "holds"),
    [
        (-(2**31), 2**31 - 1, 0, True),
        (-(2**31) - 1, 0, 0, False),
        (0, 2**31, 0, False),
        (-(2**28), 2**28 - 1, 3, True),
        (0, 2**28, 3, False),
        (-(2**28) - 1, 0, 3, False),
    ],
)
def test_what_wraps_around_says_nothing(low: int, high: int, exponent: int, holds: bool) -> None:
    total = Interval(np.array([low]), np.array([high]))
    _, found = requantised(total, np.array([2**30]), np.array([exponent]), 0)
    assert found.tolist() == [holds]


def test_sums_of_64_bits_are_rounded_once() -> None:
    # 0.75 * 2^15 as a multiplier of 15 bits: 2 becomes 1.5, half up is 2; -2 becomes -1.
    total = Interval(np.array([-2]), np.array([2]))
    found, holds = requantised_wide(total, np.array([0.75]))
    assert (found.low.tolist(), found.high.tolist(), holds.tolist()) == ([-1], [2], [True])
    _, holds = requantised_wide(Interval(np.array([0]), np.array([2**60])), np.array([0.75]))
    assert holds.tolist() == [False]
