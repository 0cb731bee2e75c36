"""Multipliers, folded biases and activation ranges against exact rational arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcucomp.ops.arithmetic import (
    activation_range,
    channel_multipliers,
    folded_bias,
    is_scalable,
    quantize_multiplier,
    round_half_away,
)
from mcucomp.ops.broadcasting import broadcast_shape
from mcucomp.ops.means import mean_multiplier
from mcucomp.ops.strides import broadcast_strides, dense_strides, merged
from mcucomp.ops.windows import WindowAxis

positive = st.floats(min_value=1e-9, max_value=2.0**29, allow_nan=False)


def exact_round(value: Fraction) -> int:
    magnitude = int(abs(value) + Fraction(1, 2))
    return magnitude if value >= 0 else -magnitude


@given(st.floats(min_value=-1e9, max_value=1e9, allow_nan=False))
def test_round_half_away(value: float) -> None:
    assert round_half_away(value) == exact_round(Fraction(value))


def test_round_half_away_below_one_half() -> None:
    """Adding a half first would round this one up."""
    assert round_half_away(0.49999999999999994) == 0


@given(positive)
def test_multiplier_is_the_nearest(real: float) -> None:
    multiplier, exponent = quantize_multiplier(real)
    assert 2**30 <= multiplier < 2**31
    step = Fraction(2) ** (exponent - 31)
    assert abs(multiplier * step - Fraction(real)) <= step / 2


@pytest.mark.parametrize(
    ("real", "pair"),
    [
        (0.0, (0, 0)),
        (0.5, (2**30, 0)),
        (1.0, (2**30, 1)),
        (0.75, (3 * 2**29, 0)),
        (1 - 2.0**-40, (2**30, 1)),  # rounds up to the next power of two
        (2.0**-32, (2**30, -31)),
        (2.0**-33, (0, 0)),  # needs a shift beyond 31
    ],
)
def test_multiplier_at_the_edges(real: float, pair: tuple[int, int]) -> None:
    assert quantize_multiplier(real) == pair


@pytest.mark.parametrize(
    ("real", "scalable"),
    [(2.0**29, True), (2.0**30 - 1, True), (2.0**30, False), (float("inf"), False),
     (float("nan"), False), (-1.0, False)],
)  # fmt: skip
def test_what_kernels_can_scale_by(real: float, scalable: bool) -> None:
    assert is_scalable(real) is scalable


def test_one_scale_serves_all_channels() -> None:
    multipliers, right_shifts = channel_multipliers([0.25], 3)
    assert multipliers.tolist() == [2**30] * 3
    assert right_shifts.tolist() == [1] * 3


@given(
    st.lists(st.lists(st.integers(-128, 127), min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(-128, 127),
    st.lists(st.integers(-(2**31), 2**31 - 1), min_size=4, max_size=4),
)
def test_folded_bias_is_exact_modulo_2_32(
    weights: list[list[int]], zero_point: int, bias: list[int]
) -> None:
    got = folded_bias(np.array(bias[: len(weights)], np.int32), np.array(weights), zero_point)
    assert got.dtype == np.int32
    for folded, start, row in zip(got.tolist(), bias, weights, strict=False):
        assert (folded - (start - zero_point * sum(row))) % 2**32 == 0


def test_folded_bias_without_a_bias() -> None:
    assert folded_bias(None, np.array([[1, 2], [-3, 4]]), 10).tolist() == [-30, -10]


@pytest.mark.parametrize(
    ("activation", "scale", "zero_point", "expected"),
    [
        ("NONE", 0.5, 3, (-128, 127)),
        ("RELU", 0.5, 3, (3, 127)),
        ("RELU6", 0.5, 3, (3, 15)),
        ("RELU6", 0.01, -128, (-128, 127)),
        ("RELU_N1_TO_1", 0.5, 3, (1, 5)),
        ("RELU_N1_TO_1", 1.0 / 3, 0, (-3, 3)),
        ("RELU6", 1e-38, -128, (-128, 127)),
        ("RELU_N1_TO_1", 2.0, 0, (-1, 1)),  # halves go away from zero
    ],
)
def test_activation_range(
    activation: str, scale: float, zero_point: int, expected: tuple[int, int]
) -> None:
    assert activation_range(activation, scale, zero_point) == expected


@given(positive, st.integers(1, 1 << 23))
def test_mean_multiplier_divides(real: float, count: int) -> None:
    """Within one unit of the truncated multiplier, which keeps at least 30 bits."""
    multiplier, exponent = mean_multiplier(real, count)
    assert 0 <= multiplier < 2**31
    step = Fraction(2) ** (exponent - 31)
    if exponent > -31:
        assert abs(multiplier * step - Fraction(real) / count) <= 2 * step


@given(
    st.integers(1, 30), st.integers(1, 7), st.integers(1, 5), st.integers(1, 4),
    st.sampled_from(["SAME", "VALID"]),
)  # fmt: skip
def test_windows_cover_the_image(
    size: int, taps: int, stride: int, dilation: int, padding: str
) -> None:
    axis = WindowAxis(size, taps, stride, dilation, padding)
    starts = [i * stride - axis.pad_before for i in range(axis.out_size)]
    if padding == "VALID":
        assert not starts or axis.pad_before == 0
        assert all(start + axis.extent <= size for start in starts)
        assert not starts or starts[-1] + stride + axis.extent > size
    else:
        assert axis.out_size == -(-size // stride)
        after = max(0, starts[-1] + axis.extent - size)
        assert after - axis.pad_before in (0, 1)


def test_a_window_larger_than_the_image_has_no_position() -> None:
    assert WindowAxis(4, 3, 1, 2, "VALID").out_size == 0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((2, 3), (2, 3), (2, 3)),
        ((2, 3), (3,), (2, 3)),
        ((2, 1, 4), (3, 1), (2, 3, 4)),
        ((), (5,), (5,)),
        ((2, 3), (2,), None),
    ],
)
def test_broadcast_shape(
    a: tuple[int, ...], b: tuple[int, ...], expected: tuple[int, ...] | None
) -> None:
    assert broadcast_shape(a, b) == expected


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.randoms())
def test_merging_keeps_the_walk(shape: list[int], random: object) -> None:
    """The same offsets in the same order, for a permuted and a broadcast tensor."""
    dims = tuple(shape)
    order = list(range(len(dims)))
    random.shuffle(order)  # type: ignore[attr-defined]
    strides = tuple(dense_strides(dims)[i] for i in order)
    permuted = tuple(dims[i] for i in order)
    repeated = broadcast_strides(permuted[-1:], len(permuted))
    merged_shape, merged_strides = merged(permuted, (strides, repeated))
    for before, after in zip((strides, repeated), merged_strides, strict=True):
        assert _offsets(permuted, before) == _offsets(merged_shape, after)


def _offsets(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    return [sum(i * s for i, s in zip(at, strides, strict=True)) for at in np.ndindex(shape)]
