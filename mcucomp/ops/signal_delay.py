"""SignalDelay: audio, delayed by a number of samples."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
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
from mcucomp.ops.movement import copy_call
from mcucomp.ops.state import private_slot

_DELAY_MAX = 2**24


def _lower(node: Node) -> KernelCall:
    source, result, delay = node.input(0), node.output(), custom_integer(node, "delay_length")
    if delay == 0:
        return copy_call(source, result)
    rows = source.elements // source.shape[-1]
    return KernelCall(
        "mcuc_signal_delay_s16",
        {"rows": rows, "size": source.shape[-1], "delay": delay},
        reads=(source.index,),
        writes=(result.index,),
        updates=(private_slot(node, "samples", 2 * rows * delay),),
    )


SIGNAL_DELAY = register(
    OperatorDef(
        kind="SignalDelay",
        summary="audio, delayed by a number of samples along the last dimension",
        constraints=(
            takes(INPUT),
            has_type(INPUT, DType.INT16),
            has_type(OUTPUT, DType.INT16),
            has_rank(INPUT, 1, 6),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            has_custom_options(("delay_length",)),
            has_custom_integer("delay_length", 0, _DELAY_MAX),
        ),
        lower=_lower,
        is_custom=True,
    )
)
