"""BATCH_MATMUL: products of matrices, one for each batch."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier, wide_multiplier
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
    zero_point_of,
)
from mcucomp.ops.convolution import scales_fit
from mcucomp.ops.element_types import by_type, has_type_among, has_type_of, where
from mcucomp.ops.strides import broadcast_strides, leading

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
    a, b, result = node.input(0).shape, node.input(1).shape, node.output().shape
    (rows, depth), (_, cols) = _matrices(node)
    rank = len(result) - 2

    def batch_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
        size = shape[-2] * shape[-1]
        return leading(tuple(size * s for s in broadcast_strides(shape[:-2], rank)), 0)

    turned = _is_turned(node, "adj_x"), _is_turned(node, "adj_y")
    return {
        "batch_shape": leading(result[:-2], 1),
        "a_strides": batch_strides(a),
        "b_strides": batch_strides(b),
        "rows": rows,
        "cols": cols,
        "depth": depth,
        "a_row": 1 if turned[0] else depth,
        "a_step": rows if turned[0] else 1,
        "b_col": depth if turned[1] else 1,
        "b_step": 1 if turned[1] else cols,
    }


def _call(node: Node, kernel: str, scaling: dict[str, ParamValue]) -> KernelCall:
    a, b, result = node.input(0), node.input(1), node.output()
    (_, depth), _ = _matrices(node)
    return KernelCall(
        kernel,
        {**_walk(node), **scaling},
        reads=(a.index, b.index),
        writes=(result.index,),
        macs=result.elements * depth,
    )


def _lower_int8(node: Node) -> KernelCall:
    multiplier, exponent = quantize_multiplier(_reals(node)[0])
    return _call(
        node,
        "mcuc_batch_matmul_s8",
        {
            "a_zero_point": zero_point_of(node.input(0)),
            "b_zero_point": zero_point_of(node.input(1)),
            "multiplier": multiplier,
            "right_shift": -exponent,
            "out_zero_point": zero_point_of(node.output()),
        },
    )


def _lower_int16(node: Node) -> KernelCall:
    multiplier, right_shift = wide_multiplier(_reals(node)[0])
    scaling: dict[str, ParamValue] = {"multiplier": multiplier, "right_shift": right_shift}
    return _call(node, "mcuc_batch_matmul_s16", scaling)


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
                DType.FLOAT32: lambda node: _call(node, "mcuc_batch_matmul_f32", {}),
                DType.INT8: _lower_int8,
                DType.INT16: _lower_int16,
            },
            FIRST,
        ),
    )
)
