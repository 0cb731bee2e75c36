"""What do SPLIT, SPLIT_V and UNPACK have in common?

In: which input is parted along which dimension. Out: constraints, and the call.
"""

from __future__ import annotations

from collections.abc import Callable

from mcucomp.ops.base import Constraint, KernelCall, Node
from mcucomp.ops.conditions import Role, dims, has_elements, tensor_of
from mcucomp.ops.element_types import MOVABLE, has_type_among
from mcucomp.ops.movement import parted_call, run_of
from mcucomp.ops.several import all_outputs, gives_alike


def parts_constraints(role: Role) -> tuple[Constraint, ...]:
    """What holds for the parted tensor and the parts, before shapes are compared."""
    return (
        has_type_among(role, MOVABLE),
        gives_alike(
            f"the type of {role.name}", role.position, lambda t: t.dtype, lambda d: d.value
        ),
        has_elements(role),
    )


def parts_add_up(role: Role, axis: Callable[[Node], int]) -> Constraint:
    """Outputs have the input's shape, and add up to it along `axis`."""

    def found(node: Node) -> str | None:
        shape, along = tensor_of(role, node).shape, axis(node)
        parts = [t.shape for t in all_outputs(node)]
        others = (*shape[:along], *shape[along + 1 :])
        fits = all(
            len(p) == len(shape) and p[along] >= 1 and (*p[:along], *p[along + 1 :]) == others
            for p in parts
        )
        if fits and sum(p[along] for p in parts) == shape[along]:
            return None
        return f"{', '.join(dims(p) for p in parts)} and {dims(shape)}"

    return Constraint(f"outputs have {role.name}'s shape, and add up to it along axis", found)


def split_call(node: Node, role: Role, axis: int) -> KernelCall:
    results = all_outputs(node)
    return parted_call(tensor_of(role, node), results, [run_of(t, axis) for t in results])
