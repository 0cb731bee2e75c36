"""Kernels against slow, obvious arithmetic on whole numbers.

The sums here are over true values (inputs less their zero point, taps outside
the image left out), in unbounded integers: nothing of folding, blocks, layouts
or C is shared with what is tested.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mcucomp.ir import DType
from mcucomp.ops import ConstantArray, KernelCall
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.windows import WindowAxis
from tests.support.kernel_runner import run_call, run_model
from tests.support.models import ModelBuilder


def _half_up(value: Fraction) -> int:
    return (value + Fraction(1, 2)).__floor__()


def _half_away(value: Fraction) -> int:
    return _half_up(value) if value >= 0 else -_half_up(-value)


def _wrapped(value: int) -> int:
    """As int32 holds it."""
    return (value + 2**31) % 2**32 - 2**31


def scaled(value: int, multiplier: int, exponent: int) -> int:
    """value * multiplier * 2^(exponent - 31) with TFLM's two roundings."""
    shifted = _wrapped(value << max(exponent, 0))
    high = _half_up(Fraction(shifted * multiplier, 2**31))
    return _half_away(Fraction(high, 2 ** max(-exponent, 0)))


@st.composite
def near_ties(draw: st.DrawFn) -> tuple[int, int, int]:
    """(sum, multiplier, right shift) where the result is within int8 and the sum near a tie."""
    right_shift = draw(st.integers(-8, 24))
    multiplier = draw(st.integers(2**30, 2**31 - 1))
    halves = Fraction(draw(st.integers(-300, 300)), 2)
    exact = halves * Fraction(2**31, multiplier) * Fraction(2) ** right_shift
    total = _half_away(exact) + draw(st.integers(-2, 2))
    return max(-(2**31), min(2**31 - 1, total)), multiplier, right_shift


@settings(deadline=None, max_examples=300)
@given(
    st.lists(near_ties(), min_size=1, max_size=9),
    st.integers(-128, 127),
    st.tuples(st.integers(-128, 127), st.integers(-128, 127)),
)
def test_requantisation_is_exact(
    cases: list[tuple[int, int, int]], zero_point: int, bounds: tuple[int, int]
) -> None:
    """The bias is the whole sum, since the weights are zero."""
    low, high = sorted(bounds)
    bias, multipliers, right_shifts = zip(*cases, strict=True)
    count = len(cases)
    call = KernelCall(
        "mcuc_conv_2d_s8__1x1",
        {
            "filter": ConstantArray("int8_t", np.zeros(count, np.int8)),
            "bias": ConstantArray("int32_t", np.array(bias, np.int32)),
            "multiplier": ConstantArray("int32_t", np.array(multipliers, np.int32)),
            "right_shift": ConstantArray("int8_t", np.array(right_shifts, np.int8)),
            "pixels": 1,
            "in_channels": 1,
            "out_channels": count,
            "out_zero_point": zero_point,
            "out_min": low,
            "out_max": high,
        },
        reads=(0,),
        writes=(1,),
    )
    (got,) = run_call(call, [np.array([5], np.int8)], [count])
    expected = [
        max(low, min(high, scaled(total, multiplier, -shift) + zero_point))
        for total, multiplier, shift in cases
    ]
    assert got.view(np.int8).tolist() == expected


@st.composite
def axes(draw: st.DrawFn, padding: str) -> WindowAxis:
    taps, dilation = draw(st.integers(1, 4)), draw(st.sampled_from([1, 1, 2, 3]))
    least = (taps - 1) * dilation + 1 if padding == "VALID" else 1
    size = least + draw(st.integers(0, 5))
    return WindowAxis(size, taps, draw(st.integers(1, 3)), dilation, padding)


def _slow_convolution(
    image: np.ndarray, filters: np.ndarray, height: WindowAxis, width: WindowAxis, groups: int
) -> np.ndarray:
    """Sums of true values; image (h, w, c), filters (outputs, kh, kw, c / groups)."""
    outputs, taps_h, taps_w, group_channels = filters.shape
    sums = np.zeros((height.out_size, width.out_size, outputs), object)
    for (y, x, o), _ in np.ndenumerate(sums):
        first = o // (outputs // groups) * group_channels
        for ky, kx, c in np.ndindex(taps_h, taps_w, group_channels):
            row = y * height.stride - height.pad_before + ky * height.dilation
            col = x * width.stride - width.pad_before + kx * width.dilation
            if 0 <= row < height.in_size and 0 <= col < width.in_size:
                sums[y, x, o] += int(image[row, col, first + c]) * int(filters[o, ky, kx, c])
    return sums


@settings(deadline=None, max_examples=80)
@given(st.data())
def test_convolutions_of_any_shape(data: st.DataObject) -> None:
    padding = data.draw(st.sampled_from(["SAME", "VALID"]))
    height, width = data.draw(axes(padding)), data.draw(axes(padding))
    groups = data.draw(st.sampled_from([1, 1, 2, 3]))
    channels, outputs = groups * data.draw(st.integers(1, 5)), groups * data.draw(st.integers(1, 6))
    zero_point, out_zero = data.draw(st.integers(-128, 127)), data.draw(st.integers(-128, 127))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    image = random.integers(-128, 128, (1, height.in_size, width.in_size, channels), dtype=np.int8)
    shape = (outputs, height.taps, width.taps, channels // groups)
    filters = random.integers(-128, 128, shape, dtype=np.int8)
    bias = random.integers(-5000, 5001, outputs, dtype=np.int32)

    b = ModelBuilder()
    x = b.input(image.shape, scale=1.0, zero_point=zero_point)
    b.operator(
        "CONV_2D",
        (x, b.constant(filters, [1.0]), b.constant(bias, [1.0])),
        (1, height.out_size, width.out_size, outputs),
        scale=700.0,
        zero_point=out_zero,
        padding=padding,
        stride_h=height.stride,
        stride_w=width.stride,
        dilation_h_factor=height.dilation,
        dilation_w_factor=width.dilation,
    )
    (got,) = run_model(b.finish(), [image])

    true = image[0].astype(int) - zero_point
    sums = _slow_convolution(true, filters, height, width, groups)
    multiplier, exponent = quantize_multiplier(1.0 / float(np.float32(700.0)))
    for (row, col, o), total in np.ndenumerate(sums):
        expected = scaled(total + int(bias[o]), multiplier, exponent) + out_zero
        assert got[0, row, col, o] == max(-128, min(127, expected))


def test_what_is_no_number_or_too_large_for_int8() -> None:
    """NaN, infinity and huge floats have defined results, where TFLM's are undefined."""
    b = ModelBuilder()
    x = b.input((6,), DType.FLOAT32)
    b.operator("QUANTIZE", (x,), (6,), scale=0.5, zero_point=10)
    odd = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38, 0.25], np.float32)
    (got,) = run_model(b.finish(), [odd])
    assert got.tolist() == [10, 127, -128, 127, -128, 11]


def test_softmax_of_many_equal_values() -> None:
    """Each is below half a step of 1/256; TFLM's shift is undefined here."""
    b = ModelBuilder()
    x = b.input((4095,), scale=0.5)
    b.operator("SOFTMAX", (x,), (4095,), scale=1 / 256, zero_point=-128, beta=1.0)
    (got,) = run_model(b.finish(), [np.full(4095, 7, np.int8)])
    assert (got == -128).all()
