"""What do the planners see of a graph that TFLM runs?

In: one graph of a model, and TFLM's scratch. Out: a `StepGraph` with TFLM's
sizes: its tensors are the buffers, its operators the steps, and a step that
calls other graphs needs, as scratch, what these need at most.
"""

from __future__ import annotations

from mcucomp.ir import Model
from mcucomp.memory import Buffer, Step, StepGraph, live_bytes, round_up
from mcucomp.tflm.blocks import (
    ALIGNMENT_BYTES,
    Orders,
    Requests,
    called_graphs,
    is_planned,
    placed_elsewhere,
    tensor_bytes,
)
from mcucomp.tflm.state import precedence


def step_graph(model: Model, g: int, orders: Orders, requests: Requests) -> StepGraph:
    """The planning problem of graph `g`; step i is operator i of the file.

    `orders` are those in which the graphs that it calls will run.
    """
    graph = model.graphs[g]
    elsewhere = placed_elsewhere(graph)
    writers: dict[int, list[int]] = {i: [] for i in (*graph.inputs, *graph.outputs)}
    readers: dict[int, list[int]] = {}
    for operator in graph.operators:
        for index in operator.outputs:
            writers.setdefault(index, []).append(operator.index)
        for index in operator.inputs:
            readers.setdefault(index, []).append(operator.index)
    touched = sorted(i for i in writers.keys() | readers.keys() if i >= 0)
    # Every tensor that something writes orders its readers, also one that has no bytes in
    # the head, such as the handle of a resource.
    buffers = tuple(
        Buffer(
            name=tensor.name,
            size_bytes=tensor_bytes(tensor) if is_planned(tensor, elsewhere) else 0,
            writers=tuple(dict.fromkeys(writers.get(index, ()))),
            readers=tuple(dict.fromkeys(readers.get(index, ()))),
            held=index in graph.outputs,
        )
        for index in touched
        for tensor in (graph.tensors[index],)
        if not (tensor.is_constant or tensor.is_variable)
    )
    steps = tuple(
        Step(
            name=graph.tensors[operator.outputs[0]].name if operator.outputs else operator.kind,
            kind=operator.kind,
            scratch_bytes=_scratch_bytes(model, g, operator.index, orders, requests),
        )
        for operator in graph.operators
    )
    return StepGraph(steps, buffers, precedence(model, g), ALIGNMENT_BYTES)


def _scratch_bytes(model: Model, g: int, operator: int, orders: Orders, requests: Requests) -> int:
    own = sum(round_up(b, ALIGNMENT_BYTES) for b in requests.get((g, operator), ()))
    called = called_graphs(model.graphs[g].operators[operator])
    return own + max((_peak_bytes(model, c, orders, requests) for c in called), default=0)


def _peak_bytes(model: Model, g: int, orders: Orders, requests: Requests) -> int:
    return max(live_bytes(step_graph(model, g, orders, requests), orders[g]), default=0)
