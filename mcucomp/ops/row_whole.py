"""How does a kernel for whole tensors do one row, called with the sizes of a row?

In: a kernel call and its geometry in rows. Out: its `RowForm`, as in `row_kernels.py`; one row a
kernel in `WHOLE`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mcucomp.ops.base import KernelCall
from mcucomp.ops.clearance import padded
from mcucomp.ops.constants import int8_array, int32_array
from mcucomp.ops.params import Params, array, entries, integer
from mcucomp.ops.row_types import Carrier, RowForm, with_clearance
from mcucomp.ops.strides import RASTER_DIMENSIONS, leading


def _whole(call: KernelCall, form: RowForm, changed: Params) -> RowForm:
    return replace(
        form,
        kernel=call.kernel,
        params={**call.params, **changed},
        as_array=call.reads_as_array,
    )


def _elements(out_bytes: int = 1) -> Carrier:
    def carried(call: KernelCall, form: RowForm) -> RowForm:
        return _whole(call, form, {"size": form.out_row_bytes // out_bytes})

    return carried


def _ending(shape: Sequence[int], elements: int) -> tuple[list[int], int]:
    """(the last dimensions that hold so many elements, how many of `shape` they replace)."""
    sizes: list[int] = []
    for k, size in enumerate(reversed(shape)):
        inner = int(np.prod(sizes, dtype=np.int64))
        if inner * size >= elements:
            return [elements // inner, *sizes], k + 1
        sizes.insert(0, size)
    return sizes, len(shape)


def _pair(call: KernelCall, form: RowForm) -> RowForm:
    sizes, count = _ending(entries(call.params, "shape"), form.out_row_bytes)
    strides = {
        name: leading(entries(call.params, name)[-count:], 0) for name in ("a_strides", "b_strides")
    }
    return _whole(call, form, {"shape": leading(tuple(sizes), 1), **strides})


def _pad(call: KernelCall, form: RowForm) -> RowForm:
    """A row of the border stands for the margins above and below."""
    shape, before, after = (entries(call.params, name) for name in ("in_shape", "before", "after"))
    sizes_out = [b + s + a for b, s, a in zip(before, shape, after, strict=True)]
    sizes, count = _ending(sizes_out, form.out_row_bytes)
    rank = len(shape)
    margins = [list(m[rank - count :]) for m in (before, after)]
    if sizes[0] != sizes_out[rank - count]:  # rows are a part of this dimension, and have no margin
        margins[0][0] = margins[1][0] = 0
    inner = [s - b - a for s, b, a in zip(sizes, *margins, strict=True)]
    row_shape = leading(tuple(inner), 1, rank)
    row_before, row_after = (leading(tuple(m), 0, rank) for m in margins)
    changed = {"in_shape": row_shape, "before": row_before, "after": row_after}
    value = np.full(form.windows[0].row_bytes, integer(call.params, "value"), np.int8)
    above = form.out_rows > form.windows[0].height
    made = replace(_whole(call, form, changed), border=int8_array(value) if above else None)
    return with_clearance(made, padded(row_shape, row_before, row_after))


def _gather(call: KernelCall, form: RowForm) -> RowForm:
    shape, run_bytes = entries(call.params, "shape"), integer(call.params, "run_bytes")
    sizes, count = _ending(shape, form.out_row_bytes // run_bytes)
    missing = np.zeros(RASTER_DIMENSIONS - count, np.int32)
    table = array(call.params, "offsets")[-sum(sizes) :]
    offsets = int32_array(np.concatenate([missing, table]))
    return _whole(call, form, {"offsets": offsets, "shape": leading(tuple(sizes), 1)})


def _concatenation(call: KernelCall, form: RowForm) -> RowForm:
    return _whole(call, form, {"rows": integer(call.params, "rows") // form.out_rows})


WHOLE: Mapping[str, Carrier] = {
    "mcuc_add_s8": _elements(),
    "mcuc_add_s8__broadcast": _pair,
    "mcuc_concatenate": _concatenation,
    "mcuc_dequantize_s8_f32": _elements(4),
    "mcuc_dequantize_u8_f32": _elements(4),
    "mcuc_extremum_s8": _pair,
    "mcuc_lookup_s8": _elements(),
    "mcuc_mul_s8": _pair,
    "mcuc_pad_s8": _pad,
    "mcuc_quantize_f32_s8": _elements(),
    "mcuc_requantize_s8": _elements(),
    "mcuc_sum_s8": _pair,
    "mcuc_table_copy": _gather,
}
