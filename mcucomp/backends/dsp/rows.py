"""How do calls of the extension's kernels run one row at a time?

In: a call, and its tensors as they are seen in rows. Out: its form in rows, or
None where it has to run whole. Layout and order are those of the headers with
`_rows` at the end, and of the kernels for whole tensors that do a row as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mcucomp.backends.dsp.contracts import PIXELS
from mcucomp.backends.dsp.convolution import row_scratch_bytes
from mcucomp.backends.dsp.requantise import array, integer
from mcucomp.ops import ConstantArray, KernelCall, ParamValue
from mcucomp.ops.clearance import elementwise, forward
from mcucomp.ops.constants import int8_array
from mcucomp.ops.row_types import RowForm, RowFormOf, RowMode, Rows, RowWindow

Reads = Sequence[Rows | None]


def _named(call: KernelCall, *names: str) -> dict[str, ParamValue]:
    return {name: call.params[name] for name in names}


def _low(call: KernelCall, width: int, source: Rows) -> int:
    """How far an input row must lie above the output: pairs of pixels are read, then written."""
    channels, outputs = integer(call, "in_channels"), integer(call, "out_channels")
    stride, pad = integer(call, "stride_w"), integer(call, "pad_left")
    first = np.arange(0, width, PIXELS, dtype=np.int64)
    ends = np.minimum(first + PIXELS, width) * outputs
    low = forward(ends, np.maximum(0, first * stride - pad) * channels)
    return -source.row_bytes if low is None else low


def _convolution(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    source = reads[0]
    if source is None or integer(call, "batches") != 1:
        return None
    if integer(call, "in_height") == 1 and source.height > 1:
        return _pixelwise(call, source, out)
    channels, outputs = integer(call, "in_channels"), integer(call, "out_channels")
    width = integer(call, "out_width")
    if (source.height, out.height) != (integer(call, "in_height"), integer(call, "out_height")):
        return None
    rows_bytes = integer(call, "in_width") * channels, width * outputs
    if (source.row_bytes, out.row_bytes) != rows_bytes:
        return None
    window = RowWindow(
        source.height,
        source.row_bytes,
        integer(call, "filter_height"),
        integer(call, "stride_h"),
        integer(call, "dilation_h"),
        integer(call, "pad_top"),
        _low(call, width, source),
    )
    return RowForm(
        "mcuc_conv_2d_s8__dsp_rows",
        {
            **_named(call, "filter", "channels", "in_width", "out_width", "in_channels"),
            **_named(call, "out_channels", "filter_height", "filter_width", "stride_w"),
            **_named(call, "pad_left", "in_zero_point", "is_linear"),
        },
        RowMode.WINDOW,
        (window,),
        out.height,
        out.row_bytes,
        scratch_bytes=row_scratch_bytes(call),
        border=int8_array(np.full(source.row_bytes, integer(call, "in_zero_point"), np.int8)),
        takes_scratch=True,
    )


def _pixelwise(call: KernelCall, source: Rows, out: Rows) -> RowForm | None:
    """The same layer for every pixel, all of them in one long row: now in many."""
    channels, outputs = integer(call, "in_channels"), integer(call, "out_channels")
    width = source.row_bytes // channels
    names = ("filter_height", "filter_width", "stride_h", "stride_w")
    is_plain = all(integer(call, name) == 1 for name in names)
    if not is_plain or source.height != out.height:
        return None
    if (source.row_bytes, out.row_bytes) != (width * channels, width * outputs):
        return None
    if integer(call, "in_width") != width * source.height:
        return None
    params = {**call.params, "in_width": width, "out_width": width}
    row = KernelCall(call.kernel, params, call.reads, call.writes)
    return RowForm(
        call.kernel,
        params,
        RowMode.WINDOW,
        (RowWindow(source.height, source.row_bytes, clearance_bytes=_low(call, width, source)),),
        out.height,
        out.row_bytes,
        scratch_bytes=row_scratch_bytes(row),
        takes_scratch=True,
        as_array=False,
    )


def _depthwise_3x3(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    source, channels = reads[0], integer(call, "channels")
    if source is None or integer(call, "batches") != 1:
        return None
    if (source.height, out.height) != (integer(call, "in_height"), integer(call, "out_height")):
        return None
    width, stride = integer(call, "out_width"), integer(call, "stride")
    if (source.row_bytes, out.row_bytes) != (
        integer(call, "in_width") * channels,
        width * channels,
    ):
        return None
    # Channels come last in a row, but are worked on first: only exactly in place is each safe.
    same = source.row_bytes == out.row_bytes
    window = RowWindow(
        source.height,
        source.row_bytes,
        3,
        stride,
        pad=integer(call, "pad_top"),
        clearance_bytes=0 if same else None,
        is_exact=same,
    )
    border = int8_array(np.full(source.row_bytes, integer(call, "in_zero_point"), np.int8))
    return RowForm(
        "mcuc_depthwise_conv_2d_s8__dsp_3x3_rows",
        {
            "filter": ConstantArray("uint32_t", _filter_words(call), is_weight=True),
            **_named(call, "in_width", "out_width", "channels", "stride", "pad_left"),
            **_named(call, "in_zero_point"),
        },
        RowMode.WINDOW,
        (window,),
        out.height,
        out.row_bytes,
        border=border,
    )


def _filter_words(call: KernelCall) -> np.ndarray:
    """The filter of a whole tensor's 3x3 layer, packed for rows: uint32 [channels * 7]."""
    words = array(call, "filter").reshape(integer(call, "channels"), -1)
    octets = words[:, 2:, None] >> np.array([0, 8, 16]) & 0xFF  # channel, row, column
    weights = 2 * octets.astype(np.uint8).view(np.int8).astype(np.int64) & 0xFFFF
    row_0, row_1, row_2 = weights[:, 0], weights[:, 1], weights[:, 2]
    parts = [
        row_0 | row_1 << 16,
        row_2[:, :1] | row_2[:, 1:2] << 16,
        row_2[:, 2:] | words[:, 2:3] >> 24 << 16,
        words[:, :2],
    ]
    packed: np.ndarray = np.concatenate(parts, axis=1).astype(np.uint32).ravel()
    return packed


def _add(call: KernelCall, reads: Reads, out: Rows) -> RowForm | None:
    windows = []
    for source in reads:
        if source != out:
            return None
        low = elementwise(out.row_bytes)
        windows.append(
            RowWindow(
                out.height, out.row_bytes, clearance_bytes=-out.row_bytes if low is None else low
            )
        )
    return RowForm(
        call.kernel,
        {**call.params, "size": out.row_bytes},
        RowMode.WINDOW,
        tuple(windows),
        out.height,
        out.row_bytes,
        as_array=False,
    )


ROW_FORMS: Mapping[str, RowFormOf] = {
    "mcuc_add_s8__dsp": _add,
    "mcuc_conv_2d_s8__dsp": _convolution,
    "mcuc_depthwise_conv_2d_s8__dsp_3x3": _depthwise_3x3,
}
