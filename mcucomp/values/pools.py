"""Between which values is what an operator makes of many values of one channel?

In: pools, means, sums, extremes or resized images, and the bounds of the input.
Out: those of the output. A mean of values within an interval, rounded to the
nearest integer, is within it; so is one of them, and so is what lies between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mcucomp.ops.base import Node, registered
from mcucomp.ops.conditions import zero_point_of
from mcucomp.ops.reductions import axes_of, reduced_count
from mcucomp.values.found import Found, Transfer
from mcucomp.values.interval import LIMITS, Interval
from mcucomp.values.layers import limits
from mcucomp.values.requantise import clamped, requantised


def _pool(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    source = inputs[0]
    if source is None:
        return None
    lowest, highest = limits(node)
    found = source.hull((0, 1, 2)).within(lowest, highest)
    return Found((found,), f"of the input's values, clamped to [{lowest}, {highest}]")


def _resized(_node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    return None if inputs[0] is None else Found((inputs[0].hull((0, 1, 2)),), "of input pixels")


def _reduced(node: Node, interval: Interval) -> Interval:
    """Bounds over the reduced dimensions, in the output's dimensions."""
    axes = sorted(axes_of(node))
    found = interval.hull(axes)
    if node.operator.options.get("keep_dims"):
        return found
    low, high = (np.squeeze(end, tuple(axes)) for end in (found.low, found.high))
    return Interval(low, high)


def _extreme(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    return None if inputs[0] is None else Found((_reduced(node, inputs[0]),), "of input values")


def _mean(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    if inputs[0] is None:
        return None
    params = registered()[node.operator.kind].lower(node).params
    multiplier, right_shift = params["multiplier"], params["right_shift"]
    assert isinstance(multiplier, int)
    assert isinstance(right_shift, int)
    source, count, result = _reduced(node, inputs[0]), reduced_count(node), node.output()
    zero_point = zero_point_of(node.input(0))
    total = Interval(count * (source.low - zero_point), count * (source.high - zero_point))
    found, holds = requantised(
        total, np.array(multiplier), np.array(-right_shift), zero_point_of(result)
    )
    return Found((clamped(found, holds, *LIMITS[result.dtype]),), f"of {count} values, scaled")


TRANSFERS: Mapping[str, Transfer] = {
    "AVERAGE_POOL_2D": _pool,
    "MAX_POOL_2D": _pool,
    "MEAN": _mean,
    "SUM": _mean,
    "REDUCE_MAX": _extreme,
    "REDUCE_MIN": _extreme,
    "RESIZE_BILINEAR": _resized,
    "RESIZE_NEAREST_NEIGHBOR": _resized,
}
