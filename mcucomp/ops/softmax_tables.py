"""Which tables does SOFTMAX of int16 read?

513 entries for a function over the range of int16, computed in float32 as
TensorFlow Lite does: each entry is moved by half of what a straight line to
the next one is off in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mcucomp.ops.arithmetic import round_half_away

STEPS = 512
EXP_RANGE = 10.0  # exponentials of -10 to 0

_F = np.float32


def _rounded(value: np.float32) -> np.float32:
    return _F(round_half_away(float(value)))


def _table(function: Callable[[np.float32], np.float32], scale: float, zero: int) -> np.ndarray:
    """Entries for an input of this scale and zero point, an output of 2 / 65535 and 0."""
    out_scale = _F(2 / 65535)
    low, high = (_F(scale) * _F(end - zero) for end in (-32768, 32767))
    step = (high - low) / _F(STEPS)
    half = step / _F(2)
    inverse = _F(65536) / (out_scale * _F(32767) - out_scale * _F(-32768))
    entries = []
    for i in range(STEPS):
        at = low + _F(i) * step
        here, middle, after = (
            function(at), function(at + half), function(low + _F(i + 1) * step),
        )  # fmt: skip
        value = _rounded(here * inverse)
        straight = _rounded((after * inverse + value) / _F(2))
        off = straight - _rounded(middle * inverse)
        entries.append(value - _rounded(off / _F(2)))
    entries.append(_rounded(function(high) * inverse))
    table: np.ndarray = np.clip(np.array(entries), -32768, 32767).astype(np.int16)
    return table


def exp_table() -> np.ndarray:
    """exp(x) for x from -10 to 0."""
    return _table(lambda x: _F(math.exp(float(x))), EXP_RANGE / 65535, 32767)


def reciprocal_table() -> np.ndarray:
    """1 / (1 + x) for x from 0 to 1."""
    return _table(lambda x: _F(1) / (_F(1) + x), 1 / 65535, -32768)
