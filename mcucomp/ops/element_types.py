"""Which element types does an operator take, and what follows from them?

Operators that work alike for several types list them here once: as conditions
on their tensors, and as the table from type to lowering.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node
from mcucomp.ops.conditions import INPUT, OUTPUT, Role, tensor_of

# What kernels that only move values take: every type that has a C type.
MOVABLE = (
    DType.BOOL,
    DType.FLOAT32,
    DType.INT8,
    DType.INT16,
    DType.INT32,
    DType.INT64,
    DType.UINT8,
    DType.UINT32,
)
INDEX = (DType.INT32, DType.INT64)

Lowering = Callable[[Node], KernelCall]


def listed(names: Sequence[str], last: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def names_of(dtypes: Sequence[DType]) -> str:
    return listed([dtype.value for dtype in dtypes])


def has_type_among(role: Role, dtypes: Sequence[DType]) -> Constraint:
    """The tensor, if it is there, has one of these types."""

    def found(node: Node) -> str | None:
        tensor = role.of(node)
        return None if tensor is None or tensor.dtype in dtypes else tensor.dtype.value

    return Constraint(f"{role.name} is {names_of(dtypes)}", found)


def has_type_of(role: Role, other: Role) -> Constraint:
    """Both tensors have the same type."""

    def found(node: Node) -> str | None:
        a, b = role.of(node), tensor_of(other, node)
        return None if a is None or a.dtype is b.dtype else f"{a.dtype.value} and {b.dtype.value}"

    return Constraint(f"{role.name} has the type of {other.name}", found)


def has_types(
    roles: Sequence[Role], rows: Sequence[tuple[DType | tuple[DType, ...], ...]]
) -> Constraint:
    """The types of `roles` are those of a row; an optional input may be absent."""
    alternatives = [tuple(t if isinstance(t, tuple) else (t,) for t in row) for row in rows]
    texts = [
        listed(["/".join(dtype.value for dtype in dtypes) for dtypes in row], "and")
        for row in alternatives
    ]

    def found(node: Node) -> str | None:
        tensors = [role.of(node) for role in roles]
        for row in alternatives:
            pairs = zip(tensors, row, strict=True)
            if all(tensor is None or tensor.dtype in dtypes for tensor, dtypes in pairs):
                return None
        return listed([t.dtype.value for t in tensors if t is not None], "and")

    subject = listed([role.name for role in roles], "and")
    return Constraint(f"{subject} are {'; or '.join(texts)}", found)


def where(
    dtypes: DType | Sequence[DType], constraint: Constraint, role: Role = INPUT
) -> Constraint:
    """`constraint`, for tensors of these types in `role` only."""
    among = (dtypes,) if isinstance(dtypes, DType) else tuple(dtypes)

    def found(node: Node) -> str | None:
        return constraint.found(node) if tensor_of(role, node).dtype in among else None

    return Constraint(f"for {names_of(among)} {role.name}: {constraint.sentence}", found)


def by_type(table: Mapping[DType, Lowering], role: Role = INPUT) -> Lowering:
    """The lowering that `table` has for the type of the tensor in `role`."""

    def lower(node: Node) -> KernelCall:
        return table[tensor_of(role, node).dtype](node)

    return lower


def same_types(dtypes: Sequence[DType], *roles: Role) -> tuple[Constraint, ...]:
    """Input has one of `dtypes`; `roles`, or output where there are none, have the same."""
    return (
        has_type_among(INPUT, dtypes),
        *(has_type_of(role, INPUT) for role in roles or (OUTPUT,)),
    )
