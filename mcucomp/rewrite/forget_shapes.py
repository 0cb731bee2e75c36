"""A RESHAPE forgets a shape that is computed when the model runs.

Reason: the shape of its output says it already, and converters leave such
calculations (SHAPE, STRIDED_SLICE, PACK) where a model had an open batch. Nothing
needs them then, and they are dropped.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ir import Graph, Operator
from mcucomp.rewrite.edit import has_operands, with_operators


def _computes_shape(graph: Graph, operator: Operator) -> bool:
    if operator.kind != "RESHAPE" or len(operator.inputs) != 2 or not has_operands(operator, 2):
        return False
    return not graph.tensors[operator.inputs[1]].is_constant


def apply(graph: Graph) -> Graph:
    """`graph` whose RESHAPEs read constant shapes alone."""
    return with_operators(
        graph,
        {
            position: replace(operator, inputs=operator.inputs[:1])
            for position, operator in enumerate(graph.operators)
            if _computes_shape(graph, operator)
        },
    )
