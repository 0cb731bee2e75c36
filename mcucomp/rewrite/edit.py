"""How is a graph changed? Small steps that passes share; all return a new graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from mcucomp.ir import DType, Graph, Operator, Quantization, Tensor
from mcucomp.ir.verify import ABSENT
from mcucomp.ops.constants import data_of


def has_operands(operator: Operator, inputs: int) -> bool:
    """Whether the first `inputs` inputs are there, none of them absent, and one output."""
    given = operator.inputs[:inputs]
    return len(given) == inputs and min(given) >= 0 and len(operator.outputs) == 1


def readers(graph: Graph) -> dict[int, list[int]]:
    """For each tensor the positions of the operators that read it, once for each time."""
    found: dict[int, list[int]] = {}
    for position, operator in enumerate(graph.operators):
        for index in operator.inputs:
            found.setdefault(index, []).append(position)
    return found


def producers(graph: Graph) -> dict[int, int]:
    """For each tensor that an operator writes, that operator's position."""
    return {
        index: position
        for position, operator in enumerate(graph.operators)
        for index in operator.outputs
    }


def without(graph: Graph, positions: Iterable[int]) -> Graph:
    """`graph` without the operators at `positions`."""
    gone = set(positions)
    kept = tuple(op for position, op in enumerate(graph.operators) if position not in gone)
    return replace(graph, operators=kept)


def with_operators(graph: Graph, changed: Mapping[int, Operator]) -> Graph:
    """`graph` with other operators at some positions."""
    operators = tuple(changed.get(k, operator) for k, operator in enumerate(graph.operators))
    return replace(graph, operators=operators)


def with_tensor(graph: Graph, tensor: Tensor) -> Graph:
    """`graph` with another tensor in the place of the one of that index."""
    tensors = list(graph.tensors)
    tensors[tensor.index] = tensor
    return replace(graph, tensors=tuple(tensors))


def with_constant(
    graph: Graph,
    position: int,
    place: int,
    values: np.ndarray,
    quantization: Quantization | None,
    dtype: DType | None = None,
) -> Graph:
    """`graph` whose operator at `position` reads these values as its input number `place`.

    The constant that it read there keeps its index, name and type; where others
    read it too, or there was none (then `dtype` is the type), a new tensor comes
    behind the others.
    """
    operator = graph.operators[position]
    old = operator.inputs[place] if place < len(operator.inputs) else ABSENT
    if old == ABSENT:
        assert dtype is not None
        name = f"{graph.tensors[operator.outputs[0]].name}/input{place}"
        tensor = Tensor(len(graph.tensors), name, dtype, (), None, b"")
    else:
        tensor = graph.tensors[old]
        if len(readers(graph)[old]) > 1:
            tensor = replace(tensor, index=len(graph.tensors))
    data = data_of(values, tensor.dtype)
    if (tensor.shape, tensor.quantization, tensor.data) == (values.shape, quantization, data):
        return graph
    tensor = replace(tensor, shape=values.shape, quantization=quantization, data=data)
    if tensor.index == old:
        return with_tensor(graph, tensor)
    inputs = [*operator.inputs, *[ABSENT] * (place + 1 - len(operator.inputs))]
    inputs[place] = tensor.index
    graph = replace(graph, tensors=(*graph.tensors, tensor))
    return with_operators(graph, {position: replace(operator, inputs=tuple(inputs))})


def bypassed(graph: Graph, position: int) -> Graph | None:
    """`graph` without an operator whose first output equals its first input; None if it must stay.

    Readers of the output take the input instead. An output of the graph must be
    written by somebody: then the input's producer writes it, if the input has no
    other use.
    """
    operator = graph.operators[position]
    source, result = operator.inputs[0], operator.outputs[0]
    if result not in graph.outputs:
        renamed = {
            k: replace(op, inputs=tuple(source if i == result else i for i in op.inputs))
            for k, op in enumerate(graph.operators)
            if result in op.inputs
        }
        return without(with_operators(graph, renamed), [position])
    producer = producers(graph).get(source)
    only_use = readers(graph).get(source) == [position] and source not in graph.outputs
    if producer is None or not only_use or len(graph.operators[producer].outputs) != 1:
        return None
    return without(with_operators(graph, {producer: writing(graph, producer, result)}), [position])


def writing(graph: Graph, position: int, result: int) -> Operator:
    """The operator at `position`, which has one output, with `result` as that output."""
    operator = graph.operators[position]
    assert len(operator.outputs) == 1
    return replace(operator, outputs=(result,))


def same_kind(a: Tensor, b: Tensor) -> bool:
    """Whether whatever reads `a` may read `b`, if they hold the same bytes."""
    return (a.dtype, a.shape, a.quantization) == (b.dtype, b.shape, b.quantization)
