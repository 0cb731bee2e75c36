"""Which dimension does an operator mean? Negative ones count from the end."""

from __future__ import annotations

from collections.abc import Callable

from mcucomp.ir import Tensor
from mcucomp.ops.base import Constraint, Node
from mcucomp.ops.conditions import Role, integer_option, tensor_of
from mcucomp.ops.constants import array_of


def wrapped(axis: int, rank: int) -> int:
    return axis + rank if axis < 0 else axis


def values_of(tensor: Tensor) -> list[int]:
    """The integers of a constant tensor, flat."""
    return [int(value) for value in array_of(tensor).ravel()]


def is_one_axis(
    axis: Callable[[Node], int], of: Callable[[Node], int], name: str = "axis"
) -> Constraint:
    """`axis` is one of `of` dimensions."""

    def found(node: Node) -> str | None:
        rank, given = of(node), axis(node)
        return None if -rank <= given < rank else f"axis {given} for {rank} dimensions"

    return Constraint(f"{name} is a dimension", found)


def axis_option(node: Node) -> int:
    return integer_option(node, "axis")


def scalar_of(role: Role) -> Callable[[Node], int]:
    """The first integer of a constant tensor."""
    return lambda node: values_of(tensor_of(role, node))[0]


def has_one_value(role: Role) -> Constraint:
    def found(node: Node) -> str | None:
        count = tensor_of(role, node).elements
        return None if count == 1 else f"{count}"

    return Constraint(f"{role.name} has one value", found)


def rank_of(role: Role) -> Callable[[Node], int]:
    return lambda node: len(tensor_of(role, node).shape)
