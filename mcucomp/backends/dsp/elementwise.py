"""ADD with a table, AVERAGE_POOL_2D in pairs of channels, MAX_POOL_2D in fours.

Layout and conditions are those of `mcuc/add_s8__dsp.h`,
`mcuc/average_pool_2d_s8__dsp.h` and `mcuc/max_pool_2d_s8__dsp.h`.
"""

from __future__ import annotations

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.requantise import (
    integer,
    require_full_range,
    scaled,
    tensor_constant,
)
from mcucomp.ops import ConstantArray, KernelCall, ParamValue

ADD_KERNEL = "mcuc_add_s8__dsp"
POOL_KERNEL = "mcuc_average_pool_2d_s8__dsp"
MAX_POOL_KERNEL = "mcuc_max_pool_2d_s8__dsp"

# Both terms of a sum are shifted left by this.
ADD_SHIFT = 20
# That many int8 add up to an int16.
POOLED_MAX = 255
LANES = 4


def add(call: KernelCall) -> KernelCall:
    """Tensors of the same shape. A table of 1 KB pays for itself from a few hundred elements on."""
    constant = tensor_constant(call, "out_multiplier", "out_right_shift")
    values = np.arange(256, dtype=np.uint8).view(np.int8).astype(np.int64)
    shifted = (values + integer(call, "b_offset")) << ADD_SHIFT
    b_multiplier, b_shift = integer(call, "b_multiplier"), integer(call, "b_right_shift")
    a_part = integer(call, "a_offset") << ADD_SHIFT
    table = [2 * scaled(term, b_multiplier, b_shift) + a_part for term in shifted.tolist()]
    params: dict[str, ParamValue] = {
        "table": ConstantArray("int32_t", np.array(table, np.int32)),
        "size": integer(call, "size"),
        "multiplier": integer(call, "out_multiplier"),
        "constant": constant,
        "right_shift": integer(call, "out_right_shift"),
    }
    return KernelCall(ADD_KERNEL, params, reads=call.reads, writes=call.writes, macs=call.macs)


_POOL_SIZES = (
    "batches", "in_height", "in_width", "out_height", "out_width", "channels",
    "filter_height", "filter_width", "stride_h", "stride_w",
)  # fmt: skip


def _pool_sizes(call: KernelCall) -> dict[str, int]:
    """What both pools take, whose channels come in fours and are not clamped."""
    require_full_range(call)
    sizes = {name: integer(call, name) for name in _POOL_SIZES}
    if sizes["channels"] % LANES:
        raise Refused(f"{sizes['channels']} channels are no multiple of {LANES}")
    return sizes


def max_pool(call: KernelCall) -> KernelCall:
    """Any windows; channels in multiples of four."""
    pads = {name: integer(call, name) for name in ("pad_top", "pad_left")}
    return KernelCall(
        MAX_POOL_KERNEL,
        {**_pool_sizes(call), **pads},
        reads=call.reads,
        writes=call.writes,
        macs=call.macs,
    )


def average_pool(call: KernelCall) -> KernelCall:
    """Windows of at most 255 pixels, all inside the image; channels in multiples of four."""
    sizes = _pool_sizes(call)
    for axis, letter, pad in (("height", "h", "pad_top"), ("width", "w", "pad_left")):
        last = (sizes[f"out_{axis}"] - 1) * sizes[f"stride_{letter}"] + sizes[f"filter_{axis}"]
        if integer(call, pad) or last > sizes[f"in_{axis}"]:
            raise Refused("a window reaches out of the image")
    pooled = sizes["filter_height"] * sizes["filter_width"]
    if pooled > POOLED_MAX:
        raise Refused(f"a window has {pooled} pixels")
    return KernelCall(
        POOL_KERNEL, dict(sizes), reads=call.reads, writes=call.writes, macs=call.macs
    )
