"""Between which outputs is a sum that is within these bounds, to the bit?

In: bounds of sums, and the multipliers of their channels. Out: bounds of what
the device makes of them, and where nothing can be said. The arithmetic is that
of the kernels, with both of its roundings. It never decreases while a sum
grows, so the ends of an interval go to the ends of its image; but only while
nothing wraps around, which is checked.
"""

from __future__ import annotations

import numpy as np

from mcucomp.ops.arithmetic import wide_multiplier
from mcucomp.ops.fixed_point import INT32_MAX, INT32_MIN
from mcucomp.values.interval import Interval

# Products with a multiplier of 15 bits stay within 64 bits.
_WIDE_MAX = 1 << 46


def fits_int32(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where both ends are numbers of 32 bits: sums modulo 2^32 are the sums themselves."""
    found: np.ndarray = (low >= INT32_MIN) & (high <= INT32_MAX)
    return found


def scaled(sums: np.ndarray, multipliers: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """sums * multipliers * 2^(exponents - 31), rounded twice; all broadcast, all int64.

    Sums times 2^exponent must be numbers of 32 bits.
    """
    high = ((sums << np.maximum(exponents, 0)) * multipliers + (1 << 30)) >> 31
    right = np.maximum(-exponents, 0)
    half = (np.int64(1) << right) >> 1
    magnitude = (np.abs(high) + half) >> right
    found: np.ndarray = np.where(high < 0, -magnitude, magnitude)
    return found


def requantised(
    sums: Interval, multipliers: np.ndarray, exponents: np.ndarray, zero_point: int
) -> tuple[Interval, np.ndarray]:
    """(bounds before the clamp, where they hold) of sums of 32 bits."""
    left = np.maximum(exponents, 0)
    holds = (
        fits_int32(sums.low, sums.high)
        & (sums.low >= INT32_MIN >> left)
        & (sums.high <= INT32_MAX >> left)
    )
    low, high = (np.where(holds, end, 0) for end in (sums.low, sums.high))
    return (
        Interval(
            scaled(low, multipliers, exponents) + zero_point,
            scaled(high, multipliers, exponents) + zero_point,
        ),
        holds,
    )


def requantised_wide(sums: Interval, reals: np.ndarray) -> tuple[Interval, np.ndarray]:
    """The same for sums of 64 bits, which are rounded once; `reals` are the real multipliers."""
    pairs = [wide_multiplier(real) for real in reals.tolist()]
    multipliers = np.array([m for m, _ in pairs], np.int64)
    rights = np.array([r for _, r in pairs], np.int64)
    holds = (sums.low > -_WIDE_MAX) & (sums.high < _WIDE_MAX)
    low, high = (
        (np.where(holds, end, 0) * multipliers + ((np.int64(1) << rights) >> 1)) >> rights
        for end in (sums.low, sums.high)
    )
    return Interval(low, high), holds & fits_int32(low, high)


def clamped(found: Interval, holds: np.ndarray, low: int, high: int) -> Interval:
    """What a clamp to [low, high] leaves: all of that where the bounds do not hold."""
    kept = found.within(low, high)
    return Interval(np.where(holds, kept.low, low), np.where(holds, kept.high, high))
