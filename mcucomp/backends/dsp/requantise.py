"""When is requantisation a multiply-add, a shift and a saturation?

In: what the portable kernels take for each channel, and the bounds of the
channel's sum over all inputs. Out: a `Scaling`, whose arithmetic is in
`mcuc_dsp.h`, or `Refused`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcucomp.backends.base import Refused
from mcucomp.ops import KernelCall, params

INT8_MIN, INT8_MAX = -128, 127
# |sum| below this can be doubled.
SUM_LIMIT = 1 << 30
# 2 * 128 << (SHIFT_MAX - 1) is the largest constant, 2^30.
SHIFT_MAX = 23


@dataclass(frozen=True, slots=True)
class Scaling:
    """For each channel: right shift, multiplier and constant; and which channels never change.

    A constant channel has multiplier 0 and comes out right for a sum of 0, so
    its weights and bias count as 0. `is_linear`: the sign of the sum matters.
    """

    shift: np.ndarray
    multiplier: np.ndarray
    constant: np.ndarray
    is_constant: np.ndarray
    is_linear: bool


def array(call: KernelCall, name: str) -> np.ndarray:
    """The values of an array parameter, as int64."""
    values: np.ndarray = params.array(call.params, name).astype(np.int64)
    return values


def integer(call: KernelCall, name: str) -> int:
    return params.integer(call.params, name)


def bounds(
    call: KernelCall, weights: np.ndarray, bias: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) sum of each channel of `call`; `weights` has a row a channel.

    Over the inputs that can occur, where the call says so, else over all int8.
    Bias and weights are those for raw inputs: the zero point is folded in.
    """
    if call.sums:
        lowest, highest = np.array(call.sums, np.int64).T
        return lowest, highest
    at_min, at_max = weights * INT8_MIN, weights * INT8_MAX
    lowest = bias + np.minimum(at_min, at_max).sum(axis=1)
    highest = bias + np.maximum(at_min, at_max).sum(axis=1)
    return lowest, highest


def require_full_range(call: KernelCall) -> None:
    """Nothing is clamped beyond what int8 holds."""
    if (integer(call, "out_min"), integer(call, "out_max")) != (INT8_MIN, INT8_MAX):
        raise Refused("its activation does not reach over all of int8")


def require_sums(lowest: np.ndarray, highest: np.ndarray) -> np.ndarray:
    """The largest magnitude of each channel's sum, each below 2^30."""
    magnitude: np.ndarray = np.maximum(-lowest, highest)
    if (magnitude >= SUM_LIMIT).any():
        raise Refused("a sum may reach 2^30")
    return magnitude


def tensor_constant(
    call: KernelCall, multiplier: str = "multiplier", right_shift: str = "right_shift"
) -> int:
    """The constant where all outputs share a scale, whose parameters have these names."""
    require_full_range(call)
    shift = integer(call, right_shift)
    if integer(call, multiplier) == 0 or not 1 <= shift <= SHIFT_MAX:
        raise Refused(f"the right shift is {shift}")
    return (2 * integer(call, "out_zero_point") + 1) << (shift - 1)


def scaling(call: KernelCall, lowest: np.ndarray, highest: np.ndarray) -> Scaling:
    """How the channels of `call` are requantised; sums are within [lowest, highest].

    Raises:
        Refused: a condition of `mcuc_dsp.h` does not hold.
    """
    require_full_range(call)
    zero_point = integer(call, "out_zero_point")
    shifts = np.broadcast_to(_per_channel(call, "right_shift"), lowest.shape)
    multipliers = np.broadcast_to(_per_channel(call, "multiplier"), lowest.shape)
    shift, multiplier = shifts.copy(), multipliers.copy()
    constant = np.zeros_like(shift)
    is_constant = np.zeros(lowest.shape, bool)
    for channel, (low, high) in enumerate(zip(lowest.tolist(), highest.tolist(), strict=True)):
        value = _constant_value(
            low, high, int(multiplier[channel]), int(shift[channel]), zero_point
        )
        if value is not None:
            multiplier[channel], shift[channel], constant[channel] = 0, 1, 2 * value
            is_constant[channel] = True
            continue
        if not 1 <= shift[channel] <= SHIFT_MAX:
            raise Refused(f"the right shift of channel {channel} is {shift[channel]}")
        if low <= -SUM_LIMIT or high >= SUM_LIMIT:
            raise Refused(f"the sum of channel {channel} may reach 2^30")
        constant[channel] = (2 * zero_point + 1) << (int(shift[channel]) - 1)
    return Scaling(shift, multiplier, constant, is_constant, zero_point != INT8_MIN)


def cleared(weights: np.ndarray, bias: np.ndarray, scale: Scaling) -> tuple[np.ndarray, np.ndarray]:
    """Weights and bias with those of constant channels 0."""
    return np.where(scale.is_constant[:, None], 0, weights), np.where(scale.is_constant, 0, bias)


def _per_channel(call: KernelCall, name: str) -> np.ndarray:
    value = call.params[name]
    return np.array([value]) if isinstance(value, int) else array(call, name)


def _constant_value(
    low: int, high: int, multiplier: int, shift: int, zero_point: int
) -> int | None:
    """The output of all sums in [low, high]; None if it is not the same for all."""
    if multiplier == 0:
        return zero_point
    if shift < 0 or low < -(1 << 31) or high >= 1 << 31:
        return None
    at_low, at_high = (
        min(max(scaled(total, multiplier, shift) + zero_point, INT8_MIN), INT8_MAX)
        for total in (low, high)
    )
    return at_low if at_low == at_high else None


def scaled(total: int, multiplier: int, shift: int) -> int:
    """total * multiplier / 2^(31 + shift), rounded twice as TensorFlow Lite does; shift >= 0."""
    high = (total * multiplier + (1 << 30)) >> 31
    if shift == 0:
        return high
    magnitude = (abs(high) + (1 << (shift - 1))) >> shift
    return magnitude if high >= 0 else -magnitude
