"""PAD: int8, with a margin of the output's zero point."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.clearance import ascending, padded
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    is_constant,
    is_quantized,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.strides import leading

PADDINGS = Role("paddings tensor", 1)
_DIMENSIONS = 5
_INDEX_TYPES = (DType.INT32, DType.INT64)


def _paddings_type_found(node: Node) -> str | None:
    dtype = node.input(1).dtype
    return None if dtype in _INDEX_TYPES else dtype.value


def _paddings_found(node: Node) -> str | None:
    rank, shape = len(node.input(0).shape), node.input(1).shape
    if shape != (rank, 2):
        return dims(shape)
    lowest = int(array_of(node.input(1)).min())
    return None if lowest >= 0 else f"{lowest}"


def _output_shape(node: Node) -> tuple[int, ...]:
    margins = array_of(node.input(1)).astype(object).sum(axis=1)
    return tuple(int(d + m) for d, m in zip(node.input(0).shape, margins, strict=True))


def _merged(
    shape: tuple[int, ...], paddings: np.ndarray
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """(shape, before, after) where dimensions without padding are part of those outside them."""
    sizes: list[int] = []
    before: list[int] = []
    after: list[int] = []
    inner = 1
    for size, (low, high) in zip(reversed(shape), reversed(paddings.tolist()), strict=True):
        if low == high == 0:
            inner *= size
            continue
        sizes.insert(0, size * inner)
        before.insert(0, low * inner)
        after.insert(0, high * inner)
        inner = 1
    if inner > 1 or not sizes:
        sizes.insert(0, inner)
        before.insert(0, 0)
        after.insert(0, 0)
    return tuple(sizes), tuple(before), tuple(after)


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    shape, before, after = _merged(source.shape, array_of(node.input(1)))
    return KernelCall(
        "mcuc_pad_s8",
        {
            "in_shape": leading(shape, 1, _DIMENSIONS),
            "before": leading(before, 0, _DIMENSIONS),
            "after": leading(after, 0, _DIMENSIONS),
            "value": zero_point_of(result),
        },
        reads=(source.index,),
        writes=(result.index,),
        clearances=(ascending(0, padded(shape, before, after)),),
    )


PAD = register(
    OperatorDef(
        kind="PAD",
        summary="a margin of zero points around a tensor",
        constraints=(
            takes(INPUT, PADDINGS),
            has_type(INPUT, DType.INT8),
            has_type(OUTPUT, DType.INT8),
            Constraint("paddings are int32 or int64", _paddings_type_found),
            is_constant(PADDINGS),
            has_rank(INPUT, 1, _DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            is_quantized(OUTPUT),
            Constraint(
                "paddings are two numbers of at least 0 for each dimension", _paddings_found
            ),
            has_shape(OUTPUT, "input and paddings", _output_shape),
        ),
        lower=_lower,
    )
)
