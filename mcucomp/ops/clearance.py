"""How closely may a kernel's output follow the input that it still reads?

In: the order in which a kernel reads and writes, as its header states it, and
its shapes. Out: clearances, exact to the byte: at one byte less some byte
would be overwritten before its last read.

A kernel works in steps: step i reads input bytes from start[i] on, then writes
output bytes up to end[i]. Its output may start at the input's address less d if
end[i] - start[j] <= d for every j > i. A step that writes in blocks and
reads again between them is as many steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mcucomp.ops.constants import BLOCK_OUTPUTS

NO_READ = 1 << 60  # where a step that reads nothing starts to read

# More than a tensor of any microcontroller has; a small file may claim a thousand times that.
LONGEST_WALK = 1 << 22


class WalkTooLong(Exception):
    """A kernel takes more steps than are walked here; nothing is known of its clearance."""


def require_walkable(steps: int) -> None:
    """Raise WalkTooLong for more steps than arrays should be made of."""
    if steps > LONGEST_WALK:
        raise WalkTooLong


def forward(ends: np.ndarray, starts: np.ndarray) -> int | None:
    """The least d for steps that write ascending; None where any distance will do."""
    if len(ends) < 2:
        return None
    later = np.minimum.accumulate(starts[::-1])[::-1][1:]
    written = np.maximum.accumulate(ends)[:-1]
    read = later < NO_READ
    return int((written - later)[read].max()) if read.any() else None


def _widest(*distances: int | None) -> int | None:
    known = [d for d in distances if d is not None]
    return max(known) if known else None


def elementwise(elements: int, in_bytes: int = 1, out_bytes: int = 1) -> int | None:
    """Element i is read, then written; elements of these sizes, ascending."""
    if elements < 2:
        return None
    # end[i] - start[i + 1] is largest at one end, since it is linear in i.
    ends = (1, elements - 1)
    return max(i * (out_bytes - in_bytes) for i in ends)


def gathered(places: np.ndarray, width: int = 1, out_width: int | None = None) -> int | None:
    """Output element i is written after reads from the element at places[i] on.

    Elements have `width` bytes, those of the output `out_width` where that differs.
    """
    ends = np.arange(1, places.size + 1, dtype=np.int64) * (
        width if out_width is None else out_width
    )
    return forward(ends, places.ravel() * width)


def in_blocks(ends: np.ndarray, starts: np.ndarray) -> int | None:
    """The least d where a step may write before all that it reads was read.

    So what it writes must not lie over what it reads itself.
    """
    return forward(np.append(ends, 0), np.append(NO_READ, starts))


def strided(shape: tuple[int, ...], strides: tuple[int, ...]) -> np.ndarray:
    """Places of a raster walk over `shape`: the sums of coordinate * stride."""
    require_walkable(math.prod(shape))
    places = np.zeros((), np.int64)
    for size, stride in zip(shape, strides, strict=True):
        places = places[..., None] + np.arange(size, dtype=np.int64) * stride
    return places.ravel()


def _block_ends(outputs: int, block: int = BLOCK_OUTPUTS) -> list[int]:
    return [min(i + block, outputs) for i in range(0, outputs, block)]


def dense(rows: int, channels: int, outputs: int, together: int) -> int | None:
    """`together` rows a step; all their inputs are read for every block of outputs."""
    require_walkable(rows)
    first = np.arange(0, rows, together, dtype=np.int64)
    after = np.minimum(first + together, rows)
    within = None
    if outputs > BLOCK_OUTPUTS:
        written = (after - 1) * outputs + _block_ends(outputs)[-2]
        within = int((written - first * channels).max())
    return _widest(within, forward(after * outputs, first * channels))


def dense_backward(rows: int, channels: int, outputs: int, together: int) -> int | None:
    """The same from the last row down: how far the output must start above the input."""
    require_walkable(rows)
    after = np.arange(rows, 0, -together, dtype=np.int64)
    first = np.maximum(after - together, 0)
    within = between = None
    if outputs > BLOCK_OUTPUTS:
        within = int((after * channels - first * outputs).max())
    if len(first) > 1:
        between = int((first[:-1] * (channels - outputs)).max())
    return _widest(within, between)


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of windows: tap k of position i is at i * stride - pad + k * dilation."""

    in_size: int
    out_size: int
    taps: int
    stride: int
    dilation: int
    pad: int


@dataclass(frozen=True, slots=True)
class Geometry:
    """The windows of a kernel's images."""

    batches: int
    height: Axis
    width: Axis


@dataclass(frozen=True, slots=True)
class PixelSteps:
    """Steps of a window's kernel: `pixels` outputs from `first` on, reading from `window` on.

    All three count pixels; `window` is NO_READ where all taps are outside.
    """

    first: np.ndarray
    pixels: np.ndarray
    window: np.ndarray

    def read_from(self, channels: int) -> np.ndarray:
        """Where each step starts to read, in bytes."""
        return np.where(self.window < NO_READ, self.window * channels, NO_READ)


