"""How closely may outputs of the extension's kernels follow the inputs that they still read?

In: a call's parameters. Out: clearances, from the order of reads and writes
that the kernels' headers state. Depthwise kernels work on four channels at a
time and leave the others alone: where the distance is a multiple of a pixel,
only a channel's own bytes count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from mcucomp.ops import Clearance, ParamValue
from mcucomp.ops.clearance import (
    NO_READ,
    Axis,
    Geometry,
    channelwise,
    dense,
    elementwise,
    forward,
)

Params = Mapping[str, ParamValue]
Contract = Callable[[Params], tuple[Clearance, ...]]

LANES, PIXELS = 4, 2
_PADS = {"height": "pad_top", "width": "pad_left"}


def _int(params: Params, name: str) -> int:
    value = params[name]
    assert isinstance(value, int)
    return value


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
        in_size=_int(params, f"in_{side}"),
        out_size=_int(params, f"out_{side}"),
        pad=_int(params, _PADS[side]),
        **given,
    )


def _convolution(params: Params) -> tuple[Clearance, ...]:
    """Two pixels in raster order: all is read, then both are written."""
    axes = (
        _axis(
            params,
            "height",
            taps=_int(params, "filter_height"),
            stride=_int(params, "stride_h"),
            dilation=_int(params, "dilation_h"),
        ),
        _axis(
            params,
            "width",
            taps=_int(params, "filter_width"),
            stride=_int(params, "stride_w"),
            dilation=1,
        ),
    )
    starts = _window_starts((axes[0].out_size, axes[1].out_size), axes).ravel()
    image = axes[0].in_size * axes[1].in_size
    batches = np.arange(_int(params, "batches"), dtype=np.int64)[:, None]
    each = np.where(starts == NO_READ, NO_READ, batches * image + starts).ravel()
    pixels = len(each)
    if pixels % PIXELS:
        each = np.append(each, each[-1])
    first = each.reshape(-1, PIXELS).min(axis=1)
    ends = np.minimum(np.arange(PIXELS, pixels + PIXELS, PIXELS, dtype=np.int64), pixels)
    channels = _int(params, "in_channels")
    low_bytes = forward(
        ends * _int(params, "out_channels"),
        np.where(first == NO_READ, NO_READ, first * channels),
    )
    return (Clearance(0, low_bytes=low_bytes),)


def _winograd(params: Params) -> tuple[Clearance, ...]:
    """Blocks of 2 x 4 pixels in raster order: their input is read, then they are written."""
    height, width = _int(params, "out_height"), _int(params, "out_width")
    axes = (
        _axis(params, "height", taps=4, stride=2, dilation=1),
        _axis(params, "width", taps=6, stride=4, dilation=1),
    )
    starts = _window_starts((height // 2, width // 4), axes)
    rows = np.arange(height // 2, dtype=np.int64)[:, None]
    columns = np.arange(width // 4, dtype=np.int64)
    ends = (2 * rows + 1) * width + 4 * columns + 4
    batches = np.arange(_int(params, "batches"), dtype=np.int64)[:, None]
    image = axes[0].in_size * axes[1].in_size
    read = np.where(starts.ravel() == NO_READ, NO_READ, batches * image + starts.ravel()).ravel()
    low_bytes = forward(
        (batches * height * width + ends.ravel()).ravel() * _int(params, "out_channels"),
        np.where(read == NO_READ, NO_READ, read * _int(params, "in_channels")),
    )
    return (Clearance(0, low_bytes=low_bytes),)


def _in_lanes(params: Params, ends: np.ndarray, starts: np.ndarray) -> tuple[Clearance, ...]:
    """Steps of a channel, in pixels; the same for all channels, one after the other."""
    channels, pixels = _int(params, "channels"), forward(ends, starts)
    low_bytes = None if pixels is None else pixels * channels
    return (Clearance(0, low_bytes=low_bytes, multiple_bytes=channels),)


def _new_rows(params: Params, rows: np.ndarray) -> np.ndarray:
    """Pixels where rows start that are read from there on; outside nothing is read."""
    inside = np.maximum(rows, 0)
    width = _int(params, "in_width")
    return np.where(inside < _int(params, "in_height"), inside * width, NO_READ)


def _depthwise_3x3(params: Params) -> tuple[Clearance, ...]:
    """Strips of output rows; each reads what the one before has not."""
    if _int(params, "batches") > 1:
        return ()
    height, stride = _int(params, "out_height"), _int(params, "stride")
    first = np.arange(0, height, _int(params, "strip_height"), dtype=np.int64)
    kept = np.where(first > 0, 3 - stride, 0)
    ends = np.minimum(first + _int(params, "strip_height"), height) * _int(params, "out_width")
    rows = first * stride - _int(params, "pad_top") + kept
    return _in_lanes(params, ends, _new_rows(params, rows))


def _depthwise(params: Params) -> tuple[Clearance, ...]:
    """Output row after output row; each reads what the one before has not."""
    if _int(params, "batches") > 1:
        return ()
    taps, stride = _int(params, "filter_height"), _int(params, "stride_h")
    y = np.arange(_int(params, "out_height"), dtype=np.int64)
    kept = np.where(y > 0, max(0, taps - stride), 0)
    rows = y * stride - _int(params, "pad_top") + kept
    return _in_lanes(params, (y + 1) * _int(params, "out_width"), _new_rows(params, rows))


def _depthwise_1xn(params: Params) -> tuple[Clearance, ...]:
    rows = np.arange(_int(params, "rows"), dtype=np.int64)
    return _in_lanes(
        params, (rows + 1) * _int(params, "out_width"), rows * _int(params, "in_width")
    )


def _fully_connected(params: Params) -> tuple[Clearance, ...]:
    rows, channels = _int(params, "rows"), _int(params, "in_channels")
    low_bytes = dense(rows, channels, _int(params, "out_channels"), 1)
    return (Clearance(0, low_bytes=low_bytes),)


def _add(params: Params) -> tuple[Clearance, ...]:
    low_bytes = elementwise(_int(params, "size"))
    return Clearance(0, low_bytes=low_bytes), Clearance(1, low_bytes=low_bytes)


def _pool(params: Params) -> tuple[Clearance, ...]:
    axes = {
        side: Axis(
            in_size=_int(params, f"in_{side}"),
            out_size=_int(params, f"out_{side}"),
            taps=_int(params, f"filter_{side}"),
            stride=_int(params, f"stride_{side[0]}"),
            dilation=1,
            pad=_int(params, pad) if (pad := _PADS[side]) in params else 0,
        )
        for side in ("height", "width")
    }
    geometry = Geometry(_int(params, "batches"), axes["height"], axes["width"])
    low_bytes = channelwise(geometry, _int(params, "channels"), paired=False, block=LANES)
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
