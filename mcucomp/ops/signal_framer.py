"""SignalFramer: audio in frames that overlap."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    has_elements,
    has_rank,
    has_shape,
    has_type,
    takes,
)
from mcucomp.ops.custom import custom_integer, has_custom_integer, has_custom_options, options_of
from mcucomp.ops.state import private_slot

VALID = Role("flag", 1, is_output=True)
_SIZE_MAX = 2**24


def _sizes(node: Node) -> tuple[int, int]:
    return custom_integer(node, "frame_size"), custom_integer(node, "frame_step")


def _steps_found(node: Node) -> str | None:
    size, step = _sizes(node)
    samples = node.input(0).shape[-1]
    return None if step <= size and samples % step == 0 else f"{step}, {size} and {samples}"


def _output_shape(node: Node) -> tuple[int, ...]:
    (size, step), shape = _sizes(node), node.input(0).shape
    return (*shape[:-1], shape[-1] // step, size)


def _is_prefilled(node: Node) -> bool:
    return bool(options_of(node)["prefill"])


def _lower(node: Node) -> KernelCall:
    source, (size, step) = node.input(0), _sizes(node)
    rows = source.elements // source.shape[-1]
    kept = size - step if _is_prefilled(node) else (size - 1) // step * step
    count = kept if _is_prefilled(node) else 0
    return KernelCall(
        "mcuc_signal_framer_s16",
        {
            "rows": rows,
            "frames": source.shape[-1] // step,
            "size": size,
            "step": step,
            "kept": kept,
        },
        reads=(source.index,),
        writes=(node.output().index, node.output(1).index),
        updates=(
            private_slot(node, "count", 4, ConstantArray("int32_t", np.array([count], np.int32))),
            # A slot of no bytes would be no array in C.
            private_slot(node, "samples", 2 * max(rows * kept, 1)),
        ),
    )


SIGNAL_FRAMER = register(
    OperatorDef(
        kind="SignalFramer",
        summary="audio in frames that overlap; zeros while they are not valid, which TFLM leaves "
        "as they were",
        constraints=(
            takes(INPUT, results=2),
            has_type(INPUT, DType.INT16),
            has_type(OUTPUT, DType.INT16),
            has_type(VALID, DType.BOOL),
            has_rank(INPUT, 1, 5),
            has_rank(VALID, 0),
            has_elements(INPUT),
            has_custom_options(("frame_size", "frame_step", "prefill")),
            has_custom_integer("frame_size", 1, _SIZE_MAX),
            has_custom_integer("frame_step", 1, _SIZE_MAX),
            Constraint(
                "frame_step is at most frame_size, and the last dimension a multiple of it",
                _steps_found,
            ),
            has_shape(OUTPUT, "input, frame_size and frame_step", _output_shape),
        ),
        lower=_lower,
        is_custom=True,
    )
)
