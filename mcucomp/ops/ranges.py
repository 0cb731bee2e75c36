"""Between which values does a fused activation keep an output?

In: an operator that may have a fused activation, or None for one that has
none. Out: bounds of the output's type.
"""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ops.arithmetic import ACTIVATION_BOUNDS
from mcucomp.ops.base import Node

FLOAT_MAX = float(np.finfo(np.float32).max)
INT32_MAX = 2**31 - 1


def _bounds(node: Node) -> tuple[float | None, float | None]:
    activation = node.operator.options.get("fused_activation_function")
    return ACTIVATION_BOUNDS.get(str(activation), (None, None))


def float_range(node: Node | None) -> tuple[float, float]:
    """Operators with activations clamp to the largest float32 without one, as TFLM does."""
    if node is None:
        return -math.inf, math.inf
    low, high = _bounds(node)
    return (-FLOAT_MAX if low is None else low, FLOAT_MAX if high is None else high)


def int32_range(node: Node | None) -> tuple[int, int]:
    low, high = (None, None) if node is None else _bounds(node)
    return (-INT32_MAX - 1 if low is None else int(low), INT32_MAX if high is None else int(high))
