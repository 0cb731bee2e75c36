"""How does RESIZE_BILINEAR run one row at a time?

In: its kernel call, and its tensors as they are seen in rows. Out: its `RowForm`:
a row of the output lies between two rows of the input, or on one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mcucomp.ops.base import ConstantArray, KernelCall
from mcucomp.ops.clearance import gathered
from mcucomp.ops.params import array, integer
from mcucomp.ops.row_types import RowForm, RowMode, Rows, RowWindow


def bilinear(call: KernelCall, reads: Sequence[Rows | None], out: Rows) -> RowForm | None:
    """None where the tensors' rows are not those of the image, or there are several images."""
    params, source = call.params, reads[0]
    in_height, in_width, out_height, out_width, channels = (
        integer(params, name)
        for name in ("in_height", "in_width", "out_height", "out_width", "channels")
    )
    if source is None or integer(params, "batches") != 1:
        return None
    if source != Rows(in_height, in_width * channels) or out != Rows(
        out_height, out_width * channels
    ):
        return None
    (top, left), (bottom, right), (row_fraction, fraction) = (
        np.split(array(params, name), [out_height]) for name in ("low", "high", "fraction")
    )
    places = left.astype(np.int64)[:, None] * channels + np.arange(channels, dtype=np.int64)
    low_bytes = gathered(places)
    window = RowWindow(
        source.height,
        source.row_bytes,
        taps=2,
        clearance_bytes=-source.row_bytes if low_bytes is None else low_bytes,
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
