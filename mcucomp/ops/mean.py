"""MEAN: int8, along any dimensions."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import is_scalable, quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.clearance import ascending, gathered, strided
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    is_constant,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.strides import RASTER_DIMENSIONS, dense_strides, leading, merged

AXES = Role("axes tensor", 1)
# The sum of that many differences of int8 stays below 2^31.
_ELEMENTS_MAX = 1 << 23


def _axes(node: Node) -> frozenset[int]:
    """The dimensions that are averaged over; negative ones count from the end."""
    rank = len(node.input(0).shape)
    given = array_of(node.input(1)).ravel().tolist()
    return frozenset(axis + rank if axis < 0 else axis for axis in given)


def _axes_found(node: Node) -> str | None:
    rank = len(node.input(0).shape)
    if all(0 <= axis < rank for axis in _axes(node)):
        return None
    given = array_of(node.input(1)).ravel().tolist()
    return f"{', '.join(map(str, given))} for {rank} dimensions"


def _count(node: Node) -> int:
    """Elements that one output is the mean of."""
    shape = node.input(0).shape
    return math.prod(shape[axis] for axis in _axes(node))


def _count_found(node: Node) -> str | None:
    return None if _count(node) <= _ELEMENTS_MAX else f"{_count(node):,}"


def _output_shape(node: Node) -> tuple[int, ...]:
    axes, shape = _axes(node), node.input(0).shape
    if node.operator.options.get("keep_dims"):
        return tuple(1 if i in axes else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in axes)


def _real_multiplier(node: Node) -> float:
    return scale_of(node.input(0)) / scale_of(node.output())


def _scales_found(node: Node) -> str | None:
    real = _real_multiplier(node)
    return None if is_scalable(real) else f"{real:.6g}"


def mean_multiplier(real: float, count: int) -> tuple[int, int]:
    """(multiplier, exponent) of real / count, as TFLM divides the integer multiplier.

    It is first shifted left as far as `count` has bits, then divided, truncating.
    """
    multiplier, exponent = quantize_multiplier(real)
    shift = min(count.bit_length() - 1, 32, 31 + exponent)
    return (multiplier << shift) // count, exponent - shift


def _walk(node: Node, dimensions: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(shape, strides) of the input along some of its dimensions."""
    shape, strides = node.input(0).shape, dense_strides(node.input(0).shape)
    sizes, (steps,) = merged(
        tuple(shape[i] for i in dimensions), (tuple(strides[i] for i in dimensions),)
    )
    return leading(sizes, 1), leading(steps, 0)


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    axes = _axes(node)
    kept_shape, kept_strides = _walk(node, [i for i in range(len(source.shape)) if i not in axes])
    mean_shape, mean_strides = _walk(node, sorted(axes))
    multiplier, exponent = mean_multiplier(_real_multiplier(node), _count(node))
    return KernelCall(
        "mcuc_mean_s8",
        {
            "kept_shape": kept_shape,
            "kept_strides": kept_strides,
            "mean_shape": mean_shape,
            "mean_strides": mean_strides,
            "offset": -zero_point_of(source) * _count(node),
            "multiplier": multiplier,
            "right_shift": -exponent,
            "out_zero_point": zero_point_of(result),
        },
        reads=(source.index,),
        writes=(result.index,),
        clearances=(ascending(0, gathered(strided(kept_shape, kept_strides))),),
    )


MEAN = register(
    OperatorDef(
        kind="MEAN",
        summary="mean along some dimensions",
        constraints=(
            takes(INPUT, AXES),
            has_type(INPUT, DType.INT8),
            has_type(OUTPUT, DType.INT8),
            has_type(AXES, DType.INT32),
            is_constant(AXES),
            has_rank(INPUT, 1, RASTER_DIMENSIONS),
            has_elements(INPUT),
            has_elements(OUTPUT),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            Constraint("axes are dimensions of input", _axes_found),
            has_shape(OUTPUT, "input, axes and keep_dims", _output_shape),
            Constraint(f"a mean is of at most {_ELEMENTS_MAX:,} elements", _count_found),
            Constraint("input scale / output scale is below 2^30", _scales_found),
        ),
        lower=_lower,
    )
)
