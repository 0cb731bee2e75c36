"""Which steps and buffers does a lowered graph have?

In: a graph, what each of its operators uses, and which rules hold. Out: a
`MemoryModel`: the `StepGraph` that planning works on, which operators its steps
are, and where each tensor is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp.ir import DType, Graph, Operator
from mcucomp.memory.effects import effect_order
from mcucomp.memory.overlaps import overlaps_of
from mcucomp.memory.types import Buffer, Step, StepGraph
from mcucomp.memory.uses import Use
from mcucomp.memory.views import Groups, grouped
from mcucomp.rules import Rules


@dataclass(frozen=True, slots=True)
class MemoryModel:
    """A step graph with its way back to the graph.

    Step k is the operator at position `operators[k]` of the graph. Tensor t is
    in buffer `buffer_of_tensor[t]`, `place_in_buffer[t]` bytes from its start.
    """

    step_graph: StepGraph
    buffer_of_tensor: Mapping[int, int]
    place_in_buffer: Mapping[int, int]
    operators: tuple[int, ...]


def memory_model(
    graph: Graph,
    calls: Sequence[Use],
    alignment: int,
    *,
    io: str = "shared",
    rules: Rules = Rules(),
) -> MemoryModel:
    """The planning problem of `graph`, of which operator i is lowered to `calls[i]`.

    A tensor gets a buffer if it lives in the arena: an input or output of the
    graph, or something that a step writes or reads, and neither a constant nor a
    variable. A handle of a resource takes no bytes: its variable is known here.
    A call that uses nothing at all, such as one that makes a handle, is no step.

    io: "shared" lets inputs end with their last reader and outputs begin with
        their writer; "held" keeps both in place during the whole inference.
    """
    groups, kept = grouped(graph, calls if rules.views else (), alignment)
    kept = kept if rules.views else tuple(range(len(calls)))
    kept = tuple(k for k in kept if _does_something(calls[k]))
    remaining = tuple(calls[k] for k in kept)
    buffers, buffer_of_tensor = _buffers(graph, remaining, groups, io)
    place_in_buffer = {t: groups.place[t] for t in buffer_of_tensor}
    steps = tuple(
        Step(_name(graph, graph.operators[k]), graph.operators[k].kind, calls[k].scratch_bytes)
        for k in kept
    )
    step_of = {k: step for step, k in enumerate(kept)}
    effects = {
        (step_of[a], step_of[b]): None
        for a, b in effect_order(graph, calls)
        if a in step_of and b in step_of
    }
    parts = _between_parts(graph, calls, step_of, buffers, buffer_of_tensor)
    overlaps = (
        overlaps_of(remaining, buffers, buffer_of_tensor, place_in_buffer) if rules.overlap else ()
    )
    precedence = tuple(effects | parts)
    step_graph = StepGraph(steps, buffers, precedence, alignment, overlaps, rules.name)
    return MemoryModel(step_graph, buffer_of_tensor, place_in_buffer, kept)


def _does_something(use: Use) -> bool:
    return bool(use.reads or use.writes or use.updates or use.scratch_bytes)


def _name(graph: Graph, operator: Operator) -> str:
    """An operator is named after its first output; one without is named by its number."""
    written = [index for index in operator.outputs if index >= 0]
    return graph.tensors[written[0]].name if written else f"operator {operator.index}"


def _buffers(
    graph: Graph, calls: Sequence[Use], groups: Groups, io: str
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
    held = {*graph.outputs, *(graph.inputs if io == "held" else ())}
    from_start = set(graph.outputs if io == "held" else ())
    buffers: list[Buffer] = []
    buffer_of_tensor: dict[int, int] = {}
    for group in sorted(used, key=lambda group: min(groups.members[group])):
        tensors = sorted(groups.members[group])
        first = graph.tensors[tensors[0]]
        if first.is_constant or first.is_variable:
            continue
        for t in tensors:
            buffer_of_tensor[t] = len(buffers)
        written = tuple(writers.get(group, ()))
        buffers.append(
            Buffer(
                name=first.name,
                size_bytes=0
                if first.dtype is DType.RESOURCE
                else max(groups.place[t] + graph.tensors[t].size_bytes for t in tensors),
                writers=written,
                readers=tuple(readers.get(group, ())),
                held=not held.isdisjoint(tensors),
                from_start=not from_start.isdisjoint(tensors)
                or (bool(written) and any(t in graph.inputs for t in tensors)),
                in_parts=len(written) > 1,
            )
        )
    return tuple(buffers), buffer_of_tensor


def _between_parts(
    graph: Graph,
    calls: Sequence[Use],
    step_of: Mapping[int, int],
    buffers: Sequence[Buffer],
    buffer_of_tensor: Mapping[int, int],
) -> dict[tuple[int, int], None]:
    """For buffers in parts: who defines a part, before who reads bytes of it."""
    makers: dict[int, frozenset[int]] = {}
    pairs: dict[tuple[int, int], None] = {}
    for k, call in enumerate(calls):
        made = frozenset().union(*(makers.get(t, frozenset()) for t in call.reads))
        if k in step_of:
            for t in call.reads:
                if t in buffer_of_tensor and buffers[buffer_of_tensor[t]].in_parts:
                    pairs |= {(m, step_of[k]): None for m in sorted(makers.get(t, ()))}
            made = frozenset({step_of[k]})
        # What a view writes is what it reads.
        makers |= dict.fromkeys(call.writes, made)
    return pairs
