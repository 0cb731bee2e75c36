"""How does a step run other graphs, in C?

In: a call with `control`, and where the graphs have their arena. Out: a
`ControlStep`: the bytes that go in and out, which the templates put around the
calls of the graphs' functions. The graphs of a step run one after the other, so
all have their arenas at the same place: where the step has its scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mcucomp.codegen.places import Places
from mcucomp.ir import DType
from mcucomp.ops import ControlForm, KernelCall


@dataclass(frozen=True, slots=True)
class Copy:
    """Bytes that are handed on, between two C pointers."""

    target: str
    source: str
    size_bytes: int

    @property
    def statement(self) -> str:
        """The C of it."""
        return f"(void)memcpy({self.target}, {self.source}, {self.size_bytes}u);"


@dataclass(frozen=True, slots=True)
class CalledGraph:
    """A graph that a step runs: what it is given before, and what is taken after."""

    call: str
    given: tuple[Copy, ...]
    taken: tuple[Copy, ...]

    @property
    def statements(self) -> list[str]:
        """The C of it."""
        before, after = ([copy.statement for copy in side] for side in (self.given, self.taken))
        return [*before, f"{self.call};", *after]


@dataclass(frozen=True, slots=True)
class ControlStep:
    """A step that runs graphs.

    `flag` points to the byte that it decides by: a branch's condition, what a loop's
    condition gives, what remembers that a graph has run. `before` is what a loop
    copies before it begins.
    """

    form: str
    flag: str
    graphs: tuple[CalledGraph, ...]
    before: tuple[Copy, ...] = ()

    def texts(self) -> list[str]:
        """All C of it, to find out which names it uses."""
        statements = [statement for graph in self.graphs for statement in graph.statements]
        return [self.flag, *statements, *(copy.statement for copy in self.before)]


@dataclass(frozen=True, slots=True)
class _Calling:
    """A step of graph `g` named `name`, whose graphs have their arenas at `arena + base`."""

    places: Places
    g: int
    call: KernelCall
    name: str
    base: int

    def pointer(self, tensor: int) -> str:
        """To a tensor of the graph that calls."""
        position = self.call.reads.index(tensor) if tensor in self.call.reads else 0
        return self.places.pointer(self.g, tensor, f"{self.name}_input{position}")

    def called(self, index: int, operands: Sequence[int], results: Sequence[int]) -> CalledGraph:
        """Graph `index`, which takes operands and gives the first of its outputs as results."""
        graph = self.places.model.graphs[index]
        inputs = _with_bytes(self.places, index, graph.inputs)
        outputs = _with_bytes(self.places, index, graph.outputs)
        given = [
            Copy(self._inner(index, inner), self.pointer(outer), self.bytes_of(outer))
            for inner, outer in zip(inputs, operands, strict=True)
        ]
        taken = [
            Copy(self.pointer(outer), self._inner(index, inner), self.bytes_of(outer))
            for inner, outer in zip(outputs, results, strict=False)
        ]
        assert len(taken) == len(results)
        arena = f"arena + {self.base}" if self.base else "arena"
        arguments = (arena, "variables") if self.places.state.size_bytes else (arena,)
        return CalledGraph(
            f"graph_{index}({', '.join(arguments)})",
            tuple(copy for copy in given if copy.size_bytes),
            tuple(copy for copy in taken if copy.size_bytes),
        )

    def answer(self, index: int) -> str:
        """To the first output of graph `index`."""
        return self._inner(index, self.places.model.graphs[index].outputs[0])

    def _inner(self, index: int, tensor: int) -> str:
        """To a tensor of a graph that is called."""
        name = f"{self.name}_graph{index}_tensor{tensor}"
        return self.places.pointer(index, tensor, name, self.base)

    def bytes_of(self, tensor: int) -> int:
        return self.places.model.graphs[self.g].tensors[tensor].size_bytes


def control_step(places: Places, g: int, call: KernelCall, name: str, base: int) -> ControlStep:
    """The step of graph `g` that carries out `call`; constants are named after `name`."""
    assert call.control is not None
    return _FORMS[call.control.form](_Calling(places, g, call, name, base), call.control.graphs)


def _branch(calling: _Calling, graphs: tuple[int, ...]) -> ControlStep:
    condition, *operands = calling.call.reads
    return ControlStep(
        ControlForm.BRANCH.value,
        calling.pointer(condition),
        tuple(calling.called(graph, operands, calling.call.writes) for graph in graphs),
    )


def _loop(calling: _Calling, graphs: tuple[int, ...]) -> ControlStep:
    condition, body = graphs
    rounds = calling.call.writes
    before = [
        Copy(calling.pointer(target), calling.pointer(source), calling.bytes_of(target))
        for target, source in zip(rounds, calling.call.reads, strict=True)
    ]
    return ControlStep(
        ControlForm.LOOP.value,
        calling.answer(condition),
        (calling.called(condition, rounds, ()), calling.called(body, rounds, rounds)),
        tuple(copy for copy in before if copy.size_bytes),
    )


def _once(calling: _Calling, graphs: tuple[int, ...]) -> ControlStep:
    (has_run,) = calling.call.updates
    return ControlStep(
        ControlForm.ONCE.value,
        f"variables + {calling.places.slot_offset(has_run)}",
        (calling.called(graphs[0], (), ()),),
    )


_FORMS: Mapping[ControlForm, Callable[[_Calling, tuple[int, ...]], ControlStep]] = {
    ControlForm.BRANCH: _branch,
    ControlForm.LOOP: _loop,
    ControlForm.ONCE: _once,
}


def _with_bytes(places: Places, index: int, tensors: Sequence[int]) -> list[int]:
    """Those that are handed on as bytes; handles of resources are not."""
    found = places.model.graphs[index].tensors
    return [t for t in tensors if found[t].dtype is not DType.RESOURCE]
