"""MIRROR_PAD: a margin that mirrors what is beside it."""

from __future__ import annotations

import numpy as np

from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_option,
    has_rank,
    has_shape,
    is_constant,
    takes,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.element_types import INDEX, MOVABLE, has_type_among, same_types
from mcucomp.ops.movement import byte_strides, bytes_of, table_call
from mcucomp.ops.padding import PADDINGS, padded_shape, paddings_found

_DIMENSIONS = 6


def _edge(node: Node) -> int:
    """1 where the outermost element is not repeated."""
    return 1 if node.option("mode") == "REFLECT" else 0


def _widths_found(node: Node) -> str | None:
    """A margin has nothing to mirror beyond the other end."""
    for size, pair in zip(node.input(0).shape, array_of(node.input(1)).tolist(), strict=True):
        if max(pair) > size - _edge(node):
            return f"{max(pair)} for a dimension of {size}"
    return None


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    tables = []
    pairs = array_of(node.input(1)).tolist()
    for size, (before, after), stride in zip(
        source.shape, pairs, byte_strides(source), strict=True
    ):
        edge = _edge(node)
        low = np.arange(before - 1 + edge, edge - 1, -1)
        high = np.arange(size - 1 - edge, size - 1 - edge - after, -1)
        tables.append(np.concatenate([low, np.arange(size), high]) * stride)
    run = bytes_of(source)
    if len(pairs) > 1 and pairs[-1] == [0, 0]:
        run *= source.shape[-1]
        tables.pop()
    return table_call(source, result, tables, run)


MIRROR_PAD = register(
    OperatorDef(
        kind="MIRROR_PAD",
        summary="a margin that mirrors what is beside it",
        constraints=(
            takes(INPUT, PADDINGS),
            *same_types(MOVABLE),
            has_type_among(PADDINGS, INDEX),
            is_constant(PADDINGS),
            has_rank(INPUT, 1, _DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_option(
                "mode", "mode is REFLECT or SYMMETRIC", lambda v: v in ("REFLECT", "SYMMETRIC")
            ),
            paddings_found(),
            Constraint("margins are no wider than what they mirror", _widths_found),
            has_shape(OUTPUT, "input and paddings", padded_shape),
        ),
        lower=_lower,
    )
)
