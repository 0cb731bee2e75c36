"""A QUANTIZE at the edge of a graph is done where the input is handed over.

Reason: a float image takes four times the bytes of the int8 that is made of it
at once. The graph's input becomes the quantised tensor; whoever hands an input
over quantises it on the way into the arena, with the same arithmetic (float32
division, halves away from zero), so that no result changes. Only where nothing
else reads the floats.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ir import DType, Graph
from mcucomp.rewrite.edit import has_operands, readers, without


def apply(graph: Graph) -> Graph:
    """`graph` with quantised inputs in the place of floats; their order stays."""
    inputs = list(graph.inputs)
    read = readers(graph)
    gone = []
    for k, index in enumerate(inputs):
        positions = read.get(index, [])
        if graph.tensors[index].dtype is not DType.FLOAT32 or len(positions) != 1:
            continue
        operator = graph.operators[positions[0]]
        if operator.kind != "QUANTIZE" or not has_operands(operator, 1):
            continue
        result = graph.tensors[operator.outputs[0]]
        shared = index in graph.outputs or result.index in graph.outputs
        if result.dtype is DType.INT8 and not shared:
            inputs[k] = result.index
            gone.append(positions[0])
    return replace(without(graph, gone), inputs=tuple(inputs))
