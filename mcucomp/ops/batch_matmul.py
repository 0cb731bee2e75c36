"""BATCH_MATMUL: products of matrices, one for each batch."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import INT8_MAX, INT8_MIN, wide_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.broadcasting import broadcast_shape
from mcucomp.ops.conditions import (
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_zero_point,
    is_quantized,
    scale_of,
    takes,
)
from mcucomp.ops.convolution import scales_fit
from mcucomp.ops.element_types import by_type, has_type_among, has_type_of, where
from mcucomp.ops.products import product_call, product_call_f32, product_call_s8, walk
from mcucomp.ops.ranges import float_range

FIRST = Role("first input", 0)
SECOND = Role("second input", 1)
_ALL = (FIRST, SECOND, OUTPUT)
_DIMENSIONS = 5
_DTYPES = (DType.FLOAT32, DType.INT8, DType.INT16)


def _is_turned(node: Node, name: str) -> bool:
    return bool(node.operator.options.get(name))


def _matrices(node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    """(rows, depth) and (depth, cols), each as it is multiplied."""
    a, b = node.input(0).shape[-2:], node.input(1).shape[-2:]
    left = (a[1], a[0]) if _is_turned(node, "adj_x") else (a[0], a[1])
    right = (b[1], b[0]) if _is_turned(node, "adj_y") else (b[0], b[1])
    return left, right


def _shapes_found(node: Node) -> str | None:
    a, b, result = node.input(0).shape, node.input(1).shape, node.output().shape
    (rows, depth), (other_depth, cols) = _matrices(node)
    batches = broadcast_shape(a[:-2], b[:-2])
    if depth == other_depth and batches is not None and result == (*batches, rows, cols):
        return None
    return f"{dims(a)} * {dims(b)} = {dims(result)}"


def _reals(node: Node) -> list[float]:
    return [scale_of(node.input(0)) * scale_of(node.input(1)) / scale_of(node.output())]


def _walk(node: Node) -> dict[str, ParamValue]:
    (rows, depth), (_, cols) = _matrices(node)
    a, b, result = node.input(0).shape, node.input(1).shape, node.output().shape
    batches = a[:-2], b[:-2], result[:-2]
    return walk(
        batches,
        (rows, depth, cols),
        (_is_turned(node, "adj_x"), _is_turned(node, "adj_y")),
    )


def _lower_float32(node: Node) -> KernelCall:
    return product_call_f32(node, _walk(node), None, float_range(None))


def _lower_int8(node: Node) -> KernelCall:
    return product_call_s8(node, _walk(node), _reals(node)[0], None, (INT8_MIN, INT8_MAX))


def _lower_int16(node: Node) -> KernelCall:
    multiplier, right_shift = wide_multiplier(_reals(node)[0])
    scaling: dict[str, ParamValue] = {"multiplier": multiplier, "right_shift": right_shift}
    return product_call(node, "mcuc_batch_matmul_s16", {**_walk(node), **scaling})


BATCH_MATMUL = register(
    OperatorDef(
        kind="BATCH_MATMUL",
        summary="products of matrices, one for each batch; single ones go with every batch",
        constraints=(
            takes(FIRST, SECOND),
            has_type_among(FIRST, _DTYPES),
            has_type_of(SECOND, FIRST),
            has_type_of(OUTPUT, FIRST),
            *(has_rank(role, 2, _DIMENSIONS) for role in _ALL),
            *(has_elements(role) for role in _ALL),
            Constraint("matrices go together and give the output", _shapes_found),
            *(is_quantized(role) for role in _ALL),
            *(where(DType.INT16, has_zero_point(role, 0), FIRST) for role in _ALL),
            scales_fit(_reals, "first scale * second scale / output scale"),
        ),
        lower=by_type(
            {
                DType.FLOAT32: _lower_float32,
                DType.INT8: _lower_int8,
                DType.INT16: _lower_int16,
            },
            FIRST,
        ),
    )
)
