"""EMBEDDING_LOOKUP: rows of a table that indices choose."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    has_zero_point,
    is_quantized,
    scale_of,
    takes,
)
from mcucomp.ops.element_types import has_types, where
from mcucomp.ops.movement import run_of

INDICES = Role("indices tensor", 0)
TABLE = Role("table", 1)


def _output_shape(node: Node) -> tuple[int, ...]:
    return (*node.input(0).shape, *node.input(1).shape[1:])


def _lower(node: Node) -> KernelCall:
    indices, table, result = node.input(0), node.input(1), node.output()
    reads, writes = (table.index, indices.index), (result.index,)
    if table.dtype is not result.dtype:
        params = {
            "rows": table.shape[0],
            "count": indices.elements,
            "depth": run_of(table, 1),
            "scale": scale_of(table),
        }
        return KernelCall("mcuc_embedding_lookup_s8_f32", params, reads, writes)
    return KernelCall(
        "mcuc_gather",
        {
            "batches": 1,
            "outer": 1,
            "axis_size": table.shape[0],
            "count": indices.elements,
            "run_bytes": run_of(table, 1),
        },
        reads,
        writes,
    )


EMBEDDING_LOOKUP = register(
    OperatorDef(
        kind="EMBEDDING_LOOKUP",
        summary="rows of a table that indices choose; those outside it count as its ends",
        constraints=(
            takes(INDICES, TABLE),
            has_type(INDICES, DType.INT32),
            has_types(
                (TABLE, OUTPUT),
                (
                    (DType.FLOAT32, DType.FLOAT32),
                    (DType.INT8, (DType.INT8, DType.FLOAT32)),
                ),
            ),
            has_rank(INDICES, 1),
            has_rank(TABLE, 2, 6),
            has_elements(INDICES),
            has_elements(TABLE),
            has_shape(OUTPUT, "indices and table", _output_shape),
            where(DType.INT8, is_quantized(TABLE), TABLE),
            where(DType.INT8, has_zero_point(TABLE, 0), TABLE),
        ),
        lower=_lower,
    )
)
