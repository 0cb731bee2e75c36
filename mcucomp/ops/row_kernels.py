"""Which kernel carries out a call in rows, with which parameters?

In: a kernel call and its geometry in rows. Out: its `RowForm` with kernel,
parameters, scratch, border and the clearance that the kernel really has, which
follows from the order of reads and writes that its header states. One row a
kernel in `CARRIED`.

Where a kernel for whole tensors does a row as well as one made for it, it is
called with the sizes of a row: `row_whole.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mcucomp.ops.base import ConstantArray, KernelCall, ParamValue
from mcucomp.ops.clearance import (
    Axis,
    Geometry,
    channelwise,
    convolution,
    dense,
    forward,
    pixel_steps,
)
from mcucomp.ops.constants import BLOCK_OUTPUTS, int8_array, int32_array
from mcucomp.ops.params import Params, integer, integers
from mcucomp.ops.row_geometry import standing
from mcucomp.ops.row_types import Carrier, RowForm, RowMode, with_clearance
from mcucomp.ops.row_whole import WHOLE


def _named(params: Params, *names: str) -> dict[str, ParamValue]:
    return {name: params[name] for name in names}


def _scaling(params: Params) -> dict[str, ParamValue]:
    return _named(params, "filter", "bias", "multiplier", "right_shift")


def _output(params: Params) -> dict[str, ParamValue]:
    return _named(params, "out_zero_point", "out_min", "out_max")


# ---- what a step takes, and how closely its output may follow ---------------------------------


def _taken(form: RowForm) -> tuple[int, int]:
    """Bytes of a step that writes over its input as well as it may, with its scratch.

    Of equal ones the form that needs the least clearance: with none, rows stay where they are.
    """
    window = form.windows[0]
    assert window.clearance_bytes is not None
    above = min(max(window.clearance_bytes, 0), form.out_row_bytes)
    taken_bytes = max(form.out_row_bytes, above + window.row_bytes) + form.scratch_bytes
    return taken_bytes, above


def _row_geometry(params: Params) -> Geometry:
    """The windows of one output row, its input seen as one row."""
    width = Axis(
        in_size=integer(params, "in_width"),
        out_size=integer(params, "out_width"),
        taps=integer(params, "filter_width"),
        stride=integer(params, "stride_w"),
        dilation=integer(params, "dilation_w") if "dilation_w" in params else 1,
        pad=integer(params, "pad_left"),
    )
    return Geometry(1, Axis(1, 1, 1, 1, 1, 0), width)


def _together(params: Params, groups: int, channels: int, outputs: int) -> int | None:
    """Pixels of a row two together where they have the same taps, channels in blocks."""
    steps = pixel_steps(_row_geometry(params), paired=True)
    return convolution(steps, groups, channels, outputs, block=BLOCK_OUTPUTS)


def _first_read(params: Params) -> np.ndarray:
    """The first pixel that each output pixel of a row reads."""
    pixels = np.arange(integer(params, "out_width"), dtype=np.int64)
    return np.maximum(0, pixels * integer(params, "stride_w") - integer(params, "pad_left"))


def _late(params: Params, held: int, in_bytes: int, out_bytes: int) -> int | None:
    """The clearance where pixel x is written once pixel x + held has been read."""
    first = _first_read(params)
    written = (np.arange(len(first), dtype=np.int64) + 1 - held) * out_bytes
    return forward(np.maximum(written, 0), first * in_bytes)


def _border(form: RowForm, params: Params, zero_point: int) -> ConstantArray | None:
    """A row of zero points, where any tap is outside the image."""
    window = form.windows[0]
    above = any(
        not 0 <= y < window.height for row in range(form.out_rows) for y in window.rows(row)
    )
    last = (integer(params, "out_width") - 1) * integer(params, "stride_w") - integer(
        params, "pad_left"
    )
    extent = (integer(params, "filter_width") - 1) * integer(params, "dilation_w")
    beside = integer(params, "pad_left") > 0 or last + extent >= integer(params, "in_width")
    if not (above or beside):
        return None
    return int8_array(np.full(window.row_bytes, zero_point, np.int8))


# ---- layers -----------------------------------------------------------------------------------


def _standing(call: KernelCall, form: RowForm) -> dict[str, ParamValue]:
    return standing(call.params, form.windows[0].height)


def _convolution(call: KernelCall, form: RowForm) -> RowForm:
    params = _standing(call, form)
    border = _border(form, params, integer(params, "in_zero_point"))
    sizes = ("groups", "group_in_channels", "group_out_channels", "filter_height", "filter_width")
    if form.mode is RowMode.ACCUMULATE:
        carried: dict[str, ParamValue] = {
            **_scaling(params),
            "border": border,
            **_named(params, "in_height", "in_width", "out_width", *sizes),
            **_named(params, "stride_w", "dilation_h", "dilation_w", "pad_top", "pad_left"),
            **_output(params),
        }
        return replace(
            form, kernel="mcuc_conv_2d_s8__row_sums", params=carried, border=None, takes_row=True
        )
    return _best_convolution(replace(form, border=border), params)


def _best_convolution(form: RowForm, params: Params) -> RowForm:
    """The form that takes least: straight to the output, or late by way of the scratch."""
    groups, channels, outputs = integers(
        params, "groups", "group_in_channels", "group_out_channels"
    )
    pixel_bytes = groups * outputs
    sizes = ("groups", "group_in_channels", "group_out_channels", "filter_height", "filter_width")

    def held(pixels: int, low_bytes: int | None) -> RowForm:
        carried: dict[str, ParamValue] = {
            **_scaling(params),
            **_named(params, "in_width", "out_width", *sizes, "stride_w", "dilation_w", "pad_left"),
            "held": pixels,
            **_named(params, "in_zero_point"),
            **_output(params),
        }
        made = replace(
            form,
            kernel="mcuc_conv_2d_s8__rows",
            params=carried,
            scratch_bytes=pixels * pixel_bytes,
            takes_scratch=True,
        )
        return with_clearance(made, low_bytes)

    late = -(-form.scratch_bytes // pixel_bytes)
    return min(
        held(0, _together(params, groups, channels, outputs)),
        held(late + 1, _late(params, late, groups * channels, pixel_bytes)),
        key=_taken,
    )


def _depthwise(call: KernelCall, form: RowForm) -> RowForm:
    params = _standing(call, form)
    channels = integer(params, "channels")
    if form.mode is RowMode.ACCUMULATE:
        carried: dict[str, ParamValue] = {
            **_scaling(params),
            **_named(params, "in_height", "in_width", "out_width", "channels"),
            **_named(params, "filter_height", "filter_width", "stride_w"),
            **_named(params, "dilation_h", "dilation_w", "pad_top", "pad_left", "in_zero_point"),
            **_output(params),
        }
        return replace(
            form, kernel="mcuc_depthwise_conv_2d_s8__row_sums", params=carried, takes_row=True
        )
    border = _border(form, params, integer(params, "in_zero_point"))

    def held(pixels: int, low_bytes: int | None) -> RowForm:
        carried: dict[str, ParamValue] = {
            **_scaling(params),
            **_named(params, "in_width", "out_width", "channels", "filter_height", "filter_width"),
            **_named(params, "stride_w", "dilation_w", "pad_left"),
            "held": pixels,
            "in_zero_point": params["in_zero_point"],
            **_output(params),
        }
        made = replace(
            form,
            kernel="mcuc_depthwise_conv_2d_s8__rows",
            params=carried,
            border=border,
            scratch_bytes=pixels * channels,
            takes_scratch=True,
        )
        return with_clearance(made, low_bytes)

    late = form.scratch_bytes // channels
    direct = channelwise(_row_geometry(params), channels, paired=False, block=BLOCK_OUTPUTS)
    forms = [held(0, direct)]
    if late:
        forms.append(held(late, _late_channelwise(params, late, channels)))
    return min(forms, key=_taken)


def _late_channelwise(params: Params, held: int, channels: int) -> int | None:
    """The same where blocks of a pixel's channels are written before its others are read."""
    first = _first_read(params)
    places = np.arange(len(first), dtype=np.int64) - held
    within = int(((places - first)[held:] * channels).max(initial=-channels * len(first)))
    later = _late(params, held, channels, channels)
    return within if later is None else max(within, later)


