"""FULLY_CONNECTED with one scale: outputs four at a time.

Layout and conditions are those of `mcuc/fully_connected_s8__dsp.h`.
"""

from __future__ import annotations

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.backends.dsp.convolution import paired, require_pairs, start_values, unblocked
from mcucomp.backends.dsp.requantise import array, bounds, integer, require_sums, tensor_constant
from mcucomp.ops import ConstantArray, KernelCall, ParamValue

KERNEL = "mcuc_fully_connected_s8__dsp"


def fully_connected(call: KernelCall) -> KernelCall:
    """Any number of inputs and outputs; several rows where inputs come in multiples of four."""
    outputs, channels = integer(call, "out_channels"), integer(call, "in_channels")
    row = -(-channels // 4) * 4
    if row != channels and integer(call, "rows") > 1:
        raise Refused(f"it has several rows of {channels} inputs, no multiple of 4")
    weights = np.zeros((outputs, row), np.int64)
    weights[:, :channels] = unblocked(array(call, "filter"), outputs)
    bias = array(call, "bias")
    constant = tensor_constant(call)
    magnitude = require_sums(*bounds(call, weights, bias))
    require_pairs(weights, magnitude)
    params: dict[str, ParamValue] = {
        "filter": ConstantArray("uint32_t", paired(weights), is_weight=True),
        "bias": ConstantArray("int32_t", start_values(bias).ravel()),
        "multiplier": integer(call, "multiplier"),
        "constant": constant,
        "right_shift": integer(call, "right_shift"),
        "rows": integer(call, "rows"),
        "in_channels": channels,
        "out_channels": outputs,
    }
    return KernelCall(
        KERNEL,
        params,
        reads=call.reads,
        writes=call.writes,
        macs=call.macs,
    )
