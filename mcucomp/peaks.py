"""Which arena peaks may a device measure?

In: the planned graphs of a model, with their kernel calls. Out: every peak that a
run can have, to the byte. A model without control flow has one: the highest byte
of its plan. A branch that is not taken, a loop that does not go round and a graph
that ran before touch nothing, so with them the peak depends on the run; the
greatest is the plan's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mcucomp.memory import StepGraph
from mcucomp.ops import ControlForm, KernelCall
from mcucomp.planner import Plan


class _Memory(Protocol):
    @property
    def step_graph(self) -> StepGraph: ...


class _Graph(Protocol):
    @property
    def memory(self) -> _Memory: ...

    @property
    def plan(self) -> Plan: ...

    @property
    def calls(self) -> tuple[KernelCall, ...]: ...


def possible_peaks(graphs: Sequence[_Graph]) -> tuple[int, ...]:
    """In bytes, ascending. `graphs[0]` is the one that runs."""
    return tuple(sorted(_peaks(graphs, 0)))


def _peaks(graphs: Sequence[_Graph], g: int) -> set[int]:
    """Of a graph, from where its own arena starts."""
    peaks = {_own_bytes(graphs[g])}
    for step, call in enumerate(graphs[g].calls):
        if call.control is None:
            continue
        base = graphs[g].plan.scratch_offsets[step] or 0
        called = [{base + peak for peak in _peaks(graphs, k)} for k in call.control.graphs]
        runs = _runs(call.control.form, called)
        peaks = {max(peak, run) for peak in peaks for run in runs}
    return peaks


def _runs(form: ControlForm, called: Sequence[set[int]]) -> set[int]:
    """What the graphs that a step runs may reach, all times together."""
    if form is ControlForm.BRANCH:
        return called[0] | called[1]
    if form is ControlForm.ONCE:
        return {0} | called[0]
    # A graph that has branches may take another one in each round.
    condition, body = called
    return {max(a, b) for a in condition for b in {0} | body}


def _own_bytes(graph: _Graph) -> int:
    """The highest byte of buffers, and of the scratch that kernels use themselves."""
    controls = {step for step, call in enumerate(graph.calls) if call.control is not None}
    ends = [
        offset + buffer.size_bytes
        for offset, buffer in zip(graph.plan.offsets, graph.memory.step_graph.buffers, strict=True)
        if buffer.size_bytes
    ]
    ends += [
        offset + graph.memory.step_graph.steps[step].scratch_bytes
        for step, offset in enumerate(graph.plan.scratch_offsets)
        if offset is not None and step not in controls
    ]
    return max(ends, default=0)