def _pixelwise(call: KernelCall, form: RowForm) -> RowForm:
    """The same layer for each pixel of a row, or one layer of all pixels."""
    params = call.params
    channels, outputs = integer(params, "in_channels"), integer(params, "out_channels")
    if form.mode is RowMode.ACCUMULATE:
        return _dense_sums(form, params, outputs)
    width = form.windows[0].row_bytes // channels
    direct = with_clearance(
        replace(
            form,
            kernel="mcuc_conv_2d_s8__1x1",
            params={**params, "pixels": width},
            as_array=False,
        ),
        dense(width, channels, outputs, 2),
    )
    window = {
        **_scaling(params),
        "in_width": width,
        "out_width": width,
        "groups": 1,
        "group_in_channels": channels,
        "group_out_channels": outputs,
        **dict.fromkeys(("filter_height", "filter_width", "stride_w", "dilation_w"), 1),
        "pad_left": 0,
        "in_zero_point": 0,
        **_output(params),
    }
    return min(direct, _best_convolution(form, window), key=_taken)


def _fully_connected(call: KernelCall, form: RowForm) -> RowForm:
    params = call.params
    channels, outputs = integer(params, "in_channels"), integer(params, "out_channels")
    if form.mode is RowMode.ACCUMULATE:
        scaled: dict[str, ParamValue] = {
            **params,
            "multiplier": int32_array(np.full(outputs, integer(params, "multiplier"))),
            "right_shift": int8_array(np.full(outputs, integer(params, "right_shift"))),
        }
        return _dense_sums(form, scaled, outputs)
    rows = form.windows[0].row_bytes // channels
    made = replace(form, kernel=call.kernel, params={**params, "rows": rows}, as_array=False)
    return with_clearance(made, dense(rows, channels, outputs, 1))


