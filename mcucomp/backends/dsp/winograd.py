"""CONV_2D with a 3x3 filter and stride 1 by Winograd's method: fewer products, larger filters.

Layout and conditions are those of `mcuc/conv_2d_s8__dsp_winograd.h`.
"""

from __future__ import annotations

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.convolution import border_pixels, unblocked
from mcucomp.backends.dsp.requantise import array, bounds, cleared, integer, scaling
from mcucomp.ops import ConstantArray, KernelCall, ParamValue

KERNEL = "mcuc_conv_2d_s8__dsp_winograd"

LANES = 4
TILE_ROWS, TILES_WIDTH = 2, 4
ROWS, COLUMNS, POSITIONS = 4, 6, 16
# Four times a sum must stay an int32.
SUM_LIMIT = 1 << 29

# Twice the matrix G of F(2, 3), so that all is integer.
_DOUBLED_G = np.array([[2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]])
_ROW_ORDER = [1, 0, 2, 3]


def winograd(call: KernelCall) -> KernelCall:
    """One group, channels in multiples of four, outputs in whole blocks of 2 x 4 pixels."""
    outputs, channels = integer(call, "group_out_channels"), integer(call, "group_in_channels")
    filter_size = (integer(call, "filter_height"), integer(call, "filter_width"))
    steps = [integer(call, f"{name}_{axis}") for name in ("stride", "dilation") for axis in "hw"]
    if filter_size != (3, 3) or steps != [1, 1, 1, 1] or integer(call, "groups") > 1:
        raise Refused("it is not 3x3 with stride 1, undilated and of one group")
    if outputs % LANES or channels % LANES:
        raise Refused(f"{channels} and {outputs} channels are no multiples of {LANES}")
    if integer(call, "out_height") % TILE_ROWS or integer(call, "out_width") % TILES_WIDTH:
        raise Refused("the output is not made of blocks of 2 x 4 pixels")
    rows, bias = unblocked(array(call, "filter"), outputs), array(call, "bias")
    lowest, highest = bounds(call, rows, bias)
    scale = scaling(call, lowest, highest)
    rows, bias = cleared(rows, bias, scale)
    if (np.maximum(-lowest, highest)[~scale.is_constant] >= SUM_LIMIT).any():
        raise Refused("a sum may reach 2^29")
    each = np.stack([4 * bias, scale.shift, scale.multiplier, scale.constant], axis=1)
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("uint32_t", _transformed(rows, channels), is_weight=True),
        "channels": ConstantArray("int32_t", each.astype(np.uint32).view(np.int32).ravel()),
        "batches": integer(call, "batches"),
        "in_height": integer(call, "in_height"),
        "in_width": integer(call, "in_width"),
        "out_height": integer(call, "out_height"),
        "out_width": integer(call, "out_width"),
        "in_channels": channels,
        "out_channels": outputs,
        "pad_top": integer(call, "pad_top"),
        "pad_left": integer(call, "pad_left"),
        "in_zero_point": integer(call, "in_zero_point"),
    }
    border_bytes = ROWS * COLUMNS * channels if _has_border(call) else 0
    return KernelCall(
        KERNEL,
        params,
        reads=call.reads,
        writes=call.writes,
        scratch_bytes=4 * POSITIONS * channels + 4 * POSITIONS * 8 + border_bytes,
        macs=call.macs,
    )


def _has_border(call: KernelCall) -> bool:
    """Whether the input of any block reaches out of the image."""
    return bool(
        border_pixels(
            (
                integer(call, "out_height") // TILE_ROWS,
                integer(call, "out_width") // TILES_WIDTH,
            ),
            (integer(call, "in_height"), integer(call, "in_width")),
            (TILE_ROWS, TILES_WIDTH),
            (integer(call, "pad_top"), integer(call, "pad_left")),
            (ROWS, COLUMNS),
        ).any()
    )


def _transformed(rows: np.ndarray, channels: int) -> np.ndarray:
    """[outputs / 4][16][channels / 2][4] words from (outputs, 9 * channels) weights."""
    weights = rows.reshape(-1, 3, 3, channels)
    u = np.einsum("ir,orsc,js->oijc", _DOUBLED_G, weights, _DOUBLED_G)
    # Positions column after column, rows in the order of the kernel.
    positions = np.moveaxis(u[:, _ROW_ORDER], 1, 2).reshape(len(rows), POSITIONS, channels // 4, 4)
    low, high = positions[..., 0:2], positions[..., 2:4]
    words = ((low & 0xFFFF) | ((high & 0xFFFF) << 16)).reshape(-1, LANES, POSITIONS, channels // 2)
    ordered: np.ndarray = np.moveaxis(words, 1, -1).astype(np.uint32).ravel()
    return ordered
