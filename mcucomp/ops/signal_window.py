"""SignalWindow: frames of audio times the values of a window."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_same_shape,
    has_type,
    takes,
)
from mcucomp.ops.custom import custom_integer, has_custom_integer, has_custom_options

WINDOW = Role("window", 1)


def _frames_found(node: Node) -> str | None:
    source, window = node.input(0), node.input(1)
    fits = source.elements % window.elements == 0
    return None if fits else f"{dims(source.shape)} and {window.elements}"


def _lower(node: Node) -> KernelCall:
    source, window = node.input(0), node.input(1)
    return KernelCall(
        "mcuc_signal_window_s16",
        {
            "frames": source.elements // window.elements,
            "size": window.elements,
            "shift": custom_integer(node, "shift"),
        },
        reads=(source.index, window.index),
        writes=(node.output().index,),
    )


SIGNAL_WINDOW = register(
    OperatorDef(
        kind="SignalWindow",
        summary="frames of audio times the values of a window",
        constraints=(
            takes(INPUT, WINDOW),
            *(has_type(role, DType.INT16) for role in (INPUT, WINDOW, OUTPUT)),
            has_rank(INPUT, 1, 6),
            has_rank(WINDOW, 1),
            has_elements(INPUT),
            has_elements(WINDOW),
            has_same_shape(INPUT, OUTPUT),
            has_custom_options(("shift",)),
            has_custom_integer("shift", 0, 31),
            Constraint("input is a multiple of the window's values", _frames_found),
        ),
        lower=_lower,
        is_custom=True,
    )
)
