"""DEPTHWISE_CONV_2D by planes of four channels: any filter, 3x3 ones and those of one row faster.

Layout and conditions are those of `mcuc/depthwise_conv_2d_s8__dsp.h`, and of
the headers with `_3x3` and `_1xn` at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.requantise import array, bounds, integer, scaling
from mcucomp.ops import ConstantArray, KernelCall, ParamValue

KERNEL_3X3 = "mcuc_depthwise_conv_2d_s8__dsp_3x3"
KERNEL_1XN = "mcuc_depthwise_conv_2d_s8__dsp_1xn"
KERNEL = "mcuc_depthwise_conv_2d_s8__dsp"

LANES = 4
OUTPUTS = 4
# Strips are as tall as fits into this: taller ones read less twice, and take more RAM.
SCRATCH_TARGET_BYTES = 4096


@dataclass(frozen=True, slots=True)
class _Channels:
    """What the channels' sums and their scaling need: weights are a row a channel."""

    weights: np.ndarray
    doubled_bias: np.ndarray
    multiplier: np.ndarray
    shift: np.ndarray
    is_linear: bool


def depthwise_3x3(call: KernelCall) -> KernelCall:
    """3x3 with stride 1 or 2, no dilation, channels in multiples of four, clamped at -128."""
    _require_plain(call)
    height, width = integer(call, "filter_height"), integer(call, "filter_width")
    if (height, width) != (3, 3):
        raise Refused(f"the filter is {height}x{width}")
    stride = integer(call, "stride_h")
    if stride not in (1, 2) or stride != integer(call, "stride_w"):
        raise Refused(f"the strides are {stride} and {integer(call, 'stride_w')}")
    channels = _channels(call)
    if channels.is_linear:
        raise Refused("its output is not clamped at the zero point -128")
    words, word_bytes = _even(integer(call, "out_width")) * stride // 2 + 1, 4 * LANES
    strip_height = _strip_height(integer(call, "out_height"), stride, words * word_bytes)
    rows = (strip_height - 1) * stride + 3
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("uint32_t", _filter_words(channels), is_weight=True),
        **_same(call, "batches", "in_height", "in_width", "out_height", "out_width", "channels"),
        "stride": stride,
        "strip_height": strip_height,
        **_same(call, "pad_top", "pad_left", "in_zero_point"),
    }
    return KernelCall(
        KERNEL_3X3,
        params,
        reads=call.reads,
        writes=call.writes,
        scratch_bytes=words * word_bytes * rows,
        macs=call.macs,
    )


def depthwise(call: KernelCall) -> KernelCall:
    """Any filter, no dilation, stride 1 or 2 along rows, channels in multiples of four."""
    _require_plain(call)
    stride_w = integer(call, "stride_w")
    if stride_w not in (1, 2):
        raise Refused(f"the stride along rows is {stride_w}")
    height, taps = integer(call, "filter_height"), integer(call, "filter_width")
    channels = _channels(call)
    filter_words = taps // 2 + 1
    words = -(-integer(call, "out_width") // OUTPUTS) * 2 * stride_w + filter_words - 1
    scale = np.stack([channels.doubled_bias, channels.multiplier, channels.shift], axis=1)
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("int8_t", channels.weights.astype(np.int8).ravel(), is_weight=True),
        "scaling": ConstantArray("int32_t", scale.astype(np.uint32).view(np.int32).ravel()),
        **_same(call, "batches", "in_height", "in_width", "out_height", "out_width", "channels"),
        **_same(call, "filter_height", "filter_width", "stride_h", "stride_w"),
        **_same(call, "pad_top", "pad_left", "in_zero_point", "out_zero_point"),
    }
    return KernelCall(
        KERNEL,
        params,
        reads=call.reads,
        writes=call.writes,
        scratch_bytes=4 * LANES * height * (words + 2 * filter_words),
        macs=call.macs,
    )


def depthwise_1xn(call: KernelCall) -> KernelCall:
    """A filter of one row without stride, no dilation, channels in multiples of four."""
    _require_plain(call)
    if integer(call, "filter_height") > 1 or integer(call, "in_height") != integer(
        call, "out_height"
    ):
        raise Refused("the filter has several rows")
    if integer(call, "stride_h") > 1 or integer(call, "stride_w") > 1:
        raise Refused("it has a stride")
    channels, taps = _channels(call), integer(call, "filter_width")
    filter_words = taps // 2 + 1
    words = -(-integer(call, "out_width") // OUTPUTS) * 2 + filter_words - 1
    scale = np.stack([channels.doubled_bias, channels.multiplier, channels.shift], axis=1)
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("int8_t", channels.weights.astype(np.int8).ravel(), is_weight=True),
        "scaling": ConstantArray("int32_t", scale.astype(np.uint32).view(np.int32).ravel()),
        "rows": integer(call, "batches") * integer(call, "in_height"),
        **_same(call, "in_width", "out_width", "channels"),
        "taps": taps,
        **_same(call, "pad_left", "in_zero_point", "out_zero_point"),
    }
    return KernelCall(
        KERNEL_1XN,
        params,
        reads=call.reads,
        writes=call.writes,
        scratch_bytes=4 * LANES * words + 8 * filter_words,
        macs=call.macs,
    )


def _require_plain(call: KernelCall) -> None:
    if integer(call, "dilation_h") > 1 or integer(call, "dilation_w") > 1:
        raise Refused("it is dilated")
    if integer(call, "channels") % LANES:
        raise Refused(f"{integer(call, 'channels')} channels are no multiple of {LANES}")


def _same(call: KernelCall, *names: str) -> dict[str, ParamValue]:
    return {name: integer(call, name) for name in names}


def _channels(call: KernelCall) -> _Channels:
    """Conditions of the sums checked; constant channels get their value from the bias alone.

    The kernels make the constant from shift and zero point: with a shift of 1
    and a multiplier of 2^30, a bias of 4 (v - zero point) gives v exactly.
    """
    weights = array(call, "filter").reshape(-1, integer(call, "channels")).T
    bias = array(call, "bias")
    scale = scaling(call, *bounds(call, weights, bias))
    fixed = scale.is_constant
    fixing_bias = 4 * ((scale.constant >> 1) - integer(call, "out_zero_point"))
    return _Channels(
        np.where(fixed[:, None], 0, weights),
        2 * np.where(fixed, fixing_bias, bias),
        np.where(fixed, 1 << 30, scale.multiplier),
        scale.shift,
        scale.is_linear,
    )


def _even(size: int) -> int:
    return size + size % 2


def _strip_height(out_height: int, stride: int, bytes_a_row: int) -> int:
    """The tallest even strip whose planes fit the target; at least 2."""
    rows = SCRATCH_TARGET_BYTES // bytes_a_row
    fitting = ((rows - 3) // stride + 1) // 2 * 2
    return max(2, min(fitting, _even(out_height)))


def _filter_words(channels: _Channels) -> np.ndarray:
    """[channels][5] words: twice the bias, the multiplier, a word of weights for each row."""
    octets = channels.weights.reshape(-1, 3, 3) & 0xFF
    rows = octets[..., 0] | (octets[..., 1] << 8) | (octets[..., 2] << 16)
    rows[:, 0] |= channels.shift << 24
    first = np.stack([channels.doubled_bias, channels.multiplier], axis=1)
    words: np.ndarray = np.concatenate([first, rows], axis=1).astype(np.uint32).ravel()
    return words
