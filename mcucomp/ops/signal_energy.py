"""SignalEnergy: the squares of the magnitudes of complex numbers."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    ELEMENTS_MAX,
    INPUT,
    OUTPUT,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    takes,
)
from mcucomp.ops.custom import custom_integer, has_custom_integer, has_custom_options


def _range(node: Node) -> tuple[int, int]:
    return custom_integer(node, "start_index"), custom_integer(node, "end_index")


def _range_found(node: Node) -> str | None:
    start, end = _range(node)
    return None if start <= end <= node.output().elements else f"{start} to {end}"


def _output_shape(node: Node) -> tuple[int, ...]:
    return (node.input(0).elements // 2,)


def _lower(node: Node) -> KernelCall:
    start, end = _range(node)
    return KernelCall(
        "mcuc_signal_energy_s16",
        {"size": node.output().elements, "begin": start, "end": end},
        reads=(node.input(0).index,),
        writes=(node.output().index,),
    )


SIGNAL_ENERGY = register(
    OperatorDef(
        kind="SignalEnergy",
        summary="the squares of the magnitudes of complex numbers; 0 outside of the range, which "
        "TFLM leaves as it was",
        constraints=(
            takes(INPUT),
            has_type(INPUT, DType.INT16),
            has_type(OUTPUT, DType.UINT32),
            has_rank(INPUT, 1),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_shape(OUTPUT, "pairs of input", _output_shape),
            has_custom_options(("start_index", "end_index")),
            has_custom_integer("start_index", 0, ELEMENTS_MAX),
            has_custom_integer("end_index", 0, ELEMENTS_MAX),
            Constraint("the range from start_index to end_index lies inside output", _range_found),
        ),
        lower=_lower,
        is_custom=True,
    )
)
