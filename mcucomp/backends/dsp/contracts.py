"""How closely may outputs of the extension's kernels follow the inputs that they still read?

In: a call's parameters. Out: clearances, from the order of reads and writes
that the kernels' headers state. Depthwise kernels work on four channels at a
time and leave the others alone: where the distance is a multiple of a pixel,
only a channel's own bytes count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from mcucomp.ops import Clearance
from mcucomp.ops.clearance import (
    NO_READ,
    Axis,
    Geometry,
    channelwise,
    dense,
    elementwise,
    forward,
)
from mcucomp.ops.params import Params, integer

Contract = Callable[[Params], tuple[Clearance, ...]]

LANES, PIXELS = 4, 2
_PADS = {"height": "pad_top", "width": "pad_left"}


def _window_starts(counts: tuple[int, int], axes: tuple[Axis, Axis]) -> np.ndarray:
    """The first pixel inside the image that each window reads, in raster order.

    NO_READ where a window has no pixel inside; `counts` are the windows along
    height and width.
    """
    firsts = []
    for count, axis in zip(counts, axes, strict=True):
        start = np.arange(count, dtype=np.int64) * axis.stride - axis.pad
        skipped = np.maximum(0, -(start // axis.dilation))
        first = start + skipped * axis.dilation
        is_inside = (skipped < axis.taps) & (first < axis.in_size)
        firsts.append(np.where(is_inside, first, NO_READ))
    rows, columns = firsts[0][:, None], firsts[1]
    outside = (rows == NO_READ) | (columns == NO_READ)
    return np.where(outside, NO_READ, rows * axes[1].in_size + columns)


def _axis(params: Params, side: str, **given: int) -> Axis:
    return Axis(
        in_size=integer(params, f"in_{side}"),
        out_size=integer(params, f"out_{side}"),
        pad=integer(params, _PADS[side]),
        **given,
    )


def _convolution(params: Params) -> tuple[Clearance, ...]:
    """Two pixels in raster order: all is read, then both are written."""
    axes = (
        _axis(
            params,
            "height",
            taps=integer(params, "filter_height"),
            stride=integer(params, "stride_h"),
            dilation=integer(params, "dilation_h"),
        ),
        _axis(
            params,
            "width",
            taps=integer(params, "filter_width"),
            stride=integer(params, "stride_w"),
            dilation=1,
        ),
    )
    starts = _window_starts((axes[0].out_size, axes[1].out_size), axes).ravel()
    image = axes[0].in_size * axes[1].in_size
    batches = np.arange(integer(params, "batches"), dtype=np.int64)[:, None]
    each = np.where(starts == NO_READ, NO_READ, batches * image + starts).ravel()
    pixels = len(each)
    if pixels % PIXELS:
        each = np.append(each, each[-1])
    first = each.reshape(-1, PIXELS).min(axis=1)
    ends = np.minimum(np.arange(PIXELS, pixels + PIXELS, PIXELS, dtype=np.int64), pixels)
    channels = integer(params, "in_channels")
    low_bytes = forward(
        ends * integer(params, "out_channels"),
        np.where(first == NO_READ, NO_READ, first * channels),
    )
    return (Clearance(0, low_bytes=low_bytes),)


def _winograd(params: Params) -> tuple[Clearance, ...]:
    """Blocks of 2 x 4 pixels in raster order: their input is read, then they are written."""
    height, width = integer(params, "out_height"), integer(params, "out_width")
    axes = (
        _axis(params, "height", taps=4, stride=2, dilation=1),
        _axis(params, "width", taps=6, stride=4, dilation=1),
    )
    starts = _window_starts((height // 2, width // 4), axes)
    rows = np.arange(height // 2, dtype=np.int64)[:, None]
    columns = np.arange(width // 4, dtype=np.int64)
    ends = (2 * rows + 1) * width + 4 * columns + 4
    batches = np.arange(integer(params, "batches"), dtype=np.int64)[:, None]
    image = axes[0].in_size * axes[1].in_size
    read = np.where(starts.ravel() == NO_READ, NO_READ, batches * image + starts.ravel()).ravel()
    low_bytes = forward(
        (batches * height * width + ends.ravel()).ravel() * integer(params, "out_channels"),
        np.where(read == NO_READ, NO_READ, read * integer(params, "in_channels")),
    )
    return (Clearance(0, low_bytes=low_bytes),)


def _in_lanes(params: Params, ends: np.ndarray, starts: np.ndarray) -> tuple[Clearance, ...]:
    """Steps of a channel, in pixels; the same for all channels, one after the other."""
    channels, pixels = integer(params, "channels"), forward(ends, starts)
    low_bytes = None if pixels is None else pixels * channels
    return (Clearance(0, low_bytes=low_bytes, multiple_bytes=channels),)


def _new_rows(params: Params, rows: np.ndarray) -> np.ndarray:
    """Pixels where rows start that are read from there on; outside nothing is read."""
    inside = np.maximum(rows, 0)
    width = integer(params, "in_width")
    return np.where(inside < integer(params, "in_height"), inside * width, NO_READ)


def _depthwise_3x3(params: Params) -> tuple[Clearance, ...]:
    """Strips of output rows; each reads what the one before has not."""
    if integer(params, "batches") > 1:
        return ()
    height, stride = integer(params, "out_height"), integer(params, "stride")
    first = np.arange(0, height, integer(params, "strip_height"), dtype=np.int64)
    kept = np.where(first > 0, 3 - stride, 0)
    ends = np.minimum(first + integer(params, "strip_height"), height) * integer(
        params, "out_width"
    )
    rows = first * stride - integer(params, "pad_top") + kept
    return _in_lanes(params, ends, _new_rows(params, rows))


def _depthwise(params: Params) -> tuple[Clearance, ...]:
    """Output row after output row; each reads what the one before has not."""
    if integer(params, "batches") > 1:
        return ()
    taps, stride = integer(params, "filter_height"), integer(params, "stride_h")
    y = np.arange(integer(params, "out_height"), dtype=np.int64)
    kept = np.where(y > 0, max(0, taps - stride), 0)
    rows = y * stride - integer(params, "pad_top") + kept
    return _in_lanes(params, (y + 1) * integer(params, "out_width"), _new_rows(params, rows))


def _depthwise_1xn(params: Params) -> tuple[Clearance, ...]:
    rows = np.arange(integer(params, "rows"), dtype=np.int64)
    return _in_lanes(
        params, (rows + 1) * integer(params, "out_width"), rows * integer(params, "in_width")
    )


def _fully_connected(params: Params) -> tuple[Clearance, ...]:
    rows, channels = integer(params, "rows"), integer(params, "in_channels")
    low_bytes = dense(rows, channels, integer(params, "out_channels"), 1)
    return (Clearance(0, low_bytes=low_bytes),)


def _add(params: Params) -> tuple[Clearance, ...]:
    low_bytes = elementwise(integer(params, "size"))
    return Clearance(0, low_bytes=low_bytes), Clearance(1, low_bytes=low_bytes)


def _pool(params: Params) -> tuple[Clearance, ...]:
    axes = {
        side: Axis(
            in_size=integer(params, f"in_{side}"),
            out_size=integer(params, f"out_{side}"),
            taps=integer(params, f"filter_{side}"),
            stride=integer(params, f"stride_{side[0]}"),
            dilation=1,
            pad=integer(params, pad) if (pad := _PADS[side]) in params else 0,
        )
        for side in ("height", "width")
    }
    geometry = Geometry(integer(params, "batches"), axes["height"], axes["width"])
    low_bytes = channelwise(geometry, integer(params, "channels"), paired=False, block=LANES)
    return (Clearance(0, low_bytes=low_bytes),)


CONTRACTS: Mapping[str, Contract] = {
    "mcuc_add_s8__dsp": _add,
    "mcuc_average_pool_2d_s8__dsp": _pool,
    "mcuc_conv_2d_s8__dsp": _convolution,
    "mcuc_conv_2d_s8__dsp_winograd": _winograd,
    "mcuc_depthwise_conv_2d_s8__dsp": _depthwise,
    "mcuc_depthwise_conv_2d_s8__dsp_1xn": _depthwise_1xn,
    "mcuc_depthwise_conv_2d_s8__dsp_3x3": _depthwise_3x3,
    "mcuc_fully_connected_s8__dsp": _fully_connected,
    "mcuc_max_pool_2d_s8__dsp": _pool,
}
