"""A RELU or RELU6 on its own becomes the fused activation of the operator before it.

Reason: a pass over the tensor less. Exact only where both tensors have one
scale and zero point: then the activation is a clamp, and clamping twice is
clamping once to what both allow. RELU6 ends where its input's scale puts 6, as
a fused one ends where the output's puts it. Operators that take no fused
activation, as CONCATENATION, keep what follows them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mcucomp.ir import DType, Graph, Tensor
from mcucomp.ops.arithmetic import INT8_MAX, activation_range, round_half_away
from mcucomp.ops.base import Node, definition_of
from mcucomp.rewrite.edit import producers, readers, same_kind, with_operators, without

_KINDS = ("RELU", "RELU6")


def _is_exact(kind: str, source: Tensor, result: Tensor) -> bool:
    q = source.quantization
    if source.dtype is not DType.INT8 or not same_kind(source, result) or q is None:
        return False
    if len(q.scales) != 1 or len(q.zero_points) != 1:
        return False
    zero_point = q.zero_points[0]
    highest = INT8_MAX
    if kind == "RELU6":
        six = float(np.float32(6.0) / np.float32(q.scales[0]))
        highest = min(highest, zero_point + round_half_away(min(six, 1e6)))
    return activation_range(kind, q.scales[0], zero_point) == (zero_point, highest)


def _can_run(node: Node) -> bool:
    definition = definition_of(node.operator)
    return definition is not None and definition.violation(node) is None


def _absorbed(graph: Graph, position: int) -> Graph | None:
    """`graph` without the activation at `position`; None where it must stay."""
    operator = graph.operators[position]
    if operator.kind not in _KINDS or not _can_run(Node(graph, operator)):
        return None
    source, result = operator.inputs[0], operator.outputs[0]
    before = producers(graph).get(source)
    if before is None or readers(graph)[source] != [position] or source in graph.outputs:
        return None
    producer = graph.operators[before]
    if producer.options.get("fused_activation_function") != "NONE" or len(producer.outputs) != 1:
        return None
    if not _is_exact(operator.kind, graph.tensors[source], graph.tensors[result]):
        return None
    options = {**producer.options, "fused_activation_function": operator.kind}
    fused = replace(producer, outputs=(result,), options=options)
    if not _can_run(Node(graph, fused)):
        return None
    return without(with_operators(graph, {before: fused}), [position])


def apply(graph: Graph) -> Graph:
    """`graph` with activations absorbed where that is exact."""
    position = 0
    while position < len(graph.operators):
        fewer = _absorbed(graph, position)
        if fewer is None:
            position += 1
        else:
            graph = fewer
    return graph
