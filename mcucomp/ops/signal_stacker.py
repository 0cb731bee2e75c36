"""SignalStacker: frames, several side by side."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
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
from mcucomp.ops.custom import (
    custom_integer,
    has_channels,
    has_custom_integer,
    has_custom_options,
)
from mcucomp.ops.state import private_slot

VALID = Role("flag", 1, is_output=True)
_OPTIONS = ("num_channels", "stacker_left_context", "stacker_right_context", "stacker_step")
_FRAMES_MAX = 2**16
_NONE_YET = 0xFF  # every byte of a negative count


def _stack(node: Node) -> int:
    left, right = (custom_integer(node, name) for name in _OPTIONS[1:3])
    return left + right + 1


def _step_found(node: Node) -> str | None:
    step = custom_integer(node, "stacker_step")
    return None if step <= _stack(node) else f"{step} for {_stack(node)}"


def _output_shape(node: Node) -> tuple[int, ...]:
    return (_stack(node) * node.input(0).elements,)


def _lower(node: Node) -> KernelCall:
    size, stack = node.input(0).elements, _stack(node)
    return KernelCall(
        "mcuc_signal_stacker_s16",
        {
            "size": size,
            "stack": stack,
            "step": custom_integer(node, "stacker_step"),
            "left": custom_integer(node, "stacker_left_context"),
        },
        reads=(node.input(0).index,),
        writes=(node.output().index, node.output(1).index),
        updates=(
            private_slot(node, "count", 4, _NONE_YET),
            # A slot of no bytes would be no array in C.
            private_slot(node, "frames", 2 * max((stack - 1) * size, 1)),
        ),
    )


SIGNAL_STACKER = register(
    OperatorDef(
        kind="SignalStacker",
        summary="frames, several side by side; zeros while they are not valid, which TFLM leaves "
        "as they were",
        constraints=(
            takes(INPUT, results=2),
            has_type(INPUT, DType.INT16),
            has_type(OUTPUT, DType.INT16),
            has_type(VALID, DType.BOOL),
            has_rank(INPUT, 1),
            has_rank(VALID, 0),
            has_elements(INPUT),
            has_custom_options(_OPTIONS),
            has_custom_integer("num_channels", 1, _FRAMES_MAX),
            has_custom_integer("stacker_left_context", 0, _FRAMES_MAX),
            has_custom_integer("stacker_right_context", 0, _FRAMES_MAX),
            has_custom_integer("stacker_step", 1, _FRAMES_MAX),
            has_channels(),
            Constraint("stacker_step is at most the number of frames in the output", _step_found),
            has_shape(OUTPUT, "num_channels and the contexts", _output_shape),
        ),
        lower=_lower,
        is_custom=True,
    )
)
