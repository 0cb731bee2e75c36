"""What do operators that combine two tensors element by element have in common?

In: their types, and what a kernel needs beyond the walk through both tensors.
Out: constraints, and the kernel call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, ParamValue
from mcucomp.ops.broadcasting import broadcast_shape
from mcucomp.ops.conditions import (
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_known_activation,
    has_rank,
    has_zero_point,
    is_quantized,
    scale_of,
    takes,
)
from mcucomp.ops.element_types import has_type_among, has_type_of, where
from mcucomp.ops.strides import RASTER_DIMENSIONS, broadcast_strides, leading, merged

FIRST = Role("first input", 0)
SECOND = Role("second input", 1)
PAIR = (FIRST, SECOND, OUTPUT)
QUANTIZED = (DType.INT8, DType.INT16)


def _shapes_found(node: Node) -> str | None:
    a, b, result = node.input(0).shape, node.input(1).shape, node.output().shape
    return None if broadcast_shape(a, b) == result else f"{dims(a)} + {dims(b)} = {dims(result)}"


def pair_constraints(
    dtypes: Sequence[DType], result: DType | None = None
) -> tuple[Constraint, ...]:
    """Two tensors of one of `dtypes`; the output has the same type, or it is `result`."""
    output = has_type_of(OUTPUT, FIRST) if result is None else has_type_among(OUTPUT, (result,))
    return (
        takes(FIRST, SECOND),
        has_type_among(FIRST, dtypes),
        has_type_of(SECOND, FIRST),
        output,
        *(has_rank(role, 0, RASTER_DIMENSIONS) for role in PAIR),
        *(has_elements(role) for role in PAIR),
        Constraint("output has the shape that broadcasting the inputs gives", _shapes_found),
    )


def quantized_constraints(*, activation: bool) -> tuple[Constraint, ...]:
    """What sums and products of quantised tensors demand of their parameters."""
    symmetric = tuple(where(DType.INT16, has_zero_point(role, 0), FIRST) for role in PAIR)
    fused = (has_known_activation(),) if activation else ()
    return (*(is_quantized(role) for role in PAIR), *symmetric, *fused)


def is_not_quantized() -> Constraint:
    """TFLM refuses int32 with quantisation parameters, and so would have no answer."""

    def found(node: Node) -> str | None:
        for role in PAIR:
            tensor = role.of(node)
            if tensor is not None and tensor.quantization and tensor.quantization.scales:
                return f"{role.name} with scale {tensor.quantization.scales[0]:.9g}"
        return None

    return where(DType.INT32, Constraint("no tensor is quantised", found), FIRST)


def walk(a: Tensor, b: Tensor, result: Tensor) -> dict[str, ParamValue]:
    """Shape and strides of the walk through both tensors, in the fewest dimensions."""
    rank = len(result.shape)
    strides = (broadcast_strides(a.shape, rank), broadcast_strides(b.shape, rank))
    shape, (a_strides, b_strides) = merged(result.shape, strides)
    return {
        "shape": leading(shape, 1),
        "a_strides": leading(a_strides, 0),
        "b_strides": leading(b_strides, 0),
    }


def pair_call(node: Node, kernel: str, params: Mapping[str, ParamValue]) -> KernelCall:
    a, b, result = node.input(0), node.input(1), node.output()
    return KernelCall(
        kernel,
        {**walk(a, b, result), **params},
        reads=(a.index, b.index),
        writes=(result.index,),
    )


def common_multipliers(a: Tensor, b: Tensor) -> tuple[dict[str, int], dict[str, int], float]:
    """(multipliers, right shifts, real scale) that bring both to twice the larger scale."""
    twice = 2 * max(scale_of(a), scale_of(b))
    (a_multiplier, a_exponent), (b_multiplier, b_exponent) = (
        quantize_multiplier(scale_of(t) / twice) for t in (a, b)
    )
    return (
        {"a_multiplier": a_multiplier, "b_multiplier": b_multiplier},
        {"a_right_shift": -a_exponent, "b_right_shift": -b_exponent},
        twice,
    )
