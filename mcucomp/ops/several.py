"""Which conditions hold for operators with any number of inputs or outputs?"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from mcucomp.ir import Tensor
from mcucomp.ops.base import Constraint, Node

Property = TypeVar("Property", bound=Hashable)


def all_inputs(node: Node) -> list[Tensor]:
    return [node.input(i) for i in range(len(node.operator.inputs))]


def all_outputs(node: Node) -> list[Tensor]:
    return [node.output(i) for i in range(len(node.operator.outputs))]


def many_inputs(least: int = 1) -> Constraint:
    def found(node: Node) -> str | None:
        inputs, outputs = node.operator.inputs, node.operator.outputs
        if len(inputs) >= least and len(outputs) == 1 and min(inputs) >= 0:
            return None
        absent = (
            f", {sum(i < 0 for i in inputs)} of them absent" if min(inputs, default=0) < 0 else ""
        )
        return f"{len(inputs)} inputs{absent} and {len(outputs)} outputs"

    return Constraint(f"there are at least {least} inputs, and one output", found)


def many_outputs(inputs: int) -> Constraint:
    def found(node: Node) -> str | None:
        given, outputs = node.operator.inputs, node.operator.outputs
        if len(given) == inputs and min(given) >= 0 and outputs:
            return None
        return f"{sum(i >= 0 for i in given)} inputs and {len(outputs)} outputs"

    noun = "input" if inputs == 1 else "inputs"
    return Constraint(f"there are {inputs} {noun}, and at least one output", found)


def has_alike(
    what: str, key: Callable[[Tensor], Property], text: Callable[[Property], str]
) -> Constraint:
    """All inputs have what the output has."""

    def found(node: Node) -> str | None:
        wanted = key(node.output())
        other = [key(t) for t in all_inputs(node) if key(t) != wanted]
        return f"{text(other[0])} and {text(wanted)}" if other else None

    return Constraint(f"inputs have {what}", found)


def gives_alike(
    what: str,
    position: int,
    key: Callable[[Tensor], Property],
    text: Callable[[Property], str],
) -> Constraint:
    """All outputs have what the input at `position` has."""

    def found(node: Node) -> str | None:
        wanted = key(node.input(position))
        other = [key(t) for t in all_outputs(node) if key(t) != wanted]
        return f"{text(other[0])} and {text(wanted)}" if other else None

    return Constraint(f"outputs have {what}", found)
