"""Which rows does a kernel call read for each row of its output, and how may it work in place?

In: a kernel call, and how its tensors are seen in rows. Out: a `RowForm` without
the kernel that carries it out: windows, row bytes, mode, state, and the scratch
that working in place takes. One row a kernel in `GEOMETRY`.

The contract within a row is one pixel at a time: all that a pixel needs is read,
then it is written. Where a window reaches back over pixels that are written
already, a delay buffer of those pixels (`scratch_bytes`) lets the output lie
exactly on the input all the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from mcucomp.ops.base import KernelCall, ParamValue
from mcucomp.ops.clearance import elementwise, forward
from mcucomp.ops.params import Params, array, entries, integer, integers
from mcucomp.ops.row_types import RowForm, RowFormOf, RowMode, Rows, RowWindow

Reads = Sequence[Rows | None]

_INT16_SUMMANDS = 255  # the sum of so many int8 stays within int16


def standing(params: Params, height: int) -> dict[str, ParamValue]:
    """`params` of a window with its rows along the image's height.

    Kernels get an image that is one pixel wide lying, as one row (`Window.lying`); in
    rows it has to stand again. `height` is the image's.
    """
    turned = dict(params)
    if integer(params, "in_height") != 1 or integer(params, "in_width") != height or height == 1:
        return turned
    pairs = [("in_height", "in_width"), ("out_height", "out_width")]
    pairs += [("filter_height", "filter_width"), ("stride_h", "stride_w")]
    pairs += [("pad_top", "pad_left")]
    if "dilation_h" in params:
        pairs.append(("dilation_h", "dilation_w"))
    for one, other in pairs:
        turned[one], turned[other] = params[other], params[one]
    return turned


def _in_row(params: Params, in_bytes: int, out_bytes: int) -> int | None:
    """How far an input row must lie above the output row; None where any distance will do.

    `in_bytes` and `out_bytes` are a pixel's.
    """
    pixels = np.arange(integer(params, "out_width"), dtype=np.int64)
    first = pixels * integer(params, "stride_w") - integer(params, "pad_left")
    return forward((pixels + 1) * out_bytes, np.maximum(first, 0) * in_bytes)


def _clearance(low: int | None, source: Rows) -> int:
    """`low`, or where any distance will do the least at which two rows have bytes in common."""
    return -source.row_bytes if low is None else low


def _windowed(
    call: KernelCall, reads: Reads, out: Rows, in_bytes: int, out_bytes: int, sum_bytes: int | None
) -> RowForm | None:
    """A convolution or a pool; `sum_bytes` is what it keeps of an unfinished output, if it can."""
    source = reads[0]
    if source is None or integer(call.params, "batches") != 1:
        return None
    params = standing(call.params, source.height)
    if (integer(params, "in_height"), integer(params, "out_height")) != (source.height, out.height):
        return None
    if source.row_bytes != integer(params, "in_width") * in_bytes:
        return None
    if out.row_bytes != integer(params, "out_width") * out_bytes:
        return None
    taps = integer(params, "filter_height")
    dilation = integer(params, "dilation_h") if "dilation_h" in params else 1
    stride, pad = integer(params, "stride_h"), integer(params, "pad_top")
    state_bytes = integer(params, "out_width") * (out_bytes * (sum_bytes or 0))
    if sum_bytes and out.height == 1 and state_bytes < (taps - 1) * source.row_bytes:
        window = RowWindow(source.height, source.row_bytes, taps, stride, dilation, pad)
        return _accumulating(call, window, out, state_bytes)
    clearance, delay = _clearance(_in_row(params, in_bytes, out_bytes), source), 0
    if 0 < clearance <= integer(params, "pad_left") * in_bytes:
        clearance, delay = 0, clearance
    window = RowWindow(source.height, source.row_bytes, taps, stride, dilation, pad, clearance)
    return _stepping(call, (window,), out, delay)


def _stepping(
    call: KernelCall, windows: tuple[RowWindow, ...], out: Rows, scratch_bytes: int = 0
) -> RowForm:
    return RowForm(
        f"{call.kernel}__row",
        {},
        RowMode.WINDOW,
        windows,
        out.height,
        out.row_bytes,
        scratch_bytes=scratch_bytes,
    )


def _accumulating(call: KernelCall, window: RowWindow, out: Rows, state_bytes: int) -> RowForm:
    return RowForm(
        f"{call.kernel}__row",
        {},
        RowMode.ACCUMULATE,
        (window,),
        out.height,
        out.row_bytes,
        state_bytes=state_bytes,
    )


def _convolution(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    groups = integer(call.params, "groups")
    in_bytes = groups * integer(call.params, "group_in_channels")
    return _windowed(
        call, reads, out, in_bytes, groups * integer(call.params, "group_out_channels"), 4
    )


def _depthwise(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    channels = integer(call.params, "channels")
    return _windowed(call, reads, out, channels, channels, 4)


def _average_pool(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    channels = integer(call.params, "channels")
    pixels = integer(call.params, "filter_height") * integer(call.params, "filter_width")
    return _windowed(call, reads, out, channels, channels, 2 if pixels <= _INT16_SUMMANDS else 4)


def _max_pool(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    channels = integer(call.params, "channels")
    return _windowed(call, reads, out, channels, channels, None)


def _layer(rows_name: str) -> RowFormOf:
    """A dense layer: the same for every pixel, or one output of all pixels."""

    def form(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
        pixels, channels, outputs = integers(call.params, rows_name, "in_channels", "out_channels")
        source = reads[0]
        if source is None:
            return None
        if pixels == 1 and source.height > 1 and channels == source.height * source.row_bytes:
            window = RowWindow(source.height, source.row_bytes, source.height)
            return _accumulating(call, window, out, 4 * outputs)
        width = source.row_bytes // channels
        if source.height != out.height or pixels != width * out.height:
            return None
        if (source.row_bytes, out.row_bytes) != (width * channels, width * outputs):
            return None
        steps = np.arange(width, dtype=np.int64)
        clearance = _clearance(forward((steps + 1) * outputs, steps * channels), source)
        window = RowWindow(source.height, source.row_bytes, clearance_bytes=clearance)
        return _stepping(call, (window,), out)

    return form


def _elements(in_bytes: int = 1, out_bytes: int = 1) -> RowFormOf:
    """Element after element, of one input or of several that are alike."""

    def form(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
        count = out.row_bytes // out_bytes
        low = elementwise(count, in_bytes, out_bytes)
        windows = []
        for source in reads:
            if source is None or source.height != out.height:
                return None
            if source.row_bytes != count * in_bytes or count * out_bytes != out.row_bytes:
                return None
            windows.append(
                RowWindow(source.height, source.row_bytes, clearance_bytes=_clearance(low, source))
            )
        return _stepping(call, tuple(windows), out)

    return form


def _pair(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    """Two inputs, of which one may be the same for every row."""
    windows = []
    for source in reads:
        if source is None:  # a constant
            return None
        if source == out:
            windows.append(RowWindow(source.height, source.row_bytes, clearance_bytes=0))
        elif source.height == 1:
            windows.append(RowWindow(1, source.row_bytes, stride=0))
        elif source.height == out.height:
            windows.append(RowWindow(source.height, source.row_bytes))
        else:
            return None
    return _stepping(call, tuple(windows), out)


def _pad(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    """A row moved to its place as a whole, then its margins; or a row of margin alone."""
    source = reads[0]
    if source is None:
        return None
    shape, before, after = (entries(call.params, name) for name in ("in_shape", "before", "after"))
    first = 0
    for size, low, high in zip(shape, before, after, strict=True):
        first = first * (low + size + high) + low
    top, left = divmod(first, out.row_bytes)
    if left + source.row_bytes > out.row_bytes or top + source.height > out.height:
        return None
    pixels = before[-1] == after[-1] == 0 or source.row_bytes == shape[-1]
    whole = source.row_bytes * source.height == shape[-1]
    clearance = -source.row_bytes if pixels or whole else None
    window = RowWindow(source.height, source.row_bytes, pad=top, clearance_bytes=clearance)
    return _stepping(call, (window,), out)


def _gather(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    """A table of where runs come from, if a row's runs all come from one row."""
    source = reads[0]
    if source is None:
        return None
    shape, offsets = entries(call.params, "shape"), array(call.params, "offsets").astype(np.int64)
    run_bytes, ends = integer(call.params, "run_bytes"), np.cumsum(shape)
    tables = np.split(offsets, ends[:-1])
    for split in range(len(shape) + 1):
        if math.prod(shape[:split]) != out.height:
            continue
        outer, inner = _sums(tables[:split]), _sums(tables[split:])
        within = inner.min() >= 0 and inner.max() + run_bytes <= source.row_bytes
        if not within or (outer % source.row_bytes).any():
            return None
        rows = tuple((int(row),) for row in outer // source.row_bytes)
        window = RowWindow(source.height, source.row_bytes, table=rows)
        return _stepping(call, (window,), out)
    return None


def _sums(tables: Sequence[np.ndarray]) -> np.ndarray:
    places = np.zeros(1, np.int64)
    for table in tables:
        places = (places[:, None] + table).ravel()
    return places


def _concatenation(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    """Runs of each input behind each other, within a row."""
    runs, rows = array(call.params, "run_bytes").astype(np.int64), integer(call.params, "rows")
    if rows % out.height:
        return None
    windows = []
    for source, run_bytes in zip(reads, runs.tolist(), strict=True):
        if source != Rows(out.height, run_bytes * (rows // out.height)):
            return None
        windows.append(RowWindow(source.height, source.row_bytes))
    return _stepping(call, tuple(windows), out)


def _mean(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    """Over the rows, and whatever of their pixels: sums of what stays."""
    source, params = reads[0], call.params
    if source is None or source.height < 2:
        return None
    kept, strides = entries(params, "kept_shape"), entries(params, "kept_strides")
    many, far = entries(params, "mean_shape"), entries(params, "mean_strides")
    run = kept[-1]
    is_run = math.prod(kept) == run and (run == 1 or strides[-1] == 1)
    is_rest = math.prod(many) == many[-1] and far[-1] == run
    if not (is_run and is_rest) or many[-1] * run != source.height * source.row_bytes:
        return None
    sum_bytes = 2 if many[-1] <= _INT16_SUMMANDS else 4
    window = RowWindow(source.height, source.row_bytes, source.height)
    return _accumulating(call, window, out, sum_bytes * run)


GEOMETRY: Mapping[str, RowFormOf] = {
    "mcuc_add_s8": _elements(),
    "mcuc_add_s8__broadcast": _pair,
    "mcuc_average_pool_2d_s8": _average_pool,
    "mcuc_concatenate": _concatenation,
    "mcuc_conv_2d_s8": _convolution,
    "mcuc_conv_2d_s8__1x1": _layer("pixels"),
    "mcuc_depthwise_conv_2d_s8": _depthwise,
    "mcuc_dequantize_s8_f32": _elements(1, 4),
    "mcuc_dequantize_u8_f32": _elements(1, 4),
    "mcuc_extremum_s8": _pair,
    "mcuc_fully_connected_s8": _layer("rows"),
    "mcuc_lookup_s8": _elements(),
    "mcuc_max_pool_2d_s8": _max_pool,
    "mcuc_mean_s8": _mean,
    "mcuc_mul_s8": _pair,
    "mcuc_pad_s8": _pad,
    "mcuc_quantize_f32_s8": _elements(4, 1),
    "mcuc_requantize_s8": _elements(),
    "mcuc_sum_s8": _pair,
    "mcuc_table_copy": _gather,
}
