"""A QUANTIZE or DEQUANTIZE at the edge of a graph is left to the application.

Reason: a camera gives bytes, and a threshold is as well compared with one; the
floats between are four times as large, and kernels for them are code. The
graph's inputs and outputs become int8 where nothing but the conversion stands
between. A result is the same but for the conversion: it is known, and an
application can do it for the values that it wants as numbers. Also for uint8, where
the conversion only moves the zero point by 128.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ir import DType, Graph, Tensor
from mcucomp.rewrite.edit import has_operands, producers, readers, without

_HALF = 128


def is_shifted(a: Tensor, b: Tensor) -> bool:
    """Whether uint8 `a` and int8 `b` hold the same values with zero points 128 apart."""
    if (a.dtype, b.dtype) != (DType.UINT8, DType.INT8):
        return False
    if a.quantization is None or b.quantization is None:
        return False
    scales = a.quantization.scales == b.quantization.scales
    return scales and a.quantization.zero_points[0] - b.quantization.zero_points[0] == _HALF


def _is_edge(outer: Tensor, inner: Tensor) -> bool:
    """Whether a conversion between them can be left to the application."""
    if inner.dtype is not DType.INT8 or inner.is_constant or inner.is_variable:
        return False
    return outer.dtype is DType.FLOAT32 or is_shifted(outer, inner)


def apply(graph: Graph) -> Graph:
    """`graph` with int8 inputs and outputs in the place of others; their order stays."""
    read, written = readers(graph), producers(graph)
    inputs, outputs, gone = list(graph.inputs), list(graph.outputs), []
    for k, index in enumerate(inputs):
        positions = read.get(index, [])
        if len(positions) != 1 or index in outputs:
            continue
        operator = graph.operators[positions[0]]
        if operator.kind != "QUANTIZE" or not has_operands(operator, 1):
            continue
        inner = graph.tensors[operator.outputs[0]]
        if _is_edge(graph.tensors[index], inner):
            inputs[k] = inner.index
            gone.append(positions[0])
    for k, index in enumerate(outputs):
        position = written.get(index)
        if position is None or read.get(index) or position in gone or outputs.count(index) > 1:
            continue
        operator = graph.operators[position]
        if operator.kind not in ("QUANTIZE", "DEQUANTIZE") or not has_operands(operator, 1):
            continue
        inner = graph.tensors[operator.inputs[0]]
        is_free = inner.index not in outputs and inner.index not in inputs
        if is_free and _is_edge(graph.tensors[index], inner):
            outputs[k] = inner.index
            gone.append(position)
    return replace(without(graph, gone), inputs=tuple(inputs), outputs=tuple(outputs))
