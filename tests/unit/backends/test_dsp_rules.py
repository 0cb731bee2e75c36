"""When the DSP extension's kernels take over: each condition just met and just missed."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp import BACKEND
from mcucomp.backends.dsp.convolution import convolution, pointwise, unblocked
from mcucomp.backends.dsp.dense import fully_connected
from mcucomp.backends.dsp.depthwise import depthwise, depthwise_1xn, depthwise_3x3
from mcucomp.backends.dsp.elementwise import add, average_pool, max_pool
from mcucomp.backends.dsp.requantise import array, bounds, scaled
from mcucomp.backends.dsp.winograd import winograd
from mcucomp.ops import KernelCall
from mcucomp.ops.constants import blocked
from tests.oracle.cases import Draw
from tests.property.test_kernels import scaled as exactly_scaled
from tests.support import drawn_calls
from tests.support.drawn_calls import plain_pointwise, with_param, with_sum


def first(draws, rule, wanted=lambda call: True) -> KernelCall:
    """The first drawn call that the rule takes."""
    for seed in range(200):
        call = draws(Draw(seed))[0]
        try:
            rule(call)
        except Refused:
            continue
        if wanted(call):
            return call
    raise AssertionError("no such call was drawn")


def refusal(rule, call: KernelCall) -> str:
    with pytest.raises(Refused) as refused:
        rule(call)
    return str(refused.value)


def test_blocks_are_undone() -> None:
    rows = np.arange(35).reshape(7, 5)
    assert (unblocked(blocked(rows), 7) == rows).all()


def test_bounds_are_reached_and_not_passed() -> None:
    draw = Draw(3)
    weights = draw.random.integers(-127, 128, (6, 9)).astype(np.int64)
    bias = draw.random.integers(-1000, 1000, 6)
    lowest, highest = bounds(plain_pointwise(weights, bias), weights, bias)
    at_lowest = np.where(weights > 0, -128, 127)
    assert (bias + (weights * at_lowest).sum(axis=1) == lowest).all()
    assert (bias + (weights * (-1 - at_lowest)).sum(axis=1) == highest).all()


@pytest.mark.parametrize("total", [-(2**31), -12345, -1, 0, 1, 77, 2**31 - 1])
@pytest.mark.parametrize("shift", [0, 1, 2, 9, 31])
@pytest.mark.parametrize("multiplier", [1 << 30, 0x5A7F1234, 2**31 - 1])
def test_scaled_is_tflites_arithmetic(total: int, shift: int, multiplier: int) -> None:
    assert scaled(total, multiplier, shift) == exactly_scaled(total, multiplier, -shift)


@pytest.mark.parametrize(
    ("channel", "limit", "shift", "message"),
    [
        (0, 1 << 30, 23, "the sum of channel 0 may reach 2^30"),
        (1, 1 << 23, 16, "a sum may reach 2^23"),
        (2, 1 << 30, 23, "the sum of channel 2 may reach 2^30"),
        (3, 1 << 23, 16, "a sum may reach 2^23"),
    ],
)
def test_sums_must_be_small_enough(channel: int, limit: int, shift: int, message: str) -> None:
    pointwise(with_sum(channel, limit - 1, shift))
    assert refusal(pointwise, with_sum(channel, limit, shift)) == message


def test_shifts_are_from_1_to_23() -> None:
    weights, bias = np.full((2, 4), 100), np.zeros(2)
    for shift in (1, 23):
        pointwise(plain_pointwise(weights * 1, bias + 2**22, shifts=np.array([8, shift])))
    call = plain_pointwise(weights, bias, shifts=np.array([8, 0]))
    assert refusal(pointwise, call) == "the right shift of channel 1 is 0"
    # With 24 a sum below 2^23 is always 0: the channel is constant.
    constant = pointwise(plain_pointwise(weights, bias, shifts=np.array([8, 24])))
    assert constant.params["out_channels"] == 2


def test_a_clamped_layer_turns_linear_where_shifts_are_large() -> None:
    weights, bias = np.full((2, 100), 127), np.array([0, 2**22])
    for shift, is_linear in ((16, 0), (17, 1)):
        call = plain_pointwise(weights, bias, shifts=np.array([8, shift]), zero_point=-128)
        assert pointwise(call).params["is_linear"] == is_linear


def test_a_weight_of_minus_128_needs_room_beside_it() -> None:
    weights = np.full((2, 4), 3)
    weights[1, 2] = -128
    pointwise(plain_pointwise(weights, np.zeros(2)))
    weights[0, 2] = -1
    call = plain_pointwise(weights, np.zeros(2))
    assert refusal(pointwise, call) == "a weight of -128 has no place beside its neighbour's"


def test_clamps_beyond_int8_are_refused() -> None:
    call = first(drawn_calls.convolution, convolution)
    for changed in ({"out_min": -127}, {"out_max": 126}):
        message = refusal(convolution, with_param(call, **changed))
        assert message == "its activation does not reach over all of int8"


def test_what_convolutions_refuse() -> None:
    call = first(drawn_calls.convolution, convolution)
    assert refusal(convolution, with_param(call, groups=2)) == "it has several groups"
    dilated = with_param(call, dilation_w=2)
    assert refusal(convolution, dilated) == "it is dilated along rows"


def test_what_winograds_method_refuses() -> None:
    call = first(drawn_calls.convolution_3x3, winograd)
    not_3x3 = "it is not 3x3 with stride 1, undilated and of one group"
    for changed in ({"stride_h": 2}, {"dilation_w": 2}, {"filter_height": 2}, {"groups": 2}):
        assert refusal(winograd, with_param(call, **changed)) == not_3x3
    blocks = "the output is not made of blocks of 2 x 4 pixels"
    for changed in ({"out_height": 3}, {"out_width": 6}):
        assert refusal(winograd, with_param(call, **changed)) == blocks
    bias = np.zeros(len(array(call, "bias")))
    bias[0] = 1 << 29
    large = with_param(
        call,
        bias=bias,
        multiplier=np.full(len(bias), round(100.5 * 2 ** (31 + 22) / bias[0])),
        right_shift=np.full(len(bias), 22),
    )
    assert refusal(winograd, large) == "a sum may reach 2^29"


def test_what_depthwise_kernels_refuse() -> None:
    call = first(drawn_calls.depthwise_3x3, depthwise_3x3)
    assert refusal(depthwise_1xn, call) == "the filter has several rows"
    for rule in (depthwise, depthwise_3x3, depthwise_1xn):
        assert refusal(rule, with_param(call, dilation_h=2)) == "it is dilated"
        assert refusal(rule, with_param(call, channels=6)) == "6 channels are no multiple of 4"
    assert refusal(depthwise, with_param(call, stride_w=3)) == "the stride along rows is 3"
    strides = refusal(depthwise_3x3, with_param(call, stride_h=3, stride_w=2))
    assert strides == "the strides are 3 and 2"
    assert refusal(depthwise_3x3, with_param(call, filter_width=5)) == "the filter is 3x5"
    row = first(drawn_calls.depthwise_row, depthwise_1xn)
    assert refusal(depthwise_1xn, with_param(row, stride_w=2)) == "it has a stride"
    linear = with_param(call, out_zero_point=-127)
    assert refusal(depthwise_3x3, linear) == "its output is not clamped at the zero point -128"


def test_what_the_dense_layer_refuses() -> None:
    call = first(drawn_calls.fully_connected, fully_connected, lambda c: c.params["rows"] == 1)
    assert refusal(fully_connected, with_param(call, right_shift=0)) == "the right shift is 0"
    assert refusal(fully_connected, with_param(call, right_shift=24)) == "the right shift is 24"
    odd = first(
        drawn_calls.fully_connected,
        fully_connected,
        lambda c: c.params["in_channels"] % 4 != 0,
    )
    channels = odd.params["in_channels"]
    message = f"it has several rows of {channels} inputs, no multiple of 4"
    assert refusal(fully_connected, with_param(odd, rows=2)) == message


def test_what_sums_and_pools_refuse() -> None:
    call = first(drawn_calls.add, add)
    assert refusal(add, with_param(call, out_right_shift=0)) == "the right shift is 0"
    pool = first(drawn_calls.average_pool, average_pool)
    assert refusal(average_pool, with_param(pool, channels=6)) == "6 channels are no multiple of 4"
    assert refusal(max_pool, with_param(pool, channels=6)) == "6 channels are no multiple of 4"
    assert refusal(max_pool, with_param(pool, out_max=126)) == (
        "its activation does not reach over all of int8"
    )
    assert refusal(average_pool, with_param(pool, pad_top=1)) == "a window reaches out of the image"
    large = {"in_height": 20, "in_width": 17, "out_height": 1, "out_width": 1, "filter_width": 17}
    average_pool(with_param(pool, **large, filter_height=15))
    assert refusal(average_pool, with_param(pool, **large, filter_height=16)) == (
        "a window has 272 pixels"
    )


def test_constant_channels_cost_no_condition() -> None:
    """A bias beyond all bounds is no obstacle where it alone decides the output."""
    weights, bias = np.full((2, 4), 1), np.array([2**30 + 5, -(2**30)])
    call = plain_pointwise(weights, bias, shifts=np.array([3, 3]), zero_point=-128)
    words = array(pointwise(call), "filter")
    assert not words.any()


def test_the_backend_runs_where_the_extension_is() -> None:
    cpus = {"cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55"}
    assert {c for c in cpus if BACKEND.runs_on(c)} == cpus - {"cortex-m0", "cortex-m3"}
