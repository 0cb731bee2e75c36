"""How are products of two matrices, neither of which need be constant, handed to their kernels?

In: an operator whose first two inputs are the matrices, and how they lie. Out: the
call of the kernel for their type.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import KernelCall, Node, ParamValue
from mcucomp.ops.conditions import zero_point_of
from mcucomp.ops.constants import float_array, int32_array
from mcucomp.ops.strides import broadcast_strides, leading

Shape = tuple[int, ...]


def walk(
    batches: tuple[Shape, Shape, Shape],
    sizes: tuple[int, int, int],
    turned: tuple[bool, bool],
) -> dict[str, ParamValue]:
    """Where elements lie: `batches` are the leading dimensions of both matrices and the result.

    `sizes` are rows, depth and columns of the product; a matrix that is `turned` lies
    as its transpose.
    """
    rows, depth, cols = sizes
    a_batches, b_batches, out_batches = batches

    def batch_strides(shape: Shape, size: int) -> Shape:
        strides = broadcast_strides(shape, len(out_batches))
        return leading(tuple(size * s for s in strides), 0)

    return {
        "batch_shape": leading(out_batches, 1),
        "a_strides": batch_strides(a_batches, rows * depth),
        "b_strides": batch_strides(b_batches, depth * cols),
        "rows": rows,
        "cols": cols,
        "depth": depth,
        "a_row": 1 if turned[0] else depth,
        "a_step": rows if turned[0] else 1,
        "b_col": depth if turned[1] else 1,
        "b_step": 1 if turned[1] else cols,
    }


def product_call(node: Node, kernel: str, params: Mapping[str, ParamValue]) -> KernelCall:
    a, b, result = node.input(0), node.input(1), node.output()
    depth = params["depth"]
    assert isinstance(depth, int)
    return KernelCall(
        kernel,
        params,
        reads=(a.index, b.index),
        writes=(result.index,),
        macs=result.elements * depth,
    )


def product_call_f32(
    node: Node,
    places: Mapping[str, ParamValue],
    bias: np.ndarray | None,
    limits: tuple[float, float],
) -> KernelCall:
    """`places` are those of `walk`; `bias` is added to columns, and results clamped to `limits`."""
    params: dict[str, ParamValue] = {
        "bias": None if bias is None else float_array(bias),
        **places,
        "out_min": limits[0],
        "out_max": limits[1],
    }
    return product_call(node, "mcuc_batch_matmul_f32", params)


def product_call_s8(
    node: Node,
    places: Mapping[str, ParamValue],
    real: float,
    bias: np.ndarray | None,
    limits: tuple[int, int],
) -> KernelCall:
    """The same; sums are multiplied by `real`."""
    multiplier, exponent = quantize_multiplier(real)
    params: dict[str, ParamValue] = {
        "bias": None if bias is None else int32_array(bias),
        **places,
        "a_zero_point": zero_point_of(node.input(0)),
        "b_zero_point": zero_point_of(node.input(1)),
        "multiplier": multiplier,
        "right_shift": -exponent,
        "out_zero_point": zero_point_of(node.output()),
        "out_min": limits[0],
        "out_max": limits[1],
    }
    return product_call(node, "mcuc_batch_matmul_s8", params)
