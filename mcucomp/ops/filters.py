"""Are the numbers that a filter stores the weights of its layer?

In: a layer whose second input is its filter. Out: what is taken from each stored
number before it is a weight, and whether that can be known when the model is compiled.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Node


def counted_zero_point(node: Node) -> int:
    """What TFLM takes from the filter's numbers: their zero point, or 0 where it ignores that.

    It counts in filters of uint8, and in dense layers with one scale for all outputs.
    """
    filters = node.input(1)
    q = filters.quantization
    if q is None or len(q.scales) != 1 or filters.dtype is DType.FLOAT32:
        return 0
    is_dense = node.operator.kind == "FULLY_CONNECTED"
    return q.zero_points[0] if is_dense or filters.dtype is DType.UINT8 else 0


def stores_weights(node: Node) -> bool:
    """Whether the filter is constant, and its numbers are the weights themselves."""
    return node.input(1).is_constant and counted_zero_point(node) == 0
