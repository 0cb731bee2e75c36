"""CONV_2D of one group, and what amounts to one: the tile of two pixels and four outputs.

Layout and conditions are those of `mcuc/conv_2d_s8__dsp.h`.
"""

from __future__ import annotations

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.requantise import (
    Scaling,
    array,
    bounds,
    cleared,
    integer,
    scaling,
)
from mcucomp.ops import ConstantArray, KernelCall, ParamValue
from mcucomp.ops.clearance import LONGEST_WALK
from mcucomp.ops.constants import BLOCK_OUTPUTS

KERNEL = "mcuc_conv_2d_s8__dsp"

# Differences of sums times 256 hold them up to here.
DIFFERENCE_LIMIT = 1 << 23
INT16_MIN = -(1 << 15)
# The odd outputs of a clamped layer come times 256 where the others come times 2.
ODD_SHIFT = 7


def unblocked(values: np.ndarray, outputs: int) -> np.ndarray:
    """(outputs, terms) from blocks of four outputs, term by term."""
    terms = len(values) // outputs
    blocks = []
    for first in range(0, outputs, BLOCK_OUTPUTS):
        lanes = min(BLOCK_OUTPUTS, outputs - first)
        block = values[first * terms : (first + lanes) * terms]
        blocks.append(block.reshape(terms, lanes).T)
    return np.concatenate(blocks)


def convolution(call: KernelCall) -> KernelCall:
    """Any convolution of one group that is not dilated along rows."""
    if integer(call, "groups") > 1:
        raise Refused("it has several groups")
    if integer(call, "dilation_w") > 1:
        raise Refused("it is dilated along rows")
    outputs, channels = integer(call, "group_out_channels"), integer(call, "group_in_channels")
    height, width = integer(call, "filter_height"), integer(call, "filter_width")
    weights = unblocked(array(call, "filter"), outputs).reshape(outputs, height, width * channels)
    names = ("batches", "in_width", "out_width", "in_height", "out_height")
    return _call(
        call,
        weights,
        {name: integer(call, name) for name in (*names, "filter_height", "filter_width")},
        channels,
        {
            name: integer(call, name)
            for name in (
                "stride_h", "stride_w", "dilation_h", "pad_top", "pad_left", "in_zero_point",
            )
        },
    )  # fmt: skip


def pointwise(call: KernelCall) -> KernelCall:
    """The same dense layer for every pixel: a 1x1 filter on one long row."""
    outputs, channels = integer(call, "out_channels"), integer(call, "in_channels")
    pixels = integer(call, "pixels")
    return _call(
        call,
        unblocked(array(call, "filter"), outputs).reshape(outputs, 1, channels),
        {
            "batches": 1,
            "in_width": pixels,
            "out_width": pixels,
            "in_height": 1,
            "out_height": 1,
            "filter_height": 1,
            "filter_width": 1,
        },
        channels,
        {
            "stride_h": 1,
            "stride_w": 1,
            "dilation_h": 1,
            "pad_top": 0,
            "pad_left": 0,
            "in_zero_point": 0,
        },
    )


def _call(
    call: KernelCall,
    weights: np.ndarray,
    sizes: dict[str, int],
    in_channels: int,
    window: dict[str, int],
) -> KernelCall:
    """`weights` are (outputs, rows, terms of a row)."""
    outputs, height, terms = weights.shape
    row = -(-terms // 4) * 4
    filled = np.zeros((outputs, height, row), np.int64)
    filled[:, :, :terms] = weights
    rows, bias = filled.reshape(outputs, -1), array(call, "bias")
    lowest, highest = bounds(call, rows, bias)
    scale = scaling(call, lowest, highest)
    rows, bias = cleared(rows, bias, scale)
    require_pairs(rows, np.where(scale.is_constant, 0, np.maximum(-lowest, highest)))
    scale = _with_odd_shift(scale)
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("uint32_t", paired(rows), is_weight=True),
        "channels": ConstantArray("int32_t", _channels(bias, scale)),
        **sizes,
        "in_channels": in_channels,
        "out_channels": outputs,
        **window,
        "is_linear": int(scale.is_linear),
    }
    return KernelCall(
        KERNEL,
        params,
        reads=call.reads,
        writes=call.writes,
        scratch_bytes=(4 * height + _edges(sizes, window, 0 if row == terms else 3)) * row,
        macs=call.macs,
    )


def require_listed(pixels: int) -> None:
    """Raise Refused for more pixels than any microcontroller's image has."""
    if pixels > LONGEST_WALK:
        raise Refused(f"its image has more than {LONGEST_WALK:,} pixels")


