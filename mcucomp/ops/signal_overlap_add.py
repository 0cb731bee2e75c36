"""SignalOverlapAdd: frames that overlap, added up to one signal."""

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
    takes,
)
from mcucomp.ops.custom import (
    SUFFIXES,
    custom_integer,
    has_custom_integer,
    has_custom_options,
    has_type_number,
)
from mcucomp.ops.element_types import same_types
from mcucomp.ops.movement import bytes_of
from mcucomp.ops.state import private_slot

_TYPES = (DType.FLOAT32, DType.INT16)


def _step(node: Node) -> int:
    return custom_integer(node, "frame_step")


def _step_found(node: Node) -> str | None:
    size = node.input(0).shape[-1]
    return None if _step(node) <= size else f"{_step(node)} for {size}"


def _output_shape(node: Node) -> tuple[int, ...]:
    shape = node.input(0).shape
    return (*shape[:-2], shape[-2] * _step(node))


def _lower(node: Node) -> KernelCall:
    source, step = node.input(0), _step(node)
    frames, size = source.shape[-2:]
    rows = source.elements // (frames * size)
    return KernelCall(
        f"mcuc_signal_overlap_add_{SUFFIXES[source.dtype]}",
        {"rows": rows, "frames": frames, "size": size, "step": step},
        reads=(source.index,),
        writes=(node.output().index,),
        updates=(
            # A slot of no bytes would be no array in C.
            private_slot(node, "sums", bytes_of(source) * max(rows * (size - step), 1)),
        ),
    )


SIGNAL_OVERLAP_ADD = register(
    OperatorDef(
        kind="SignalOverlapAdd",
        summary="frames that overlap, added up to one signal",
        constraints=(
            takes(INPUT),
            *same_types(_TYPES),
            has_rank(INPUT, 2, 6),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_custom_options(("T", "frame_step")),
            has_custom_integer("T", 0, 255),
            has_custom_integer("frame_step", 1, ELEMENTS_MAX),
            has_type_number(),
            Constraint("frame_step is at most the last dimension", _step_found),
            has_shape(OUTPUT, "input and frame_step", _output_shape),
        ),
        lower=_lower,
        is_custom=True,
    )
)
