"""SquaredRelu: a custom operator, as mcucomp wants it defined.

    mcucomp build model.tflite --board host --custom examples/custom_operator/squared_relu.py -o out
    mcucomp check out --custom examples/custom_operator/squared_relu.py

`OPERATORS` is what mcucomp looks for; the C lies beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mcucomp.custom import CustomOperator
from mcucomp.ir import DType
from mcucomp.ops import Clearance, Constraint, KernelCall, Node, OperatorDef
from mcucomp.ops.arithmetic import is_scalable, quantize_multiplier
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_same_shape,
    has_type,
    is_quantized,
    scale_of,
    takes,
    zero_point_of,
)


def _ratio(node: Node) -> float:
    """What a square of stored steps is multiplied by to be steps of the output."""
    return scale_of(node.input(0)) ** 2 / scale_of(node.output())


def lower(node: Node) -> KernelCall:
    """All arithmetic with scales happens here; the device gets integers."""
    source, result = node.input(0), node.output()
    multiplier, exponent = quantize_multiplier(_ratio(node))
    return KernelCall(
        kernel="squared_relu",
        params={
            "size": source.elements,
            "multiplier": multiplier,
            "right_shift": -exponent,
            "in_zero_point": zero_point_of(source),
            "out_zero_point": zero_point_of(result),
        },
        reads=(source.index,),
        writes=(result.index,),
        # By the order that the header states, the output may lie over the input.
        clearances=(Clearance(position=0, low_bytes=0),),
    )


def reference(node: Node, inputs: Sequence[npt.NDArray[np.int8]]) -> list[npt.NDArray[np.int8]]:
    """The same in numpy, for `mcucomp check`: scaled in two steps, each rounded to the nearest."""
    multiplier, exponent = quantize_multiplier(_ratio(node))
    above = np.maximum(inputs[0].astype(np.int64) - zero_point_of(node.input(0)), 0)
    product = (above**2 * 2 ** max(exponent, 0) * multiplier + 2**30) // 2**31
    shift = max(-exponent, 0)
    steps = (product + 2**shift // 2) // 2**shift + zero_point_of(node.output())
    return [np.clip(steps, -128, 127).astype(np.int8)]


def _ratio_found(node: Node) -> str | None:
    ratio = _ratio(node)
    # Squares have 16 bits: a left shift of more than 14 would wrap.
    fits = is_scalable(ratio) and quantize_multiplier(ratio)[1] <= 14
    return None if fits else f"{ratio:.6g}"


SQUARED_RELU = OperatorDef(
    kind="SquaredRelu",
    summary="the square of what is above zero",
    constraints=(
        takes(INPUT),
        has_type(INPUT, DType.INT8),
        has_type(OUTPUT, DType.INT8),
        has_elements(INPUT),
        has_same_shape(INPUT, OUTPUT),
        is_quantized(INPUT),
        is_quantized(OUTPUT),
        Constraint("input scale squared / output scale is below 2^14", _ratio_found),
    ),
    lower=lower,
)

OPERATORS = [
    CustomOperator(SQUARED_RELU, files=("squared_relu.h", "squared_relu.c"), reference=reference)
]
