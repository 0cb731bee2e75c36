"""QUANTIZE to the same scale and RESHAPE to the same shape are dropped.

Reason: they copy. A scale over itself is the multiplier 2^30 with a left shift
of one, which returns every int8 as it is; a RESHAPE never changes a byte.
"""

from __future__ import annotations

from mcucomp.ir import DType, Graph, Operator
from mcucomp.rewrite.edit import bypassed, has_operands, same_kind

_KINDS = ("QUANTIZE", "RESHAPE", "SQUEEZE", "EXPAND_DIMS")
_REQUANTISED = (DType.INT8, DType.INT16)


def _is_identity(graph: Graph, operator: Operator) -> bool:
    if operator.kind not in _KINDS or not has_operands(operator, 1):
        return False
    source, result = graph.tensors[operator.inputs[0]], graph.tensors[operator.outputs[0]]
    if source.is_constant or source.is_variable or not same_kind(source, result):
        return False
    quantization = source.quantization
    return operator.kind != "QUANTIZE" or (
        source.dtype in _REQUANTISED and quantization is not None and len(quantization.scales) == 1
    )


def apply(graph: Graph) -> Graph:
    """`graph` without operators that copy."""
    position = 0
    while position < len(graph.operators):
        fewer = None
        if _is_identity(graph, graph.operators[position]):
            fewer = bypassed(graph, position)
        if fewer is None:
            position += 1
        else:
            graph = fewer
    return graph