def border_pixels(
    counts: tuple[int, int],
    in_size: tuple[int, int],
    steps: tuple[int, int],
    pads: tuple[int, int],
    extents: tuple[int, int],
) -> np.ndarray:
    """For each window, in raster order, whether it reaches out of the image.

    All are (height, width): windows, pixels of the input, from window to
    window, before the first window, from its first tap to behind its last.
    Raises Refused for more windows than are looked at one by one.
    """
    require_listed(counts[0] * counts[1])
    inside = []
    for count, size, step, pad, extent in zip(counts, in_size, steps, pads, extents, strict=True):
        start = np.arange(count) * step - pad
        inside.append((start >= 0) & (start + extent <= size))
    return ~(inside[0][:, None] & inside[1]).ravel()


def _edges(sizes: dict[str, int], window: dict[str, int], slack: int) -> int:
    """How many of the kernel's two rows for borders are ever written."""
    require_listed(sizes["batches"] * sizes["out_height"] * sizes["out_width"])
    is_border = np.tile(
        border_pixels(
            (sizes["out_height"], sizes["out_width"]),
            (sizes["in_height"], sizes["in_width"]),
            (window["stride_h"], window["stride_w"]),
            (window["pad_top"], window["pad_left"]),
            (
                (sizes["filter_height"] - 1) * window["dilation_h"] + 1,
                sizes["filter_width"] + slack,
            ),
        ),
        sizes["batches"],
    )
    if len(is_border) % 2:
        # The last pixel is taken twice.
        is_border = np.append(is_border, is_border[-1])
    if is_border[1::2].any():
        return 2
    return int(is_border[0::2].any())


def require_pairs(weights: np.ndarray, magnitude: np.ndarray) -> None:
    """Two outputs fit one halfword, and the second's sum can be told from the first's."""
    pairs = _whole_blocks(weights)
    if (256 * pairs[1::2] + pairs[0::2] < INT16_MIN).any():
        raise Refused("a weight of -128 has no place beside its neighbour's")
    if (magnitude[1::2] >= DIFFERENCE_LIMIT).any():
        raise Refused("a sum may reach 2^23")


def _whole_blocks(rows: np.ndarray) -> np.ndarray:
    """Filled up with zeros to a multiple of four rows."""
    missing = -len(rows) % BLOCK_OUTPUTS
    return np.concatenate([rows, np.zeros((missing, *rows.shape[1:]), rows.dtype)])


def paired(weights: np.ndarray) -> np.ndarray:
    """Words of the tile: for four outputs and a pair of terms, those of outputs 0, 1 and 2, 3.

    `weights` is (outputs, terms), terms a multiple of four.
    """
    rows = _whole_blocks(weights)
    halves = 256 * rows[1::2] + rows[0::2]
    # Pairs of terms (0, 2) and (1, 3) of each four.
    quads = halves.reshape(-1, 2, halves.shape[1] // 4, 2, 2)
    low, high = quads[..., 0, :], quads[..., 1, :]
    words = (low & 0xFFFF) | ((high & 0xFFFF) << 16)
    # From (block, output pair, quad, pair of terms) to (block, quad, pair of terms, output pair).
    ordered: np.ndarray = np.moveaxis(words, 1, -1).astype(np.uint32).ravel()
    return ordered


def _with_odd_shift(scale: Scaling) -> Scaling:
    """The constants of a clamped layer's odd outputs, whose sums come 128 times larger.

    Where a shift would become too large, the layer is computed as a linear one.
    """
    if scale.is_linear or (scale.shift[1::2] + ODD_SHIFT > 23).any():
        return Scaling(scale.shift, scale.multiplier, scale.constant, scale.is_constant, True)
    shift, constant = scale.shift.copy(), scale.constant.copy()
    constant[1::2] = (constant[1::2] << ODD_SHIFT) + (1 << (ODD_SHIFT - 1))
    shift[1::2] += ODD_SHIFT
    return Scaling(shift, scale.multiplier, constant, scale.is_constant, False)


def start_values(bias: np.ndarray) -> np.ndarray:
    """A, 256 * B + A, C, 256 * D + C for four biases, a row each; modulo 2^32."""
    start = _whole_blocks(bias)
    start[1::2] = 256 * start[1::2] + start[0::2]
    wrapped: np.ndarray = start.astype(np.uint32).view(np.int32).reshape(-1, BLOCK_OUTPUTS)
    return wrapped


def _channels(bias: np.ndarray, scale: Scaling) -> np.ndarray:
    each = np.stack([scale.shift, scale.multiplier, scale.constant], axis=1)
    each = _whole_blocks(each).reshape(-1, 3 * BLOCK_OUTPUTS).astype(np.int32)
    return np.concatenate([start_values(bias), each], axis=1).ravel()
