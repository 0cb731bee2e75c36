"""What does each order of reads and writes, as kernels' headers state them, allow?

In: the parameters of a call. Out: its clearances. One function an order, or for orders that
kernels of several types share, one that gives such a function for the widths of elements.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from mcucomp.ops.base import Clearance
from mcucomp.ops.clearance import (
    Axis,
    Geometry,
    channelwise,
    dense,
    dense_backward,
    elementwise,
    forward,
    gathered,
    in_blocks,
    padded,
    pixel_steps,
    reached_steps,
    require_walkable,
    strided,
)
from mcucomp.ops.clearance import convolution as convolved
from mcucomp.ops.constants import BLOCK_OUTPUTS
from mcucomp.ops.params import Params, array, entries, integer, integers

DENSE_BACKWARD = "mcuc_conv_2d_s8__1x1_backward"
_PIXELS_TOGETHER = 2
# Bytes of what a kernel's character for a type stands for.
_TYPE_BYTES = {ord(c): size for c, size in zip("?bsiuf", (1, 1, 2, 4, 4, 4), strict=True)}

Contract = Callable[[Params], tuple[Clearance, ...]]


def _above(*low_bytes: int | None, first: int = 0) -> tuple[Clearance, ...]:
    """Each input, in the order of the call's reads, at least so far above the output."""
    return tuple(Clearance(k, low_bytes=low) for k, low in enumerate(low_bytes, first))


def _wide(elements: int | None, width: int) -> tuple[Clearance, ...]:
    """A distance in elements of `width` bytes."""
    return _above(None if elements is None else elements * width)


# ---- windows ------------------------------------------------------------------------------


def _geometry(params: Params) -> Geometry:
    """The windows of a convolution or a pool."""

    def axis(side: str, letter: str, pad: str) -> Axis:
        dilation = f"dilation_{letter}"
        return Axis(
            in_size=integer(params, f"in_{side}"),
            out_size=integer(params, f"out_{side}"),
            taps=integer(params, f"filter_{side}"),
            stride=integer(params, f"stride_{letter}"),
            dilation=integer(params, dilation) if dilation in params else 1,
            pad=integer(params, pad),
        )

    return Geometry(
        integer(params, "batches"), axis("height", "h", "pad_top"), axis("width", "w", "pad_left")
    )


def _groups(params: Params) -> tuple[int, int, int]:
    groups, channels, outputs = integers(
        params, "groups", "group_in_channels", "group_out_channels"
    )
    return groups, channels, outputs


def convolution(params: Params) -> tuple[Clearance, ...]:
    """Pixels two together where they have the same taps, channels in blocks."""
    steps = pixel_steps(_geometry(params), paired=True)
    return _above(convolved(steps, *_groups(params), block=BLOCK_OUTPUTS))


def plain_convolution(width: int) -> Contract:
    """Pixel after pixel, channel after channel, of a type of `width` bytes."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        steps = pixel_steps(_geometry(params), paired=False)
        return _wide(convolved(steps, *_groups(params), block=1), width)

    return contract


def transposed(width: int) -> Contract:
    """The same for the inputs that reach a pixel."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        channels, outputs = integers(params, "in_channels", "out_channels")
        steps = reached_steps(_geometry(params))
        return _wide(convolved(steps, 1, channels, outputs, block=1), width)

    return contract


def depthwise(params: Params) -> tuple[Clearance, ...]:
    channels = integer(params, "channels")
    return _above(channelwise(_geometry(params), channels, paired=True, block=BLOCK_OUTPUTS))


