"""How does a test change one thing about an operator?

A `Change` turns a graph of one operator into another; `found` is what the
operator's constraints say of the result.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from mcucomp.ir import DType, Graph, Operator, Quantization
from mcucomp.ops import Node, definition_of

Change = Callable[[Graph], Graph]


def tensor(index: int, **fields: object) -> Change:
    """Changes fields of one tensor."""

    def change(graph: Graph) -> Graph:
        tensors = list(graph.tensors)
        tensors[index] = dataclasses.replace(tensors[index], **fields)  # type: ignore[arg-type]
        return dataclasses.replace(graph, tensors=tuple(tensors))

    return change


def operator(**fields: object) -> Change:
    """Changes fields of the operator."""

    def change(graph: Graph) -> Graph:
        operator: Operator = dataclasses.replace(
            graph.operators[0],
            **fields,  # type: ignore[arg-type]
        )
        return dataclasses.replace(graph, operators=(operator,))

    return change


def option(name: str, value: object) -> Change:
    def change(graph: Graph) -> Graph:
        options = {**graph.operators[0].options, name: value}
        return operator(options=options)(graph)

    return change


def both(*changes: Change) -> Change:
    def change(graph: Graph) -> Graph:
        for one in changes:
            graph = one(graph)
        return graph

    return change


def values(index: int, values: np.ndarray) -> Change:
    """Another constant in place of tensor `index`."""
    return tensor(index, data=values.tobytes(), shape=values.shape, dtype=DType(values.dtype.name))


def q(scale: float, zero_point: int = 0) -> Quantization:
    return Quantization((scale,), (zero_point,))


def violation(graph: Graph) -> str | None:
    """The first constraint that the graph's only operator breaks."""
    node = Node(graph, graph.operators[0])
    definition = definition_of(node.operator)
    assert definition is not None
    return definition.violation(node)