def _inside(axis: Axis) -> list[tuple[int, int, int]]:
    """For each position: its taps inside the image [begin, end), and where the first of them is."""
    found = []
    for position in range(axis.out_size):
        start = position * axis.stride - axis.pad
        begin = min(axis.taps, max(0, -(start // axis.dilation)))
        end = max(begin, min(axis.taps, -(-(axis.in_size - start) // axis.dilation)))
        found.append((begin, end, start + begin * axis.dilation if begin < end else NO_READ))
    return found


def pixel_steps(window: Geometry, *, paired: bool) -> PixelSteps:
    """Output pixels in raster order; `paired`: two in a row with the same taps inside together."""
    require_walkable(window.batches * window.height.out_size * window.width.out_size)
    columns = _inside(window.width)
    steps = []  # (first, pixels, where its window starts) in a row
    x = 0
    while x < len(columns):
        both = paired and x + 1 < len(columns) and columns[x][:2] == columns[x + 1][:2]
        steps.append((x, 2 if both else 1, columns[x][2]))
        x += steps[-1][1]
    first, pixels, left = (np.array(c, np.int64) for c in zip(*steps, strict=True))
    rows = np.array([top for _, _, top in _inside(window.height)], np.int64)
    width, image = window.width.in_size, window.width.in_size * window.height.in_size
    outputs = len(rows) * len(columns)
    batch = np.arange(window.batches, dtype=np.int64)[:, None, None]
    y = np.arange(len(rows), dtype=np.int64)[None, :, None]
    outside = (rows[:, None] == NO_READ) | (left == NO_READ)
    starts = np.where(outside, NO_READ, rows[:, None] * width + left)
    return PixelSteps(
        (batch * outputs + y * len(columns) + first).ravel(),
        np.broadcast_to(pixels, (window.batches, len(rows), len(steps))).ravel(),
        np.where(starts == NO_READ, NO_READ, batch * image + starts).ravel(),
    )


def reached_steps(window: Geometry) -> PixelSteps:
    """Output pixels of a transposed convolution, one at a time, in raster order.

    The axes are those of the convolution from output to input: output pixel i is reached by the
    inputs from (i + pad - taps) // stride + 1 on, up to (i + pad) // stride.
    """
    require_walkable(window.batches * window.height.out_size * window.width.out_size)
    firsts = []
    for axis in (window.height, window.width):
        place = np.arange(axis.out_size, dtype=np.int64) + axis.pad
        first = np.maximum(0, (place - axis.taps) // axis.stride + 1)
        end = np.minimum(axis.in_size, place // axis.stride + 1)
        firsts.append(np.where(first < end, first, NO_READ))
    rows, columns = firsts[0][:, None], firsts[1]
    outside = (rows == NO_READ) | (columns == NO_READ)
    starts = np.where(outside, NO_READ, rows * window.width.in_size + columns).ravel()
    batch = np.arange(window.batches, dtype=np.int64)[:, None]
    image = window.height.in_size * window.width.in_size
    pixels = window.batches * starts.size
    return PixelSteps(
        np.arange(pixels, dtype=np.int64),
        np.ones(pixels, np.int64),
        np.where(starts == NO_READ, NO_READ, batch * image + starts).ravel(),
    )


def convolution(
    steps: PixelSteps, groups: int, group_channels: int, group_outputs: int, *, block: int
) -> int | None:
    """A group's channels are read for every block of its outputs, of at most `block`."""
    channels, outputs = groups * group_channels, groups * group_outputs
    ends = [g * group_outputs + e for g in range(groups) for e in _block_ends(group_outputs, block)]
    blocks = len(ends) // groups
    # The furthest that a block's writes get, less where the next block's reads start.
    reach = [e - (j + 1) // blocks * group_channels for j, e in enumerate(ends[:-1])]
    within = None
    reading = steps.window < NO_READ
    if reach and reading.any():
        written = (steps.first + steps.pixels - 1) * outputs + max(reach)
        within = int((written - steps.window * channels)[reading].max())
    after = (steps.first + steps.pixels) * outputs
    return _widest(within, forward(after, steps.read_from(channels)))


def channelwise(window: Geometry, channels: int, *, paired: bool, block: int) -> int | None:
    """Each block of channels of a step reads these channels alone, then writes them."""
    steps = pixel_steps(window, paired=paired)
    within = None
    reading = steps.window < NO_READ
    if channels > block and reading.any():
        ahead = steps.first + steps.pixels - 1 - steps.window
        within = int((ahead * channels)[reading].max())
    after = (steps.first + steps.pixels) * channels
    return _widest(within, forward(after, steps.read_from(channels)))


def padded(shape: tuple[int, ...], before: tuple[int, ...], after: tuple[int, ...]) -> int | None:
    """Rows of the last dimension are moved one by one; all output below a row's place is written.

    The last row lies furthest ahead of its source. A first row is moved before
    anything is written where nothing is in front of it.
    """
    padded_shape = [b + s + a for b, s, a in zip(before, shape, after, strict=True)]
    place = 0
    for b, s, full in zip(before[:-1], shape[:-1], padded_shape[:-1], strict=True):
        place = place * full + b + s - 1
    place = place * padded_shape[-1] + before[-1]
    source = math.prod(shape) - shape[-1]
    return place - source if place else None