def pool(width: int = 1) -> Contract:
    """Pixel after pixel, channel after channel, each of which reads itself alone."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        channels = integer(params, "channels")
        return _wide(channelwise(_geometry(params), channels, paired=False, block=1), width)

    return contract


def resized(width: int) -> Contract:
    """Pixel after pixel, channel after channel: from the upper left pixel on."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        batches, channels = integers(params, "batches", "channels")
        (in_height, in_width), height = (
            integers(params, "in_height", "in_width"), integer(params, "out_height"),
        )  # fmt: skip
        require_walkable(batches * height * integer(params, "out_width") * channels)
        low = array(params, "low").astype(np.int64)
        image = np.arange(batches, dtype=np.int64)[:, None, None] * in_height
        pixels = (image + low[:height, None]) * in_width + low[height:]
        places = pixels[..., None] * channels + np.arange(channels, dtype=np.int64)
        return _above(gathered(places, width))

    return contract


# ---- matrices -----------------------------------------------------------------------------


def pointwise(params: Params) -> tuple[Clearance, ...]:
    """Of the kernel and of its backward form, two pixels at a time."""
    pixels, channels, outputs = integers(params, "pixels", "in_channels", "out_channels")
    below = dense_backward(pixels, channels, outputs, _PIXELS_TOGETHER)
    return (
        *_above(dense(pixels, channels, outputs, _PIXELS_TOGETHER)),
        Clearance(0, high_bytes=None if below is None else -below, kernel=DENSE_BACKWARD),
    )


def rows(params: Params) -> tuple[Clearance, ...]:
    count, channels, outputs = integers(params, "rows", "in_channels", "out_channels")
    return _above(dense(count, channels, outputs, 1))


def products(width: int) -> Contract:
    """Element after element: a row of one matrix and a column of the other are read, ascending."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        shape = (*entries(params, "batch_shape"), *integers(params, "rows", "cols"))
        a = strided(shape, (*entries(params, "a_strides"), integer(params, "a_row"), 0))
        b = strided(shape, (*entries(params, "b_strides"), 0, integer(params, "b_col")))
        return _above(gathered(a, width), gathered(b, width))

    return contract


# ---- elements -----------------------------------------------------------------------------


def elements(in_bytes: int = 1, out_bytes: int = 1, inputs: int = 1) -> Contract:
    """Element after element, ascending: read, then written."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        low = elementwise(integer(params, "size"), in_bytes, out_bytes)
        return _above(*[low] * inputs)

    return contract


def many_elements(width: int) -> Contract:
    """The same with as many inputs as the call says."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        low = elementwise(integer(params, "size"), width, width)
        return _above(*[low] * integer(params, "count"))

    return contract


def cast(params: Params) -> tuple[Clearance, ...]:
    widths = (_TYPE_BYTES[integer(params, name)] for name in ("in_type", "out_type"))
    return elements(*widths)(params)


def requantize_wide(params: Params) -> tuple[Clearance, ...]:
    return elements(*integers(params, "in_bytes", "out_bytes"))(params)


def normalized(in_bytes: int = 1, out_bytes: int = 1) -> Contract:
    """A row is read as a whole, then element after element is read and written.

    Or it is written and read again: then rows are one input, as elements are.
    """

    def contract(params: Params) -> tuple[Clearance, ...]:
        count = integer(params, "rows") * integer(params, "depth")
        return _above(elementwise(count, in_bytes, out_bytes))

    return contract


def pairs(a_bytes: int = 1, b_bytes: int | None = None, out_bytes: int | None = None) -> Contract:
    """Output elements in raster order: both inputs' elements are read, then it is written.

    Without widths of their own `b` and the output have that of `a`.
    """
    widths = {"a": a_bytes, "b": a_bytes if b_bytes is None else b_bytes}

    def contract(params: Params) -> tuple[Clearance, ...]:
        shape, out_width = entries(params, "shape"), a_bytes if out_bytes is None else out_bytes
        return _above(
            *(
                gathered(strided(shape, entries(params, f"{name}_strides")), width, out_width)
                for name, width in widths.items()
            )
        )

    return contract


def selected(params: Params) -> tuple[Clearance, ...]:
    """The condition is read, then perhaps one value, perhaps the other, then it is written."""
    shape, width = entries(params, "shape"), integer(params, "element_bytes")
    walks = (strided(shape, entries(params, f"{n}_strides")) for n in ("condition", "x", "y"))
    return _above(*(gathered(w, n, width) for w, n in zip(walks, (1, width, width), strict=True)))


def summed(width: int) -> Contract:
    """Along a dimension, in either direction, elements are read and written at the same place."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        outer, depth, inner = integers(params, "outer", "depth", "inner")
        if depth == 1 or (inner == 1 and not params["is_reverse"]):
            return _above(elementwise(outer * depth * inner, width, width))
        is_descending = outer == inner == 1
        return (Clearance(0, low_bytes=None if is_descending else 0, high_bytes=0),)

    return contract


