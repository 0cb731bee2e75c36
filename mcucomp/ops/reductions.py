"""What do operators that reduce some dimensions have in common?

In: an input and its axes. Out: constraints, and how a kernel walks through
the kept and the reduced dimensions.
"""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.axes import values_of, wrapped
from mcucomp.ops.base import Constraint, Node, ParamValue
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    is_constant,
    takes,
)
from mcucomp.ops.element_types import same_types
from mcucomp.ops.strides import RASTER_DIMENSIONS, dense_strides, leading, merged

AXES = Role("axes tensor", 1)


def axes_of(node: Node) -> frozenset[int]:
    """The dimensions that are reduced; negative ones count from the end."""
    rank = len(node.input(0).shape)
    return frozenset(wrapped(axis, rank) for axis in values_of(node.input(1)))


def _axes_found(node: Node) -> str | None:
    rank = len(node.input(0).shape)
    if all(0 <= axis < rank for axis in axes_of(node)):
        return None
    return f"{', '.join(map(str, values_of(node.input(1))))} for {rank} dimensions"


def reduced_count(node: Node) -> int:
    """Elements that one output is made of."""
    shape = node.input(0).shape
    return math.prod(shape[axis] for axis in axes_of(node))


def _output_shape(node: Node) -> tuple[int, ...]:
    axes, shape = axes_of(node), node.input(0).shape
    if node.operator.options.get("keep_dims"):
        return tuple(1 if i in axes else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in axes)


def reduction_constraints(dtypes: tuple[DType, ...]) -> tuple[Constraint, ...]:
    return (
        takes(INPUT, AXES),
        *same_types(dtypes),
        has_type(AXES, DType.INT32),
        is_constant(AXES),
        has_rank(INPUT, 1, RASTER_DIMENSIONS),
        has_elements(INPUT),
        has_elements(OUTPUT),
        Constraint("axes are dimensions of input", _axes_found),
        has_shape(OUTPUT, "input, axes and keep_dims", _output_shape),
    )


def _walk(node: Node, dimensions: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(shape, strides) of the input along some of its dimensions."""
    shape, strides = node.input(0).shape, dense_strides(node.input(0).shape)
    sizes, (steps,) = merged(
        tuple(shape[i] for i in dimensions), (tuple(strides[i] for i in dimensions),)
    )
    return leading(sizes, 1), leading(steps, 0)


def reduction_walk(node: Node, name: str) -> dict[str, ParamValue]:
    """The parameters of the walk; kernels call the reduced dimensions by `name`."""
    axes = axes_of(node)
    kept_shape, kept_strides = _walk(
        node, [i for i in range(len(node.input(0).shape)) if i not in axes]
    )
    shape, strides = _walk(node, sorted(axes))
    return {
        "kept_shape": kept_shape,
        "kept_strides": kept_strides,
        f"{name}_shape": shape,
        f"{name}_strides": strides,
    }
