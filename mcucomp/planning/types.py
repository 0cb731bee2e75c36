"""What is a plan of a whole model made for, and what is it?"""

from __future__ import annotations

from dataclasses import dataclass

from mcucomp.backends import Choice, Selection
from mcucomp.ir import Model
from mcucomp.memory import MemoryModel, StepGraph
from mcucomp.ops import KernelCall
from mcucomp.planner import Plan
from mcucomp.rows.plan import RowPlanned
from mcucomp.rules import Rules


@dataclass(frozen=True, slots=True)
class Asked:
    """What a plan is made for; without a selection no kernels are chosen.

    `arena_limit_bytes` is the most that the arena can have, where that is known.
    """

    alignment: int
    io: str
    rules: Rules
    selection: Selection | None
    arena_limit_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """A graph's memory model and plan; `unknown` operators have a scratch that is not known.

    `choices` has one a step, in the form that its plan asks for; none where no
    kernels were chosen. `rows` is the whole of a plan in rows; `memory` then knows
    its steps alone, and `choices` has one an operator.
    """

    memory: MemoryModel
    plan: Plan
    unknown: int
    choices: tuple[Choice, ...] = ()
    rows: RowPlanned | None = None

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """The kernel call of each choice."""
        return tuple(choice.call for choice in self.choices)

    @property
    def floor_graph(self) -> StepGraph:
        """The steps of which the floor is one: in rows, those of everything that can be."""
        return self.memory.step_graph if self.rows is None else self.rows.floor_graph


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A plan for each graph of `model`; the first is the one that runs.

    `selection` is what decided the choices of kernels, where there are any.
    """

    model: Model
    graphs: tuple[GraphPlan, ...]
    io: str
    selection: Selection | None = None

    @property
    def main(self) -> GraphPlan:
        return self.graphs[0]