def reduced(width: int = 1) -> Contract:
    """Outputs in raster order: all its elements are read, the first of them first."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        walk = strided(entries(params, "kept_shape"), entries(params, "kept_strides"))
        return _above(gathered(walk, width))

    return contract


def extremum_place(width: int) -> Contract:
    """Outputs, of four bytes, in raster order: the inputs along a dimension are read."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        outer, depth, inner = integers(params, "outer", "depth", "inner")
        if depth == 1:  # whose place is known without reading it
            return _above(None)
        return _above(gathered(strided((outer, inner), (depth * inner, 1)), width, 4))

    return contract


# ---- bytes that move ----------------------------------------------------------------------


def strided_copy(width: int) -> Contract:
    def contract(params: Params) -> tuple[Clearance, ...]:
        walk = strided(entries(params, "shape"), entries(params, "strides"))
        return _above(gathered(walk + integer(params, "start"), width))

    return contract


def table_copy(params: Params) -> tuple[Clearance, ...]:
    """Runs are copied byte by byte, from where entries of the table add up to."""
    offsets, places, first = array(params, "offsets"), np.zeros(1, np.int64), 0
    require_walkable(math.prod(entries(params, "shape")) * integer(params, "run_bytes"))
    for size in entries(params, "shape"):
        places = (places[:, None] + offsets[first : first + size].astype(np.int64)).ravel()
        first += size
    run = np.arange(integer(params, "run_bytes"), dtype=np.int64)
    return _above(gathered((places[:, None] + run).ravel()))


def padding(params: Params) -> tuple[Clearance, ...]:
    return _above(padded(*(entries(params, n) for n in ("in_shape", "before", "after"))))


def joined(params: Params) -> tuple[Clearance, ...]:
    """Runs of each input in turn, each copied at once to where the output has got."""
    count = integer(params, "rows")
    require_walkable(count)
    runs = array(params, "run_bytes").astype(np.int64)
    row = np.arange(count, dtype=np.int64)
    return _above(
        *(
            in_blocks(row * runs.sum() + end, row * run)
            for run, end in zip(runs, itertools.accumulate(runs), strict=True)
        )
    )


def gathered_runs(params: Params) -> tuple[Clearance, ...]:
    """An index is read, then its run, which may be anywhere, is written."""
    batches, outer, count, run_bytes = integers(params, "batches", "outer", "count", "run_bytes")
    require_walkable(batches * outer * count)
    ends = np.arange(1, batches * outer * count + 1, dtype=np.int64) * run_bytes
    indices = strided((batches, outer, count), (count, 0, 1))
    return _above(forward(ends, indices * 4), first=1)


def gathered_places(params: Params) -> tuple[Clearance, ...]:
    """The indices of a run are read, then the run, which may be anywhere, is written."""
    count, depth, run_bytes = integers(params, "count", "depth", "run_bytes")
    return _above(elementwise(count, 4 * depth, run_bytes), first=1)


def looked_up(params: Params) -> tuple[Clearance, ...]:
    """An index is read, then a row of the table, which may be anywhere, is written as floats."""
    count, depth = integers(params, "count", "depth")
    return _above(elementwise(count, 4, 4 * depth), first=1)


def anywhere(params: Params) -> tuple[Clearance, ...]:
    """All of the first input is copied before anything else, as by memmove."""
    return (Clearance(0),)
