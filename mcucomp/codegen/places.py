"""Where is each tensor of each graph, as C?

In: the planned graphs of a model, its constants and its state. Out: C expressions
in terms of two names that every graph's function has: `arena` is where the graph's
own arena starts, `variables` the state of the whole model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mcucomp.codegen.constants import ConstantPool, tensor_constant
from mcucomp.codegen.names import comment
from mcucomp.codegen.state import StateLayout
from mcucomp.errors import short_name
from mcucomp.ir import Model
from mcucomp.memory import MemoryModel
from mcucomp.ops import KernelCall, Slot
from mcucomp.ops.state import tensor_slot
from mcucomp.planner import Plan


class PlannedGraph(Protocol):
    """A graph's plan, and the kernel call of each of its steps."""

    @property
    def memory(self) -> MemoryModel: ...

    @property
    def plan(self) -> Plan: ...

    @property
    def calls(self) -> tuple[KernelCall, ...]: ...


@dataclass(frozen=True, slots=True)
class Places:
    """The places of all tensors of `model`; `graphs` are planned, one each."""

    model: Model
    graphs: Sequence[PlannedGraph]
    pool: ConstantPool
    state: StateLayout

    def offset(self, g: int, tensor: int) -> int:
        """Of a tensor in the arena of graph `g`."""
        memory = self.graphs[g].memory
        buffer = memory.buffer_of_tensor[tensor]
        return self.graphs[g].plan.offsets[buffer] + memory.place_in_buffer[tensor]

    def slot_offset(self, slot: Slot) -> int:
        """Of a slot in the state."""
        return self.state.offsets[slot.key]

    def state_offset(self, g: int, tensor: int) -> int:
        """Of a variable tensor in the state."""
        return self.slot_offset(tensor_slot(self.model.graphs[g].tensors[tensor], g))

    def pointer(self, g: int, tensor: int, name: str, base: int = 0) -> str:
        """To the bytes of a tensor; g's arena starts at `arena + base`. A constant that is
        not in flash yet gets the name."""
        found = self.model.graphs[g].tensors[tensor]
        if found.is_constant:
            return self.pool.add(name, tensor_constant(found))
        if found.is_variable:
            return f"variables + {self.state_offset(g, tensor)}"
        return f"arena + {base + self.offset(g, tensor)}"

    def named(self, g: int, tensor: int) -> str:
        """A tensor and its place, as the header comment has it."""
        found = self.model.graphs[g].tensors[tensor]
        if found.is_constant:
            where = "flash"
        elif found.is_variable:
            where = f"state+{self.state_offset(g, tensor)}"
        else:
            where = str(self.offset(g, tensor))
        return f"{comment(short_name(found.name))}@{where}"


def slots_of(
    model: Model, graphs: Sequence[PlannedGraph], reached: Sequence[int]
) -> tuple[Slot, ...]:
    """The state of the graphs that are `reached`: what steps update, and variables that are
    only read or given out."""
    found: list[Slot] = []
    for g in reached:
        for call in graphs[g].calls:
            found += call.updates
        used = [*model.graphs[g].outputs, *(t for call in graphs[g].calls for t in call.reads)]
        tensors = [model.graphs[g].tensors[t] for t in dict.fromkeys(used)]
        found += [tensor_slot(tensor, g) for tensor in tensors if tensor.is_variable]
    return tuple(found)


def reached_graphs(graphs: Sequence[PlannedGraph]) -> tuple[int, ...]:
    """The graphs that the first one runs, directly or through others, each after those that it
    runs itself; the first one is last."""
    order: list[int] = []

    def visit(index: int) -> None:
        if index in order:
            return
        for call in graphs[index].calls:
            for callee in call.control.graphs if call.control else ():
                visit(callee)
        order.append(index)

    visit(0)
    return tuple(order)
