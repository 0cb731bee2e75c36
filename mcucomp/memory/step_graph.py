"""Which steps and buffers does a lowered graph have?

In: a graph and its kernel calls, one an operator. Out: a `MemoryModel`: the
`StepGraph` that planning works on, and which buffer each tensor is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp.ir import Graph
from mcucomp.memory.types import Buffer, Step, StepGraph
from mcucomp.ops import KernelCall


@dataclass(frozen=True, slots=True)
class MemoryModel:
    """A step graph with its way back: `buffer_of_tensor` maps tensor to buffer index."""

    step_graph: StepGraph
    buffer_of_tensor: Mapping[int, int]


def memory_model(graph: Graph, calls: Sequence[KernelCall], alignment: int) -> MemoryModel:
    """The planning problem of `graph`: step i is operator i, as `calls[i]` lowers it.

    A tensor gets a buffer if it lives in the arena: an input or output of the
    graph, or something that a step writes or reads, and no constant.
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

    buffers: list[Buffer] = []
    buffer_of_tensor: dict[int, int] = {}
    for index in sorted(writers.keys() | readers.keys()):
        tensor = graph.tensors[index]
        if tensor.is_constant:
            continue
        buffer_of_tensor[index] = len(buffers)
        buffers.append(
            Buffer(
                name=tensor.name,
                size_bytes=tensor.size_bytes,
                writers=tuple(dict.fromkeys(writers.get(index, ()))),
                readers=tuple(dict.fromkeys(readers.get(index, ()))),
                held=index in graph.outputs,
            )
        )
    steps = tuple(
        Step(
            name=graph.tensors[operator.outputs[0]].name,
            kind=operator.kind,
            scratch_bytes=call.scratch_bytes,
        )
        for operator, call in zip(graph.operators, calls, strict=True)
    )
    return MemoryModel(StepGraph(steps, tuple(buffers), (), alignment), buffer_of_tensor)
