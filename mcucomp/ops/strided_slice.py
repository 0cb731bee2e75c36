"""STRIDED_SLICE: every so many-th element along each dimension, forwards or backwards."""

from __future__ import annotations

from dataclasses import dataclass

from mcucomp.ir import DType
from mcucomp.ops.axes import values_of
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_option,
    has_rank,
    has_shape,
    has_type,
    integer_option,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import strided_call
from mcucomp.ops.strides import dense_strides

BEGIN = Role("begin", 1)
END = Role("end", 2)
STRIDES = Role("strides tensor", 3)
_DIMENSIONS = 5


@dataclass(frozen=True, slots=True)
class _Range:
    """Along one dimension: `count` elements from `first` on, `step` apart."""

    first: int
    step: int
    count: int
    is_dropped: bool


def _clamped(value: int, size: int, step: int) -> int:
    """A start or stop; negative ones count from the end."""
    value = value + size if value < 0 else value
    low, high = (0, size) if step > 0 else (-1, size - 1)
    return min(max(value, low), high)


def _ranges(node: Node) -> list[_Range]:
    begins, ends, steps = (values_of(node.input(i)) for i in (1, 2, 3))
    begin_mask, end_mask = integer_option(node, "begin_mask"), integer_option(node, "end_mask")
    shrink_mask = integer_option(node, "shrink_axis_mask")
    result = []
    for i, size in enumerate(node.input(0).shape):
        step, is_dropped = steps[i], bool(shrink_mask >> i & 1)
        lowest, highest = (0, size) if step > 0 else (size - 1, -1)
        first = lowest if begin_mask >> i & 1 else _clamped(begins[i], size, step)
        stop = highest if end_mask >> i & 1 else _clamped(ends[i], size, step)
        count = 1 if is_dropped else max(0, -((first - stop) // step))
        result.append(_Range(first, step, count, is_dropped))
    return result


def _counts_found(node: Node) -> str | None:
    rank, counts = len(node.input(0).shape), [node.input(i).elements for i in (1, 2, 3)]
    return None if set(counts) == {rank} else f"{', '.join(map(str, counts))} for {rank}"


def _steps_found(node: Node) -> str | None:
    return "0" if 0 in values_of(node.input(3)) else None


def _inside_found(node: Node) -> str | None:
    for i, (size, r) in enumerate(zip(node.input(0).shape, _ranges(node), strict=True)):
        if not 0 <= r.first < size or r.count < 1:
            return f"{r.count} elements from {r.first} on of {size} along dimension {i}"
    return None


def _output_shape(node: Node) -> tuple[int, ...]:
    return tuple(r.count for r in _ranges(node) if not r.is_dropped)


def _lower(node: Node) -> KernelCall:
    source, result, ranges = node.input(0), node.output(), _ranges(node)
    strides = dense_strides(source.shape)
    start = sum(s * r.first for s, r in zip(strides, ranges, strict=True))
    steps = [s * r.step for s, r in zip(strides, ranges, strict=True)]
    return strided_call(source, result, [r.count for r in ranges], steps, start)


def _is_unset(value: object) -> bool:
    return value in (0, None)


STRIDED_SLICE = register(
    OperatorDef(
        kind="STRIDED_SLICE",
        summary="every so many-th element along each dimension, forwards or backwards",
        constraints=(
            takes(INPUT, BEGIN, END, STRIDES),
            *same_types(MOVABLE),
            *(has_type(role, DType.INT32) for role in (BEGIN, END, STRIDES)),
            *(is_constant(role) for role in (BEGIN, END, STRIDES)),
            has_rank(INPUT, 1, _DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_option("ellipsis_mask", "ellipsis mask is 0", _is_unset),
            has_option("new_axis_mask", "new axis mask is 0", _is_unset),
            has_option("offset", "end is no offset from begin", lambda v: v in (False, None)),
            Constraint("begin, end and strides have a number for each dimension", _counts_found),
            Constraint("strides are not 0", _steps_found),
            Constraint("the range along each dimension has an element", _inside_found),
            has_shape(OUTPUT, "input, begin, end, strides and masks", _output_shape),
        ),
        lower=_lower,
    )
)
