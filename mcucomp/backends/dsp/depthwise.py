"""DEPTHWISE_CONV_2D with a 3x3 filter: planes of four channels.

Layout and conditions are those of `mcuc/depthwise_conv_2d_s8__dsp_3x3.h`.
"""

from __future__ import annotations

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.requantise import Scaling, array, bounds, integer, scaling
from mcucomp.ops import ConstantArray, KernelCall, ParamValue

KERNEL_3X3 = "mcuc_depthwise_conv_2d_s8__dsp_3x3"

LANES = 4
# Strips are as tall as fits into this: taller ones read less twice, and take more RAM.
SCRATCH_TARGET_BYTES = 4096

_SAME = (
    "batches", "in_height", "in_width", "out_height", "out_width", "channels",
)  # fmt: skip


def depthwise(call: KernelCall) -> KernelCall:
    """A 3x3 filter with stride 1 or 2 over channels in multiples of four, clamped at -128."""
    height, width = integer(call, "filter_height"), integer(call, "filter_width")
    stride = integer(call, "stride_h")
    if (height, width) != (3, 3):
        raise Refused(f"the filter is {height}x{width}")
    if stride not in (1, 2) or stride != integer(call, "stride_w"):
        raise Refused(f"the strides are {stride} and {integer(call, 'stride_w')}")
    if integer(call, "dilation_h") > 1 or integer(call, "dilation_w") > 1:
        raise Refused("it is dilated")
    channels = integer(call, "channels")
    if channels % LANES:
        raise Refused(f"{channels} channels are no multiple of {LANES}")
    weights = array(call, "filter").reshape(9, channels).T
    bias = array(call, "bias")
    scale = scaling(call, *bounds(weights, bias))
    if scale.is_linear:
        raise Refused("its output is not clamped at the zero point -128")
    scale, weights, bias = _with_constants(scale, weights, bias)
    words, row_bytes = _plane_words(call, stride), 4 * LANES
    strip_height = _strip_height(integer(call, "out_height"), stride, words * row_bytes)
    rows = (strip_height - 1) * stride + 3
    params: dict[str, ParamValue] = {
        "filter": ConstantArray(
            "uint32_t", _filter(weights, bias, scale.multiplier, scale.shift), is_weight=True
        ),
        **{name: integer(call, name) for name in _SAME},
        "stride": stride,
        "strip_height": strip_height,
        "pad_top": integer(call, "pad_top"),
        "pad_left": integer(call, "pad_left"),
        "in_zero_point": integer(call, "in_zero_point"),
    }
    return KernelCall(
        KERNEL_3X3,
        params,
        reads=call.reads,
        writes=call.writes,
        scratch_bytes=words * row_bytes * rows,
        macs=call.macs,
    )


def _with_constants(
    scale: Scaling, weights: np.ndarray, bias: np.ndarray
) -> tuple[Scaling, np.ndarray, np.ndarray]:
    """The same where constant channels get their value from the bias alone.

    The kernel makes the constant from the shift: for 1 it is -255, and
    (2 * bias * 2^30 / 2^32 - 255) >> 1 is v for a bias of 4 v + 512.
    """
    value = scale.constant >> 1
    fixed = scale.is_constant
    return (
        Scaling(
            scale.shift,
            np.where(fixed, 1 << 30, scale.multiplier),
            scale.constant,
            fixed,
            scale.is_linear,
        ),
        np.where(fixed[:, None], 0, weights),
        np.where(fixed, 4 * value + 512, bias),
    )


def _even(size: int) -> int:
    return size + size % 2


def _plane_words(call: KernelCall, stride: int) -> int:
    return _even(integer(call, "out_width")) * stride // 2 + 1


def _strip_height(out_height: int, stride: int, bytes_a_row: int) -> int:
    """The tallest even strip whose planes fit the target; at least 2."""
    rows = SCRATCH_TARGET_BYTES // bytes_a_row
    fitting = ((rows - 3) // stride + 1) // 2 * 2
    return max(2, min(fitting, _even(out_height)))


def _filter(
    weights: np.ndarray, bias: np.ndarray, multiplier: np.ndarray, shift: np.ndarray
) -> np.ndarray:
    """[channels][5] words: twice the bias, the multiplier, a word of weights for each row."""
    octets = weights.reshape(-1, 3, 3) & 0xFF
    rows = octets[..., 0] | (octets[..., 1] << 8) | (octets[..., 2] << 16)
    rows[:, 0] |= shift << 24
    words = np.concatenate([(2 * bias)[:, None], multiplier[:, None], rows], axis=1)
    wrapped: np.ndarray = words.astype(np.uint32).ravel()
    return wrapped
