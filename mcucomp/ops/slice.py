"""SLICE: a box out of a tensor."""

from __future__ import annotations

from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, OUTPUT, Role, has_elements, has_rank, is_constant, takes
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, same_types
from mcucomp.ops.movement import strided_call
from mcucomp.ops.strides import dense_strides

BEGIN = Role("begin", 1)
SIZE = Role("size", 2)
_DIMENSIONS = 5


def _counts_found(node: Node) -> str | None:
    rank, counts = len(node.input(0).shape), (node.input(1).elements, node.input(2).elements)
    return None if counts == (rank, rank) else f"{counts[0]} and {counts[1]} for {rank}"


def _box(node: Node) -> list[tuple[int, int]]:
    """(first, size) along each dimension; a size of -1 goes to the end."""
    pairs = zip(
        node.input(0).shape, values_of(node.input(1)), values_of(node.input(2)), strict=True
    )
    return [(begin, d - begin if size == -1 else size) for d, begin, size in pairs]


def _box_found(node: Node) -> str | None:
    box, shape, result = _box(node), node.input(0).shape, node.output().shape
    inside = all(
        begin >= 0 and size >= 1 and begin + size <= d
        for d, (begin, size) in zip(shape, box, strict=True)
    )
    if inside and tuple(size for _, size in box) == result:
        return None
    return ", ".join(f"{begin}+{size} of {d}" for d, (begin, size) in zip(shape, box, strict=True))


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    strides = dense_strides(source.shape)
    start = sum(s * begin for s, (begin, _) in zip(strides, _box(node), strict=True))
    return strided_call(source, result, result.shape, strides, start)


SLICE = register(
    OperatorDef(
        kind="SLICE",
        summary="a box out of a tensor",
        constraints=(
            takes(INPUT, BEGIN, SIZE),
            *same_types(MOVABLE),
            *(has_type_among(role, INDEX) for role in (BEGIN, SIZE)),
            is_constant(BEGIN),
            is_constant(SIZE),
            has_rank(INPUT, 1, _DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("begin and size have a number for each dimension", _counts_found),
            Constraint("the box lies inside input and is the output", _box_found),
        ),
        lower=_lower,
    )
)
