"""Which steps and buffers does a lowered graph have?

In: a graph and its kernel calls, one an operator. Out: a `MemoryModel`: the
`StepGraph` that planning works on, and which buffer each tensor is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp.ir import DType, Graph, Operator
from mcucomp.memory.effects import effect_order
from mcucomp.memory.types import Buffer, Step, StepGraph
from mcucomp.memory.uses import Use


@dataclass(frozen=True, slots=True)
class MemoryModel:
    """A step graph with its way back: `buffer_of_tensor` maps tensor to buffer index."""

    step_graph: StepGraph
    buffer_of_tensor: Mapping[int, int]


def memory_model(
    graph: Graph, calls: Sequence[Use], alignment: int, *, io: str = "shared"
) -> MemoryModel:
    """The planning problem of `graph`: step i is operator i, as `calls[i]` lowers it.

    A tensor gets a buffer if it lives in the arena: an input or output of the
    graph, or something that a step writes or reads, and neither a constant nor a
    variable. A handle of a resource takes no bytes: its variable is known here.

    io: "shared" lets inputs end with their last reader and outputs begin with
        their writer; "held" keeps both in place during the whole inference.
    """
    writers: dict[int, list[int]] = {}
    readers: dict[int, list[int]] = {}
    for index in (*graph.inputs, *graph.outputs):
        writers.setdefault(index, [])
    for step, call in enumerate(calls):
        for index in call.writes:
            writers.setdefault(index, []).append(step)
        for index in call.reads:
            readers.setdefault(index, []).append(step)

    held = {*graph.outputs, *(graph.inputs if io == "held" else ())}
    from_start = set(graph.outputs if io == "held" else ())
    buffers: list[Buffer] = []
    buffer_of_tensor: dict[int, int] = {}
    for index in sorted(writers.keys() | readers.keys()):
        tensor = graph.tensors[index]
        if tensor.is_constant or tensor.is_variable:
            continue
        buffer_of_tensor[index] = len(buffers)
        buffers.append(
            Buffer(
                name=tensor.name,
                size_bytes=0 if tensor.dtype is DType.RESOURCE else tensor.size_bytes,
                writers=tuple(dict.fromkeys(writers.get(index, ()))),
                readers=tuple(dict.fromkeys(readers.get(index, ()))),
                held=index in held,
                from_start=index in from_start,
            )
        )
    steps = tuple(
        Step(_name(graph, operator), operator.kind, call.scratch_bytes)
        for operator, call in zip(graph.operators, calls, strict=True)
    )
    step_graph = StepGraph(steps, tuple(buffers), effect_order(graph), alignment)
    return MemoryModel(step_graph, buffer_of_tensor)


def _name(graph: Graph, operator: Operator) -> str:
    """An operator is named after its first output; one without is named by its number."""
    written = [index for index in operator.outputs if index >= 0]
    return graph.tensors[written[0]].name if written else f"operator {operator.index}"
