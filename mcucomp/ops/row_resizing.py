"""How does RESIZE_BILINEAR run one row at a time?

In: its kernel call, and its tensors as they are seen in rows. Out: its `RowForm`:
a row of the output lies between two rows of the input, or on one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mcucomp.ops.base import ConstantArray, KernelCall
from mcucomp.ops.params import array, integer, integers
from mcucomp.ops.row_types import RowForm, RowMode, Rows, RowWindow


def bilinear(call: KernelCall, reads: Sequence[Rows | None], out: Rows) -> RowForm | None:
    """None where the tensors' rows are not those of the image, or there are several images."""
    params, source = call.params, reads[0]
    in_height, in_width, out_height, out_width, channels = integers(
        params, "in_height", "in_width", "out_height", "out_width", "channels"
    )
    image = Rows(in_height, in_width * channels), Rows(out_height, out_width * channels)
    if source is None or (source, out) != image or integer(params, "batches") != 1:
        return None
    (top, left), (bottom, right), (row_fraction, fraction) = (
        np.split(array(params, name), [out_height]) for name in ("low", "high", "fraction")
    )
    window = RowWindow(
        source.height,
        source.row_bytes,
        taps=2,
        clearance_bytes=_clearance(left, channels, source),
        table=tuple(zip(top.tolist(), bottom.tolist(), strict=True)),
    )
    return RowForm(
        f"{call.kernel}__rows",
        {
            "row_fraction": ConstantArray("int16_t", row_fraction),
            "low": ConstantArray("int16_t", left),
            "high": ConstantArray("int16_t", right),
            "fraction": ConstantArray("int16_t", fraction),
            "out_width": out_width,
            "channels": channels,
        },
        RowMode.WINDOW,
        (window,),
        out.height,
        out.row_bytes,
        takes_row=True,
    )


def _clearance(left: np.ndarray, channels: int, source: Rows) -> int:
    """How far a row of `source` must lie above the output row.

    Before channel c of pixel x is read from byte left[x] * channels + c on, all bytes below
    x * channels + c are written: none before the very first.
    """
    ahead = (np.arange(left.size, dtype=np.int64) - left) * channels
    return int(ahead[1 if channels == 1 else 0 :].max(initial=-source.row_bytes))
