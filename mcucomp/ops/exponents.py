"""How do SOFTMAX and LOG_SOFTMAX of int8 scale differences to the maximum?

In: a scale. Out: what brings such a difference to Q5.26, and how small it may be.
"""

from __future__ import annotations

import math

from mcucomp.ops.arithmetic import quantize_multiplier

INTEGER_BITS = 5
FRACTION_BITS = 31 - INTEGER_BITS
_REAL_MAX = float(2**31 - 1)


def difference_scale(scale: float) -> float:
    """`scale` in units of 2^-26, as far as int32 goes."""
    return min(scale * 2.0**FRACTION_BITS, _REAL_MAX)


def least_difference(exponent: int) -> int:
    """A difference below this would be beyond Q5.26."""
    radius = ((1 << INTEGER_BITS) - 1) * (1 << FRACTION_BITS) / (1 << exponent)
    return -math.floor(radius)


def has_multiplier(scale: float) -> bool:
    """Kernels only shift left."""
    multiplier, exponent = quantize_multiplier(difference_scale(scale))
    return multiplier > 0 and exponent >= 0
