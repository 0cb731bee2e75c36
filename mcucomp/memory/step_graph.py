"""Which steps and buffers does a lowered graph have?

In: a graph and its kernel calls, one an operator, and which rules hold. Out: a
`MemoryModel`: the `StepGraph` that planning works on, the calls that its steps
stand for, and where each tensor is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp.ir import Graph
from mcucomp.memory.overlaps import overlaps_of
from mcucomp.memory.types import Buffer, Step, StepGraph
from mcucomp.memory.views import Groups, grouped
from mcucomp.ops import KernelCall
from mcucomp.rules import Rules


@dataclass(frozen=True, slots=True)
class MemoryModel:
    """A step graph with its way back to the graph.

    Step k carries out `calls[k]`, the lowered operator at position
    `operators[k]` of the graph. Tensor t is in buffer `buffer_of_tensor[t]`,
    `place_in_buffer[t]` bytes from its start.
    """

    step_graph: StepGraph
    buffer_of_tensor: Mapping[int, int]
    place_in_buffer: Mapping[int, int]
    calls: tuple[KernelCall, ...]
    operators: tuple[int, ...]


def memory_model(
    graph: Graph,
    calls: Sequence[KernelCall],
    alignment: int,
    rules: Rules = Rules(),  # noqa: B008
) -> MemoryModel:
    """The planning problem of `graph`, of which operator i is lowered to `calls[i]`.

    A tensor gets a place if it lives in the arena: an input or output of the
    graph, or something that a step writes or reads, and no constant.
    """
    if rules.views:
        groups, kept = grouped(graph, calls, alignment)
    else:
        groups, kept = grouped(graph, (), alignment)[0], tuple(range(len(calls)))
    remaining = tuple(calls[k] for k in kept)
    buffers, buffer_of_tensor = _buffers(graph, remaining, groups)
    place_in_buffer = {t: groups.place[t] for t in buffer_of_tensor}
    steps = tuple(
        Step(
            name=graph.tensors[graph.operators[k].outputs[0]].name,
            kind=graph.operators[k].kind,
            scratch_bytes=calls[k].scratch_bytes,
        )
        for k in kept
    )
    step_graph = StepGraph(
        steps,
        buffers,
        _precedence(graph, calls, kept, buffers, buffer_of_tensor),
        alignment,
        overlaps_of(remaining, buffers, buffer_of_tensor, place_in_buffer) if rules.overlap else (),
        rules.name,
    )
    return MemoryModel(step_graph, buffer_of_tensor, place_in_buffer, remaining, kept)


def _buffers(
    graph: Graph, calls: Sequence[KernelCall], groups: Groups
) -> tuple[tuple[Buffer, ...], dict[int, int]]:
    """A buffer for each group of tensors of which one is used, in the order of their tensors."""
    writers: dict[int, dict[int, None]] = {}
    readers: dict[int, dict[int, None]] = {}
    for step, call in enumerate(calls):
        for t in call.writes:
            writers.setdefault(groups.group[t], {})[step] = None
        for t in call.reads:
            readers.setdefault(groups.group[t], {})[step] = None
    used = {groups.group[t] for t in (*graph.inputs, *graph.outputs)}
    used |= writers.keys() | readers.keys()
    first_tensor = {g: min(groups.members[g]) for g in used}
    buffers: list[Buffer] = []
    buffer_of_tensor: dict[int, int] = {}
    for group in sorted(used, key=first_tensor.__getitem__):
        tensors = sorted(groups.members[group])
        if graph.tensors[tensors[0]].is_constant:
            continue
        for t in tensors:
            buffer_of_tensor[t] = len(buffers)
        written = tuple(writers.get(group, ()))
        buffers.append(
            Buffer(
                name=graph.tensors[tensors[0]].name,
                size_bytes=max(groups.place[t] + graph.tensors[t].size_bytes for t in tensors),
                writers=written,
                readers=tuple(readers.get(group, ())),
                held=any(t in graph.outputs for t in tensors),
                from_start=bool(written) and any(t in graph.inputs for t in tensors),
                in_parts=len(written) > 1,
            )
        )
    return tuple(buffers), dict(sorted(buffer_of_tensor.items()))


def _precedence(
    graph: Graph,
    calls: Sequence[KernelCall],
    kept: Sequence[int],
    buffers: Sequence[Buffer],
    buffer_of_tensor: Mapping[int, int],
) -> tuple[tuple[int, int], ...]:
    """For buffers in parts: who defines a part before who reads bytes of it."""
    step_of_call = {k: step for step, k in enumerate(kept)}
    makers: dict[int, set[int]] = {t: set() for t in graph.inputs}
    for k, call in enumerate(calls):
        if k in step_of_call:
            defines = {step_of_call[k]}
        else:  # a view: its outputs are what its inputs are
            defines = set().union(*(makers.get(t, set()) for t in call.reads))
        for t in call.writes:
            makers[t] = defines
    pairs: dict[tuple[int, int], None] = {}
    for step, k in enumerate(kept):
        for t in calls[k].reads:
            if t in buffer_of_tensor and buffers[buffer_of_tensor[t]].in_parts:
                for maker in sorted(makers.get(t, ())):
                    pairs[maker, step] = None
    return tuple(pairs)
