"""SignalFftAutoScale: audio shifted to the top of int16, and by how many bits."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    takes,
)
from mcucomp.ops.custom import has_custom_options

BITS = Role("number of bits", 1, is_output=True)


def _lower(node: Node) -> KernelCall:
    source = node.input(0)
    return KernelCall(
        "mcuc_signal_auto_scale_s16",
        {"size": source.elements},
        reads=(source.index,),
        writes=(node.output().index, node.output(1).index),
    )


SIGNAL_FFT_AUTO_SCALE = register(
    OperatorDef(
        kind="SignalFftAutoScale",
        summary="audio shifted to the top of int16, and by how many bits",
        constraints=(
            takes(INPUT, results=2),
            has_type(INPUT, DType.INT16),
            has_type(OUTPUT, DType.INT16),
            has_type(BITS, DType.INT32),
            has_rank(INPUT, 1),
            has_rank(BITS, 0),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            has_custom_options(()),
        ),
        lower=_lower,
        is_custom=True,
    )
)
