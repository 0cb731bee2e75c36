"""ADD_N: the sum of any number of tensors."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    dims,
    has_elements,
    is_quantized,
    scale_of,
    zero_point_of,
)
from mcucomp.ops.element_types import by_type, same_types, where
from mcucomp.ops.several import all_inputs, has_alike, many_inputs

_LEFT_SHIFT = 20


def _real_output(node: Node) -> float:
    return 2 * scale_of(node.input(0)) / ((1 << _LEFT_SHIFT) * scale_of(node.output()))


def _scale_found(node: Node) -> str | None:
    real = _real_output(node)
    return None if real < 1 and quantize_multiplier(real)[1] <= 0 else f"{real:.6g}"


def _quantization_found(node: Node) -> str | None:
    first = node.input(0).quantization
    other = [i for i, t in enumerate(all_inputs(node)) if t.quantization != first]
    return f"another for input {other[0]}" if other else None


def _lower_int8(node: Node) -> KernelCall:
    tensors, result = all_inputs(node), node.output()
    multiplier, exponent = quantize_multiplier(_real_output(node))
    return KernelCall(
        "mcuc_add_n_s8",
        {
            "size": result.elements,
            "count": len(tensors),
            "multiplier": multiplier,
            "zero_point": zero_point_of(tensors[0]),
            "out_zero_point": zero_point_of(result),
            "right_shift": -exponent,
        },
        reads=tuple(t.index for t in tensors),
        writes=(result.index,),
        reads_as_array=True,
    )


def _lower_float32(node: Node) -> KernelCall:
    tensors, result = all_inputs(node), node.output()
    return KernelCall(
        "mcuc_add_n_f32",
        {"size": result.elements, "count": len(tensors)},
        reads=tuple(t.index for t in tensors),
        writes=(result.index,),
        reads_as_array=True,
    )


ADD_N = register(
    OperatorDef(
        kind="ADD_N",
        summary="sum of any number of tensors; of int8 less the zero point once more, as in TFLM",
        constraints=(
            many_inputs(2),
            *same_types((DType.FLOAT32, DType.INT8)),
            has_alike("the type of output", lambda t: t.dtype, lambda d: d.value),
            has_elements(OUTPUT),
            has_alike("the shape of output", lambda t: t.shape, dims),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            where(DType.INT8, Constraint("inputs have the same quantisation", _quantization_found)),
            where(
                DType.INT8,
                Constraint(
                    f"twice the input scale is less than 2^{_LEFT_SHIFT} output scales",
                    _scale_found,
                ),
            ),
        ),
        lower=by_type({DType.INT8: _lower_int8, DType.FLOAT32: _lower_float32}),
    )
)
