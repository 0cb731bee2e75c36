"""SignalPCAN: channels with a gain that follows the noise in each."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    is_constant,
    takes,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.custom import custom_integer, has_custom_integer, has_custom_options

NOISE = Role("noise", 1)
GAINS = Role("table of gains", 2)
# Three numbers for noise of up to 2, then four for each further power of two.
_TABLE_SIZE = 125


def _table_found(node: Node) -> str | None:
    size = node.input(2).elements
    return None if size >= _TABLE_SIZE else f"{size}"


def _lower(node: Node) -> KernelCall:
    source, noise, gains = (node.input(k) for k in range(3))
    return KernelCall(
        "mcuc_signal_pcan",
        {
            "gains": ConstantArray("int16_t", array_of(gains).ravel()[:_TABLE_SIZE], True),
            "size": source.elements,
            "shift": custom_integer(node, "snr_shift"),
        },
        reads=(source.index, noise.index),
        writes=(node.output().index,),
    )


SIGNAL_PCAN = register(
    OperatorDef(
        kind="SignalPCAN",
        summary="channels with a gain that follows the noise in each",
        constraints=(
            takes(INPUT, NOISE, GAINS),
            has_type(INPUT, DType.UINT32),
            has_type(NOISE, DType.UINT32),
            has_type(GAINS, DType.INT16),
            has_type(OUTPUT, DType.UINT32),
            is_constant(GAINS),
            has_rank(INPUT, 1),
            has_rank(GAINS, 1),
            has_elements(INPUT),
            has_same_shape(INPUT, NOISE),
            has_same_shape(INPUT, OUTPUT),
            has_custom_options(("snr_shift",)),
            has_custom_integer("snr_shift", 0, 63),
            Constraint(f"the table of gains has at least {_TABLE_SIZE} values", _table_found),
        ),
        lower=_lower,
        is_custom=True,
    )
)
