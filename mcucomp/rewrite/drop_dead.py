"""Operators whose outputs nobody reads are dropped.

Reason: they take time, and their outputs take bytes while they run. Only kinds
that do nothing but write their outputs: those that can be compiled, and the
shape calculations that converters leave behind.
"""

from __future__ import annotations

from mcucomp.ir import Graph
from mcucomp.ops import registered
from mcucomp.rewrite.edit import readers, without

_SHAPE_CALCULATIONS = ("SHAPE", "RANK", "PACK", "STRIDED_SLICE", "SLICE", "GATHER", "CAST", "RANGE")


def apply(graph: Graph) -> Graph:
    """`graph` without what nobody needs."""
    compiled = {kind for kind, definition in registered().items() if not definition.has_effects}
    pure = {*compiled, *_SHAPE_CALCULATIONS}
    while True:
        read = readers(graph)
        dead = [
            position
            for position, operator in enumerate(graph.operators)
            if operator.kind in pure
            and not any(graph.tensors[i].is_variable for i in operator.inputs if i >= 0)
            and not any(i in read or i in graph.outputs for i in operator.outputs)
        ]
        if not dead:
            return graph
        graph = without(graph, dead)
