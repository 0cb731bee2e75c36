"""How are the values that a tensor can hold written down, and combined?

An `Interval` has a lowest and a highest value for each element; along dimensions
where all elements have the same bounds it has the size 1, so that a feature map
mostly takes one pair of numbers a channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.constants import array_of

LIMITS = {
    DType.INT8: (-(2**7), 2**7 - 1),
    DType.INT16: (-(2**15), 2**15 - 1),
}
# Tensors with more elements are not taken apart element by element.
ELEMENTS_MAX = 1 << 20
# Of an interval; beyond it only channels (the last dimension) are told apart.
KEPT_MAX = 1 << 16


@dataclass(frozen=True, slots=True)
class Interval:
    """Every value is within [low, high]: arrays of int64 that broadcast to the tensor's shape."""

    low: np.ndarray
    high: np.ndarray

    def full(self, shape: Sequence[int]) -> Interval:
        """The same, with an entry for each element."""
        size = tuple(shape)
        return Interval(np.broadcast_to(self.low, size), np.broadcast_to(self.high, size))

    def hull(self, axes: Sequence[int]) -> Interval:
        """The bounds over all elements along `axes`, which become 1."""
        along = tuple(axes)
        return Interval(
            self.low.min(axis=along, keepdims=True), self.high.max(axis=along, keepdims=True)
        )

    def channels(self, shape: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """(low, high) of each channel, the last dimension of a tensor of this shape."""
        if not shape:
            return self.low.reshape(1), self.high.reshape(1)
        whole = self.hull(range(self.low.ndim - 1))
        count = (shape[-1],)
        return (
            np.broadcast_to(whole.low.reshape(-1), count),
            np.broadcast_to(whole.high.reshape(-1), count),
        )

    def within(self, low: np.ndarray | int, high: np.ndarray | int) -> Interval:
        """Clamped to [low, high]."""
        return Interval(np.clip(self.low, low, high), np.clip(self.high, low, high))


def of_channels(low: np.ndarray, high: np.ndarray, rank: int) -> Interval:
    """The same bounds in all places of a channel, for a tensor of `rank` dimensions."""
    shape = (*(1,) * (rank - 1), len(low))
    return Interval(low.reshape(shape), high.reshape(shape))


def of_type(tensor: Tensor) -> Interval | None:
    """Everything that the tensor's type holds; None for types that are not analysed."""
    limits = LIMITS.get(tensor.dtype)
    if limits is None:
        return None
    shape = (1,) * len(tensor.shape)
    return Interval(np.full(shape, limits[0], np.int64), np.full(shape, limits[1], np.int64))


def of_constant(tensor: Tensor) -> Interval | None:
    """The values of a constant of an analysed type; a variable only starts with its data."""
    if tensor.dtype not in LIMITS or tensor.data is None or not tensor.elements:
        return None
    if tensor.is_variable:
        return None
    values = array_of(tensor).astype(np.int64)
    return settled(Interval(values, values))


def settled(interval: Interval) -> Interval:
    """With the size 1 along dimensions where nothing differs, and not too many entries."""
    low, high = np.broadcast_arrays(interval.low, interval.high)
    for axis in range(low.ndim):
        if low.shape[axis] > 1:
            first_low, first_high = (a.take([0], axis=axis) for a in (low, high))
            if (low == first_low).all() and (high == first_high).all():
                low, high = first_low, first_high
    found = Interval(low, high)
    return found.hull(range(low.ndim - 1)) if low.size > KEPT_MAX else found


def joined(intervals: Sequence[Interval]) -> Interval:
    """What is within any of them, which have shapes that broadcast."""
    low, high = intervals[0].low, intervals[0].high
    for other in intervals[1:]:
        low, high = np.minimum(low, other.low), np.maximum(high, other.high)
    return Interval(low, high)