def _dense_sums(form: RowForm, params: Params, outputs: int) -> RowForm:
    """A layer of all pixels: a filter of the image's size."""
    window = form.windows[0]
    carried: dict[str, ParamValue] = {
        **_scaling(params),
        "border": None,
        "in_height": window.height,
        "in_width": 1,
        "out_width": 1,
        "groups": 1,
        "group_in_channels": window.row_bytes,
        "group_out_channels": outputs,
        "filter_height": window.height,
        **dict.fromkeys(("filter_width", "stride_w", "dilation_h", "dilation_w"), 1),
        "pad_top": 0,
        "pad_left": 0,
        **_output(params),
    }
    return replace(form, kernel="mcuc_conv_2d_s8__row_sums", params=carried, takes_row=True)


# ---- pools and means --------------------------------------------------------------------------


def _pool(call: KernelCall, form: RowForm) -> RowForm:
    params = _standing(call, form)
    sizes = ("in_width", "out_width", "channels", "filter_height", "filter_width", "stride_w")
    limits = _named(params, "out_min", "out_max")
    if form.mode is RowMode.ACCUMULATE:
        outputs = integer(params, "out_width") * integer(params, "channels")
        carried = {
            **_named(params, "in_height", *sizes, "pad_top", "pad_left"),
            "is_wide": int(form.state_bytes > 2 * outputs),
            **limits,
        }
        return replace(form, kernel=f"{call.kernel}__row_sums", params=carried, takes_row=True)
    carried = {**_named(params, *sizes, "pad_left"), **limits}
    made = replace(form, kernel=f"{call.kernel}__rows", params=carried, scratch_bytes=0)
    channels = integer(params, "channels")
    return with_clearance(made, channelwise(_row_geometry(params), channels, paired=False, block=1))


def _mean(call: KernelCall, form: RowForm) -> RowForm:
    params, window = call.params, form.windows[0]
    channels = form.out_row_bytes
    carried: dict[str, ParamValue] = {
        **_named(params, "offset", "multiplier"),
        "height": window.height,
        "width": window.row_bytes // channels,
        "channels": channels,
        "is_wide": int(form.state_bytes > 2 * channels),
        **_named(params, "right_shift", "out_zero_point"),
    }
    return replace(form, kernel="mcuc_mean_s8__row_sums", params=carried, takes_row=True)


CARRIED: Mapping[str, Carrier] = {
    "mcuc_average_pool_2d_s8": _pool,
    "mcuc_conv_2d_s8": _convolution,
    "mcuc_conv_2d_s8__1x1": _pixelwise,
    "mcuc_depthwise_conv_2d_s8": _depthwise,
    "mcuc_fully_connected_s8": _fully_connected,
    "mcuc_max_pool_2d_s8": _pool,
    "mcuc_mean_s8": _mean,
    **WHOLE,
}
