"""Which integers does the device need for a quantised operator?

In: scales and zero points as the model states them. Out: multipliers, shifts,
folded biases and activation ranges, bit for bit those of TensorFlow Lite
Micro (its double-precision scale arithmetic). Nothing of this runs on the
device.
"""

from __future__ import annotations

import math

import numpy as np

INT8_MIN = -128
INT8_MAX = 127
INT16_LIMITS = (-(2**15), 2**15 - 1)

# Kernels shift left by at most this (see firmware/include/mcuc_math.h).
LEFT_SHIFT_MAX = 30
# Products of two int8 are at most 2^14: this many stay below 2^31 (mcuc_dot.h).
DOT_TERMS_MAX = 131071

_SHIFT_MIN = -31


def round_half_away(value: float) -> int:
    """The nearest integer, halves away from zero, as `std::round`."""
    magnitude = math.floor(abs(value))
    if abs(value) - magnitude >= 0.5:
        magnitude += 1
    return magnitude if value >= 0 else -magnitude


def quantize_multiplier(real: float) -> tuple[int, int]:
    """(multiplier, exponent) with real ~ multiplier * 2^(exponent - 31).

    The multiplier is 0 or in [2^30, 2^31). Reals too small for a shift of 31
    give (0, 0). `real` must be finite and not negative.
    """
    if real == 0.0:
        return 0, 0
    fraction, exponent = math.frexp(real)
    multiplier = round_half_away(math.ldexp(fraction, 31))
    if multiplier == 1 << 31:
        multiplier >>= 1
        exponent += 1
    if exponent < _SHIFT_MIN:
        return 0, 0
    return multiplier, exponent


def is_scalable(real: float) -> bool:
    """Whether kernels can scale by `real`: finite, not negative, a left shift of at most 30."""
    return math.isfinite(real) and real >= 0 and quantize_multiplier(real)[1] <= LEFT_SHIFT_MAX


def channel_multipliers(reals: list[float], channels: int) -> tuple[np.ndarray, np.ndarray]:
    """(multipliers int32, right shifts int8), one a channel; a single real is for all."""
    pairs = [quantize_multiplier(real) for real in reals]
    if len(pairs) == 1:
        pairs *= channels
    multipliers = np.array([m for m, _ in pairs], dtype=np.int32)
    right_shifts = np.array([-e for _, e in pairs], dtype=np.int8)
    return multipliers, right_shifts


# Kernels with sums of 64 bits shift right by at least this much.
_WIDE_EXPONENT_MAX = 7


def wide_multiplier(real: float) -> tuple[int, int]:
    """(multiplier below 2^15, right shift) for sums of 64 bits, which are rounded once."""
    multiplier, exponent = quantize_multiplier(real)
    narrow = (multiplier + (1 << 15)) >> 16 if multiplier < 0x7FFF0000 else 0x7FFF
    return narrow, 15 - exponent


def is_widely_scalable(real: float) -> bool:
    """Whether kernels with sums of 64 bits can scale by `real`."""
    is_fine = math.isfinite(real) and real >= 0
    return is_fine and quantize_multiplier(real)[1] <= _WIDE_EXPONENT_MAX


def wide_multipliers(reals: list[float], channels: int) -> tuple[np.ndarray, np.ndarray]:
    """(multipliers int32, right shifts int8) of `wide_multiplier`, one a channel."""
    pairs = [wide_multiplier(real) for real in reals]
    if len(pairs) == 1:
        pairs *= channels
    multipliers = np.array([m for m, _ in pairs], dtype=np.int32)
    return multipliers, np.array([s for _, s in pairs], dtype=np.int8)


def folded_bias(bias: np.ndarray | None, weights: np.ndarray, zero_point: int) -> np.ndarray:
    """bias - zero_point * sum of weights, modulo 2^32, as int32.

    `weights` is (channels, weights of a channel); without a bias it is zero.
    Sums of raw inputs that start here equal sums of inputs less their zero
    point that start at the bias, exactly, since both wrap alike.
    """
    sums = weights.astype(np.int64).sum(axis=1)
    start = np.zeros_like(sums) if bias is None else bias.astype(np.int64)
    folded: np.ndarray = (start - zero_point * sums).astype(np.uint32).view(np.int32)
    return folded


ACTIVATION_BOUNDS: dict[str, tuple[float | None, float | None]] = {
    "NONE": (None, None),
    "RELU": (0.0, None),
    "RELU6": (0.0, 6.0),
    "RELU_N1_TO_1": (-1.0, 1.0),
}

ACTIVATIONS = tuple(ACTIVATION_BOUNDS)


def activation_range(
    activation: str, scale: float, zero_point: int, limits: tuple[int, int] = (INT8_MIN, INT8_MAX)
) -> tuple[int, int]:
    """(lowest, highest) output of a type with these `limits` under a fused activation.

    The bounds are divided in float32, as TensorFlow Lite does.
    """
    low, high = ACTIVATION_BOUNDS[activation]
    lowest, highest = limits
    if low is not None:
        lowest = max(lowest, _quantized(low, scale, zero_point))
    if high is not None:
        highest = min(highest, _quantized(high, scale, zero_point))
    return lowest, highest


def _quantized(value: float, scale: float, zero_point: int) -> int:
    with np.errstate(over="ignore"):
        ratio = float(np.float32(value) / np.float32(scale))
    # Far outside int8 either way; keeps infinity out of the rounding.
    return zero_point + round_half_away(min(max(ratio, -1e6), 1e6))
