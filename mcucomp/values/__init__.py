"""Which values can a tensor hold, whatever the input?

In: a graph. Out: for each channel an interval with its reason, for each layer
the bounds of its sums. `rewrite/` drops what never changes; kernels may rely on
the bounds of their sums.
"""

from mcucomp.values.analysis import TensorValues, Values, analyse, is_regular, with_sums
from mcucomp.values.interval import Interval
from mcucomp.values.layers import Layer, layer_of

__all__ = [
    "Interval",
    "Layer",
    "TensorValues",
    "Values",
    "analyse",
    "is_regular",
    "layer_of",
    "with_sums",
]
