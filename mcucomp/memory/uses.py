"""Which tensors does an operator use, and how much scratch does it take?

An operator that can be compiled says so itself, through its kernel call. Of any
other the file says which tensors it uses, and its scratch is not known: it
counts as none, and `unknown` says so. A plan can be made of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mcucomp.ir import Graph
from mcucomp.ops import Clearance, KernelCall, Node, View, registered, with_contract


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


@dataclass(frozen=True, slots=True)
class TensorUse:
    """Tensors by index, scratch in bytes; `unknown` where the scratch is not known.

    `call` is the kernel call that this is the use of, where there is one.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    scratch_bytes: int = 0
    unknown: bool = False
    clearances: tuple[Clearance, ...] = ()
    views: tuple[View, ...] = ()
    call: KernelCall | None = None

    @staticmethod
    def of(call: KernelCall) -> TensorUse:
        """What `call` says of itself."""
        return TensorUse(
            call.reads,
            call.writes,
            call.scratch_bytes,
            clearances=call.clearances,
            views=call.views,
            call=call,
        )


def uses_of(graph: Graph) -> tuple[TensorUse, ...]:
    """The use of each operator, in the file's order."""
    definitions = registered()
    uses = []
    for operator in graph.operators:
        node = Node(graph, operator)
        definition = definitions.get(operator.kind)
        if definition is not None and definition.violation(node) is None:
            uses.append(TensorUse.of(with_contract(definition.lower(node))))
        else:
            reads = tuple(index for index in operator.inputs if index >= 0)
            writes = tuple(index for index in operator.outputs if index >= 0)
            uses.append(TensorUse(reads, writes, 0, unknown=True))
    return tuple(uses)


def unknown_scratch(uses: Sequence[TensorUse]) -> int:
    """How many operators have a scratch that is not known."""
    return sum(use.unknown for use in uses)
