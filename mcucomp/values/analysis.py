"""Which values can each tensor of a graph hold, whatever its inputs are?

In: a graph. Out: a `Values`: for each tensor of int8 and int16 the bounds of
its values, by element or by channel, and why they hold; for layers with
weights the bounds of their sums. Inputs and variables may hold anything. An
operator that is not known here, or is used in a way that cannot be compiled,
gives everything that its output's type holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcucomp.ir import Graph, Operator
from mcucomp.ops.base import KernelCall, Node, definition_of
from mcucomp.values import elementwise, layers, movement, pools
from mcucomp.values.found import Found, Transfer
from mcucomp.values.interval import Interval, of_constant, of_type, settled
from mcucomp.values.requantise import fits_int32

_TRANSFERS: Mapping[str, Transfer] = {
    **layers.TRANSFERS,
    **elementwise.TRANSFERS,
    **pools.TRANSFERS,
    **movement.TRANSFERS,
}


@dataclass(frozen=True, slots=True)
class TensorValues:
    """Bounds of a tensor's values and why they hold; `sums` where a layer with weights made it."""

    interval: Interval
    why: str
    sums: Interval | None = None


@dataclass(frozen=True, slots=True)
class Values:
    """What was found out about a graph: by tensor index, those that have an analysed type."""

    graph: Graph
    tensors: Mapping[int, TensorValues]

    def channels(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """(lowest, highest) of each channel, the last dimension, of a tensor that is listed."""
        return self.tensors[index].interval.channels(self.graph.tensors[index].shape)

    def constant_channels(self, index: int) -> np.ndarray:
        """Which channels hold one value, wherever and whatever the input; none if not listed."""
        if index not in self.tensors:
            shape = self.graph.tensors[index].shape
            return np.zeros(shape[-1] if shape else 1, bool)
        low, high = self.channels(index)
        found: np.ndarray = low == high
        return found


def analyse(graph: Graph) -> Values:
    """Bounds for every tensor of int8 or int16 that the graph uses."""
    known: dict[int, TensorValues] = {}
    for index in graph.inputs:
        _note(known, graph, index, "the graph's input, any value of its type")
    for operator in graph.operators:
        for index in operator.inputs:
            if index >= 0 and index not in known:
                _note(known, graph, index, "a variable, any value of its type")
        _analyse_operator(known, graph, operator)
    return Values(graph, known)


def _note(known: dict[int, TensorValues], graph: Graph, index: int, why: str) -> None:
    """A tensor that no operator has written: a constant, or anything."""
    tensor = graph.tensors[index]
    constant = of_constant(tensor)
    interval = of_type(tensor) if constant is None else constant
    if interval is not None:
        known[index] = TensorValues(interval, why if constant is None else "a constant")


def _analyse_operator(known: dict[int, TensorValues], graph: Graph, operator: Operator) -> None:
    found = _found(known, Node(graph, operator))
    for k, index in enumerate(operator.outputs):
        everything = of_type(graph.tensors[index])
        if everything is None:
            continue
        interval = None if found is None else found.outputs[k]
        if found is None or interval is None or graph.tensors[index].is_variable:
            why = f"{operator.kind} is not followed: any value of its type"
            known[index] = TensorValues(everything, why)
        else:
            known[index] = TensorValues(settled(interval), found.why, found.sums)


def _found(known: Mapping[int, TensorValues], node: Node) -> Found | None:
    transfer = _TRANSFERS.get(node.operator.kind)
    if transfer is None or not is_regular(node):
        return None
    inputs = [
        None if index not in known else known[index].interval for index in node.operator.inputs
    ]
    return transfer(node, inputs)


def with_sums(graph: Graph, calls: Sequence[KernelCall]) -> tuple[KernelCall, ...]:
    """The calls of the operators of `graph`, with the sums that can occur where those have 32 bits.

    What does not wrap around is the same sum whether kernels fold the zero point
    into the bias or not.
    """
    values = analyse(graph)
    return tuple(
        replace(call, sums=_narrow_sums(values, operator))
        for operator, call in zip(graph.operators, calls, strict=True)
    )


def _narrow_sums(values: Values, operator: Operator) -> tuple[tuple[int, int], ...]:
    found = values.tensors.get(operator.outputs[0]) if operator.outputs else None
    if operator.kind not in layers.KINDS or found is None or found.sums is None:
        return ()
    low, high = found.sums.low, found.sums.high
    if not fits_int32(low, high).all():
        return ()
    return tuple(zip(low.tolist(), high.tolist(), strict=True))


def is_regular(node: Node) -> bool:
    """Whether an operator keeps to the constraints under which its arithmetic is known."""
    definition = definition_of(node.operator)
    return definition is not None and definition.violation(node) is None
