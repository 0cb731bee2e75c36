"""A tensor whose every value is known becomes a constant where it meets others.

Reason: what computes it is dropped then. It meets them in sums, products and
extremes, which repeat it along every dimension but the last, so that flash holds
a value a channel. Elsewhere what is made of it is known as well, or it would
have to be stored whole.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ir import Graph, Tensor
from mcucomp.ops import Node
from mcucomp.ops.constants import data_of
from mcucomp.rewrite.edit import producers, with_operators
from mcucomp.values import Values, is_regular

_REPEATING = ("ADD", "MAXIMUM", "MINIMUM", "MUL", "SUB")


def apply(graph: Graph, values: Values) -> Graph:
    """`graph`, of which `values` are true, with constants in the place of what is known."""
    made = producers(graph)
    for position, operator in enumerate(graph.operators):
        if operator.kind not in _REPEATING or not is_regular(Node(graph, operator)):
            continue
        for place, index in enumerate(operator.inputs):
            if index in made and _is_known(index, values):
                graph = _with_known(graph, position, place, values)
    return graph


def _is_known(index: int, values: Values) -> bool:
    if index not in values.tensors:
        return False
    interval = values.tensors[index].interval
    is_repeated = interval.low.size == (interval.low.shape or (1,))[-1]
    return is_repeated and bool((interval.low == interval.high).all())


def _with_known(graph: Graph, position: int, place: int, values: Values) -> Graph:
    """With the input number `place` as a constant, if the operator takes it."""
    operator = graph.operators[position]
    tensor = graph.tensors[operator.inputs[place]]
    held = values.tensors[tensor.index].interval.low
    constant = Tensor(
        len(graph.tensors),
        f"{tensor.name}/known",
        tensor.dtype,
        held.shape,
        tensor.quantization,
        data_of(held, tensor.dtype),
    )
    inputs = list(operator.inputs)
    inputs[place] = constant.index
    changed = with_operators(
        replace(graph, tensors=(*graph.tensors, constant)),
        {position: replace(operator, inputs=tuple(inputs))},
    )
    return changed if is_regular(Node(changed, changed.operators[position])) else graph
