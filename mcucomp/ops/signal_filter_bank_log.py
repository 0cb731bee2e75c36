"""SignalFilterBankLog: natural logarithms, scaled to int16."""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import ConstantArray, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    takes,
)
from mcucomp.ops.custom import custom_integer, has_custom_integer, has_custom_options

_SEGMENTS = 128
_INT32_MAX = 2**31 - 1


def log_table() -> np.ndarray:
    """How far log2(1 + x) is above x, in 2^-16, at the ends of 128 segments of [0, 1]."""
    at = [i / _SEGMENTS for i in range(_SEGMENTS + 1)]
    return np.array([round(65536 * (math.log2(1 + x) - x)) for x in at], np.uint16)


def _lower(node: Node) -> KernelCall:
    source = node.input(0)
    return KernelCall(
        "mcuc_signal_log",
        {
            "table": ConstantArray("uint16_t", log_table()),
            "size": source.elements,
            "scale": custom_integer(node, "output_scale"),
            "correction_bits": custom_integer(node, "input_correction_bits"),
        },
        reads=(source.index,),
        writes=(node.output().index,),
    )


SIGNAL_FILTER_BANK_LOG = register(
    OperatorDef(
        kind="SignalFilterBankLog",
        summary="natural logarithms, scaled to int16",
        constraints=(
            takes(INPUT),
            has_type(INPUT, DType.UINT32),
            has_type(OUTPUT, DType.INT16),
            has_rank(INPUT, 1),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            has_custom_options(("input_correction_bits", "output_scale")),
            has_custom_integer("input_correction_bits", 0, 31),
            has_custom_integer("output_scale", 0, _INT32_MAX),
        ),
        lower=_lower,
        is_custom=True,
    )
)
