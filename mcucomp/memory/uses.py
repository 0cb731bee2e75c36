"""Which tensors does an operator use, and how much scratch does it take?

An operator that can be compiled says so itself, through its kernel call. Of any
other the file says which tensors it uses, and its scratch is not known: it
counts as none, and `unknown` says so. A plan can be made of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mcucomp.ir import Model
from mcucomp.ops import Clearance, KernelCall, Node, Slot, View, definition_of, with_contract


class Use(Protocol):
    """What planning wants to know of an operator; a `KernelCall` is one."""

    @property
    def reads(self) -> tuple[int, ...]: ...

    @property
    def writes(self) -> tuple[int, ...]: ...

    @property
    def scratch_bytes(self) -> int: ...

    @property
    def clearances(self) -> tuple[Clearance, ...]: ...

    @property
    def views(self) -> tuple[View, ...]: ...

    @property
    def updates(self) -> tuple[Slot, ...]: ...


@dataclass(frozen=True, slots=True)
class TensorUse:
    """Tensors by index, scratch in bytes, state that is touched beside the arena.

    `unknown` where the scratch is not known.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    scratch_bytes: int = 0
    unknown: bool = False
    clearances: tuple[Clearance, ...] = ()
    views: tuple[View, ...] = ()
    updates: tuple[Slot, ...] = ()


def uses_of(model: Model, index: int = 0) -> tuple[TensorUse, ...]:
    """The use of each operator of a graph of `model`, in the file's order."""
    graph = model.graphs[index]
    uses = []
    for operator in graph.operators:
        node = Node(graph, operator, model, index)
        definition = definition_of(operator)
        if definition is not None and definition.violation(node) is None:
            uses.append(use_of(with_contract(definition.lower(node))))
        else:
            reads = tuple(index for index in operator.inputs if index >= 0)
            writes = tuple(index for index in operator.outputs if index >= 0)
            uses.append(TensorUse(reads, writes, 0, unknown=True))
    return tuple(uses)


def use_of(call: KernelCall) -> TensorUse:
    """What a kernel call uses."""
    return TensorUse(
        call.reads,
        call.writes,
        call.scratch_bytes,
        clearances=call.clearances,
        views=call.views,
        updates=call.updates,
    )


def unknown_scratch(uses: Sequence[TensorUse]) -> int:
    """How many operators have a scratch that is not known."""
    return sum(use.unknown for use in uses)
