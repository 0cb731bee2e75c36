"""SignalFilterBankSpectralSubtraction: channels less the noise in them, which it estimates."""

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
from mcucomp.ops.custom import (
    custom_integer,
    has_channels,
    has_custom_integer,
    has_custom_options,
)
from mcucomp.ops.state import private_slot

NOISE = Role("noise", 1, is_output=True)
_INT32_MAX = 2**31 - 1
# Of even and of odd channels.
_SMOOTHING = ("smoothing", "alternate_smoothing")
_REST = ("one_minus_smoothing", "alternate_one_minus_smoothing")
_PARTS = (*_SMOOTHING, *_REST, "min_signal_remaining")
_OPTIONS = (
    *_PARTS, "clamping", "num_channels", "smoothing_bits", "spectral_subtraction_bits",
)  # fmt: skip


def _lower(node: Node) -> KernelCall:
    source = node.input(0)
    return KernelCall(
        "mcuc_signal_spectral_subtraction",
        {
            "smoothing": tuple(custom_integer(node, name) for name in _SMOOTHING),
            "rest": tuple(custom_integer(node, name) for name in _REST),
            "size": source.elements,
            "floor": custom_integer(node, "min_signal_remaining"),
            "smoothing_bits": custom_integer(node, "smoothing_bits"),
            "bits": custom_integer(node, "spectral_subtraction_bits"),
            "clamping": int(custom_integer(node, "clamping") != 0),
        },
        reads=(source.index,),
        writes=(node.output().index, node.output(1).index),
        updates=(private_slot(node, "noise", source.size_bytes),),
    )


SIGNAL_FILTER_BANK_SPECTRAL_SUBTRACTION = register(
    OperatorDef(
        kind="SignalFilterBankSpectralSubtraction",
        summary="channels less the noise in them, which it estimates",
        constraints=(
            takes(INPUT, results=2),
            has_type(INPUT, DType.UINT32),
            has_type(OUTPUT, DType.UINT32),
            has_type(NOISE, DType.UINT32),
            has_rank(INPUT, 1),
            has_elements(INPUT),
            has_same_shape(INPUT, OUTPUT),
            has_same_shape(INPUT, NOISE),
            has_custom_options(_OPTIONS),
            *(has_custom_integer(name, 0, _INT32_MAX) for name in _PARTS),
            has_custom_integer("num_channels", 1, _INT32_MAX),
            has_custom_integer("smoothing_bits", 0, 31),
            has_custom_integer("spectral_subtraction_bits", 0, 63),
            has_channels(),
        ),
        lower=_lower,
        is_custom=True,
    )
)
