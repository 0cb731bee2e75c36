"""ADD: int8 and int8, of the same shape or broadcast."""

from __future__ import annotations

import itertools

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.clearance import ascending, elementwise, gathered, strided
from mcucomp.ops.conditions import (
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_known_activation,
    has_rank,
    has_type,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.convolution import output_params
from mcucomp.ops.strides import RASTER_DIMENSIONS, broadcast_strides, leading, merged

FIRST = Role("first input", 0)
SECOND = Role("second input", 1)

_LEFT_SHIFT = 20  # of both terms, so that rounding at their common scale loses little


def broadcast_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of an element-wise result; None where `a` and `b` do not go together."""
    pairs = list(itertools.zip_longest(reversed(a), reversed(b), fillvalue=1))
    if any(x != y and 1 not in (x, y) for x, y in pairs):
        return None
    return tuple(max(x, y) for x, y in reversed(pairs))


def _shapes_found(node: Node) -> str | None:
    a, b, result = node.input(0).shape, node.input(1).shape, node.output().shape
    return None if broadcast_shape(a, b) == result else f"{dims(a)} + {dims(b)} = {dims(result)}"


def _real_output(node: Node) -> float:
    twice = 2 * max(scale_of(node.input(0)), scale_of(node.input(1)))
    return twice / ((1 << _LEFT_SHIFT) * scale_of(node.output()))


def _scale_found(node: Node) -> str | None:
    real = _real_output(node)
    return None if real < 1 and quantize_multiplier(real)[1] <= 0 else f"{real:.6g}"


def _lower(node: Node) -> KernelCall:
    a, b = _wider_first(node.input(0), node.input(1))
    result = node.output()
    # The wider scale over twice itself is exactly one half: a shift in the kernel.
    b_multiplier, b_exponent = quantize_multiplier(scale_of(b) / (2 * scale_of(a)))
    out_multiplier, out_exponent = quantize_multiplier(_real_output(node))
    scaling: dict[str, ParamValue] = {
        "b_multiplier": b_multiplier,
        "out_multiplier": out_multiplier,
        "a_offset": -zero_point_of(a),
        "b_offset": -zero_point_of(b),
        "b_right_shift": -b_exponent,
        "out_right_shift": -out_exponent,
        **output_params(node, result),
    }
    if a.elements == b.elements == result.elements:
        kernel = "mcuc_add_s8"
        params: dict[str, ParamValue] = {"size": result.elements, **scaling}
        lows = (elementwise(result.elements),) * 2
    else:
        kernel = "mcuc_add_s8__broadcast"
        walk = _walk(a, b, result)
        params = {**walk, **scaling}
        lows = (
            gathered(strided(walk["shape"], walk["a_strides"])),
            gathered(strided(walk["shape"], walk["b_strides"])),
        )
    return KernelCall(
        kernel,
        params,
        reads=(a.index, b.index),
        writes=(result.index,),
        clearances=(ascending(0, lows[0]), ascending(1, lows[1])),
    )


def _wider_first(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    return (a, b) if scale_of(a) >= scale_of(b) else (b, a)


def _walk(a: Tensor, b: Tensor, result: Tensor) -> dict[str, tuple[int, ...]]:
    rank = len(result.shape)
    strides = (broadcast_strides(a.shape, rank), broadcast_strides(b.shape, rank))
    shape, (a_strides, b_strides) = merged(result.shape, strides)
    return {
        "shape": leading(shape, 1),
        "a_strides": leading(a_strides, 0),
        "b_strides": leading(b_strides, 0),
    }


ADD = register(
    OperatorDef(
        kind="ADD",
        summary="sum of two tensors, each repeated along dimensions where it has 1",
        constraints=(
            takes(FIRST, SECOND),
            *(has_type(role, DType.INT8) for role in (FIRST, SECOND, OUTPUT)),
            *(has_rank(role, 0, RASTER_DIMENSIONS) for role in (FIRST, SECOND, OUTPUT)),
            *(has_elements(role) for role in (FIRST, SECOND, OUTPUT)),
            *(is_quantized(role) for role in (FIRST, SECOND, OUTPUT)),
            has_known_activation(),
            Constraint("output has the shape that broadcasting the inputs gives", _shapes_found),
            Constraint(
                "twice the larger input scale is less than 2^20 output scales", _scale_found
            ),
        ),
        lower=_lower,
    )
)
