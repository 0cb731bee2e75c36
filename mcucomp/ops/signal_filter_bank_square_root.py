"""SignalFilterBankSquareRoot: square roots, shifted right by what an input says."""

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

BITS = Role("number of bits", 1)


def _lower(node: Node) -> KernelCall:
    source, bits = node.input(0), node.input(1)
    return KernelCall(
        "mcuc_signal_square_root",
        {"size": source.elements},
        reads=(source.index, bits.index),
        writes=(node.output().index,),
    )


SIGNAL_FILTER_BANK_SQUARE_ROOT = register(
    OperatorDef(
        kind="SignalFilterBankSquareRoot",
        summary="square roots, shifted right by as many bits as an input says",
        constraints=(
            takes(INPUT, BITS),
            has_type(INPUT, DType.UINT64),
            has_type(BITS, DType.INT32),
            has_type(OUTPUT, DType.UINT32),
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
