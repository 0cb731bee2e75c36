"""Operators that give back what they are given are dropped.

Reason: they copy. Either every value that the input can hold is its own image
(a RELU behind a RELU, a QUANTIZE whose rounding never shows, a sum with a
constant of zeros), or nothing moves: a PAD without a margin, a SLICE of all, a
CONCATENATION of one, a pool over one pixel, a RESIZE to the same size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from mcucomp.ir import Graph
from mcucomp.ops import Node
from mcucomp.ops.conditions import integer_option
from mcucomp.ops.constants import array_of
from mcucomp.rewrite.edit import bypassed, same_kind, with_operators
from mcucomp.values import Interval, Values, is_regular
from mcucomp.values.elementwise import PAIRS, TRANSFERS, UNARY


def apply(graph: Graph, values: Values) -> Graph:
    """`graph`, of which `values` are true, without operators that change nothing."""
    position = 0
    while position < len(graph.operators):
        fewer = None
        source = _unchanged(Node(graph, graph.operators[position]), values)
        if source is not None:
            operator = graph.operators[position]
            others = tuple(i for i in operator.inputs if i != source)
            first = with_operators(graph, {position: replace(operator, inputs=(source, *others))})
            fewer = bypassed(first, position)
        if fewer is None:
            position += 1
        else:
            graph = fewer
    return graph


def _unchanged(node: Node, values: Values) -> int | None:
    """The input that the output equals; None where there is none."""
    kinds = (*_STILL, *PAIRS, *_BY_VALUE)
    if node.operator.kind not in kinds or len(node.operator.outputs) != 1 or not is_regular(node):
        return None
    result = node.output()
    for index in node.operator.inputs:
        source = node.graph.tensors[index] if index >= 0 else None
        if source is None or not same_kind(source, result):
            continue
        if source.is_constant or source.is_variable or index not in values.tensors:
            continue
        if _is_identity(node, index, values):
            return index
    return None


def _is_identity(node: Node, index: int, values: Values) -> bool:
    kind = node.operator.kind
    if kind in _STILL:
        return _STILL[kind](node)
    if kind in PAIRS:
        return _pair_keeps(node, index, values)
    return kind in _BY_VALUE and _keeps(node, values)


def _each_value(bounds: Interval) -> np.ndarray | None:
    """Every value between the least and the greatest, where that is a byte's worth."""
    low, high = int(bounds.low.min()), int(bounds.high.max())
    return np.arange(low, high + 1) if high - low <= 2**16 else None


def _keeps(node: Node, values: Values) -> bool:
    """Whether each value is its own image, under an operator on one tensor."""
    x = _each_value(values.tensors[node.input(0).index].interval)
    if x is None:
        return False
    found = TRANSFERS[node.operator.kind](node, [Interval(x, x)])
    out = None if found is None else found.outputs[0]
    return out is not None and bool((out.low == x).all() and (out.high == x).all())


def _pair_keeps(node: Node, index: int, values: Values) -> bool:
    """The same where the other tensor holds one value, or gives way to all of this one's."""
    position = node.operator.inputs.index(index)
    other = values.tensors.get(node.operator.inputs[1 - position])
    if other is None or node.operator.inputs[0] == node.operator.inputs[1]:
        return False
    own = values.tensors[index].interval
    if node.operator.kind == "MAXIMUM":
        return bool((other.interval.high <= own.low).all())
    if node.operator.kind == "MINIMUM":
        return bool((other.interval.low >= own.high).all())
    values_of_other = np.unique([other.interval.low.min(), other.interval.high.max()])
    x = _each_value(own)
    if x is None or len(values_of_other) != 1:
        return False
    same = np.full_like(x, values_of_other[0])
    pair = [Interval(same, same), Interval(same, same)]
    pair[position] = Interval(x, x)
    out = PAIRS[node.operator.kind](node, *pair)
    return bool((out.low == x).all() and (out.high == x).all())


def _moves_nothing(_node: Node) -> bool:
    """Input and output have the same shape, which says it all."""
    return True


def _pools_one(node: Node) -> bool:
    """Windows of one pixel, next to each other, without an activation."""
    names = ("filter_height", "filter_width", "stride_h", "stride_w")
    is_one = all(integer_option(node, name) == 1 for name in names)
    return is_one and node.option("fused_activation_function") == "NONE"


def _steps_forward(node: Node) -> bool:
    """A slice of everything may still run backwards."""
    return bool((array_of(node.input(3)) == 1).all())


_STILL: Mapping[str, Callable[[Node], bool]] = {
    "AVERAGE_POOL_2D": _pools_one,
    "BROADCAST_TO": _moves_nothing,
    "CONCATENATION": _moves_nothing,
    "MAX_POOL_2D": _pools_one,
    "MIRROR_PAD": _moves_nothing,
    "PAD": _moves_nothing,
    "PADV2": _moves_nothing,
    "RESIZE_BILINEAR": _moves_nothing,
    "RESIZE_NEAREST_NEIGHBOR": _moves_nothing,
    "SLICE": _moves_nothing,
    "SPLIT": _moves_nothing,
    "SPLIT_V": _moves_nothing,
    "STRIDED_SLICE": _steps_forward,
}
_BY_VALUE = (*UNARY, "QUANTIZE")
