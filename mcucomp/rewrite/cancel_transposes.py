"""A TRANSPOSE that undoes the one before it is dropped, and one that moves nothing.

Reason: converters write them in pairs around layers of another layout; both
move every byte, and none has a good order to overlap in.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ir import Graph
from mcucomp.ops.constants import array_of
from mcucomp.rewrite.edit import bypassed, has_operands, producers, same_kind, with_operators


def _axes(graph: Graph, position: int) -> tuple[int, ...] | None:
    """The input dimension that each of the output's is; None if it is no known TRANSPOSE."""
    operator = graph.operators[position]
    if len(operator.inputs) != 2 or operator.kind != "TRANSPOSE" or not has_operands(operator, 2):
        return None
    permutation, source = (graph.tensors[operator.inputs[k]] for k in (1, 0))
    if not permutation.is_constant or permutation.dtype.value != "int32":
        return None
    rank = len(source.shape)
    axes = tuple(a + rank if a < 0 else a for a in array_of(permutation).ravel().tolist())
    return axes if sorted(axes) == list(range(rank)) else None


def _undone(graph: Graph, position: int) -> int | None:
    """The tensor that the output of a TRANSPOSE equals; None where there is none."""
    axes = _axes(graph, position)
    if axes is None:
        return None
    operator = graph.operators[position]
    result = graph.tensors[operator.outputs[0]]
    still = tuple(range(len(axes)))
    if axes == still:
        return operator.inputs[0] if same_kind(graph.tensors[operator.inputs[0]], result) else None
    before = producers(graph).get(operator.inputs[0])
    earlier = None if before is None else _axes(graph, before)
    if before is None or earlier is None or tuple(earlier[a] for a in axes) != still:
        return None
    source = graph.operators[before].inputs[0]
    return source if same_kind(graph.tensors[source], result) else None


def apply(graph: Graph) -> Graph:
    """`graph` without what is undone; the first of a pair goes when nobody else reads it."""
    position = 0
    while position < len(graph.operators):
        source = _undone(graph, position)
        fewer = None
        if source is not None and not graph.tensors[source].is_constant:
            operator = graph.operators[position]
            direct = replace(operator, inputs=(source, *operator.inputs[1:]))
            fewer = bypassed(with_operators(graph, {position: direct}), position)
        if fewer is None:
            position += 1
        else:
            graph = fewer
    return graph
