"""A fused activation whose ends no value reaches is dropped.

Reason: kernels that clamp to the whole range of the type have less to do, and
some do nothing else. Only where the ends are within the type's range: elsewhere
there is nothing to gain.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mcucomp.ir import Graph
from mcucomp.ops import Node
from mcucomp.rewrite.edit import with_operators
from mcucomp.values import Interval, Values, is_regular, layer_of
from mcucomp.values.interval import LIMITS
from mcucomp.values.layers import limits, outputs_of

_NAME = "fused_activation_function"


def apply(graph: Graph, values: Values) -> Graph:
    """`graph`, of which `values` are true, without clamps that never clamp."""
    for position, operator in enumerate(graph.operators):
        if operator.options.get(_NAME, "NONE") == "NONE" or not is_regular(Node(graph, operator)):
            continue
        if _never_clamps(Node(graph, operator), values):
            options = {**operator.options, _NAME: "NONE"}
            graph = with_operators(graph, {position: replace(operator, options=options)})
    return graph


def _never_clamps(node: Node, values: Values) -> bool:
    result = node.output()
    if result.index not in values.tensors or result.dtype not in LIMITS:
        return False
    # What is not followed may have an activation that is no clamp, such as TANH.
    free = _without_clamp(node, values)
    if free is None:
        return False
    lowest, highest = limits(node)
    if (lowest, highest) == LIMITS[result.dtype]:
        return False
    return bool((free.low >= lowest).all() and (free.high <= highest).all())


def _without_clamp(node: Node, values: Values) -> Interval | None:
    """Bounds of the output without the activation; None where they are not known."""
    layer, total = layer_of(node), values.tensors[node.output().index].sums
    if layer is not None:
        return None if total is None else outputs_of(layer, total, "NONE")
    if node.operator.kind not in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
        return None
    source = values.tensors[node.input(0).index].interval
    return Interval(np.array(source.low.min()), np.array(source.high.max()))
