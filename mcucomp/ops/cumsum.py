"""CUMSUM: sums of what comes before, along one dimension."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.axes import has_one_value, is_one_axis, rank_of, scalar_of, wrapped
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    is_constant,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.element_types import by_type, same_types, where

AXIS = Role("axis tensor", 1)
_LEFT_SHIFT = 20


def _real_output(node: Node) -> float:
    return 2 * scale_of(node.input(0)) / ((1 << _LEFT_SHIFT) * scale_of(node.output()))


def _scale_found(node: Node) -> str | None:
    real = _real_output(node)
    return None if real < 1 and quantize_multiplier(real)[1] <= 0 else f"{real:.6g}"


def _walk(node: Node) -> dict[str, ParamValue]:
    shape = node.input(0).shape
    axis = wrapped(scalar_of(AXIS)(node), len(shape))
    return {
        "outer": math.prod(shape[:axis]),
        "depth": shape[axis],
        "inner": math.prod(shape[axis + 1 :]),
    }


def _direction(node: Node) -> dict[str, ParamValue]:
    options = node.operator.options
    return {
        "is_exclusive": int(bool(options.get("exclusive"))),
        "is_reverse": int(bool(options.get("reverse"))),
    }


def _call(node: Node, kernel: str, scaling: dict[str, ParamValue]) -> KernelCall:
    source, result = node.input(0), node.output()
    params = {**_walk(node), **scaling, **_direction(node)}
    return KernelCall(kernel, params, reads=(source.index,), writes=(result.index,))


def _lower_int8(node: Node) -> KernelCall:
    multiplier, exponent = quantize_multiplier(_real_output(node))
    return _call(
        node,
        "mcuc_cumsum_s8",
        {
            "multiplier": multiplier,
            "zero_point": zero_point_of(node.input(0)),
            "out_zero_point": zero_point_of(node.output()),
            "right_shift": -exponent,
        },
    )


CUMSUM = register(
    OperatorDef(
        kind="CUMSUM",
        summary="sums of what comes before; of int8 less the zero point once more, as in TFLM",
        constraints=(
            takes(INPUT, AXIS),
            *same_types((DType.FLOAT32, DType.INT8)),
            has_type(AXIS, DType.INT32),
            is_constant(AXIS),
            has_one_value(AXIS),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            is_one_axis(scalar_of(AXIS), rank_of(INPUT)),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            where(
                DType.INT8,
                Constraint(
                    f"twice the input scale is less than 2^{_LEFT_SHIFT} output scales",
                    _scale_found,
                ),
            ),
        ),
        lower=by_type(
            {
                DType.FLOAT32: lambda node: _call(node, "mcuc_cumsum_f32", {}),
                DType.INT8: _lower_int8,
            }
        ),
    )
)
