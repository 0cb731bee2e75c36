"""SignalFilterBank: energies of frequencies, weighted into overlapping channels."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.axes import values_of
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    dims,
    has_elements,
    has_rank,
    has_type,
    is_constant,
    takes,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.custom import custom_integer, has_custom_integer, has_custom_options

WEIGHTS = Role("weights", 1)
UNWEIGHTS = Role("unweights", 2)
STARTS = Role("frequency starts", 3)
WEIGHT_STARTS = Role("weight starts", 4)
WIDTHS = Role("widths", 5)
_CONSTANTS = (WEIGHTS, UNWEIGHTS, STARTS, WEIGHT_STARTS, WIDTHS)
_CHANNELS_MAX = 32767


def _sizes_found(node: Node) -> str | None:
    channels = custom_integer(node, "num_channels")
    starts = [node.input(k).elements for k in (3, 4, 5)]
    fits = node.output().shape == (channels,) and min(starts) > channels
    return None if fits else f"{dims(node.output().shape)} and {min(starts)} for {channels}"


def _places_found(node: Node) -> str | None:
    energies = node.input(0).elements
    weights = min(node.input(1).elements, node.input(2).elements)
    channels = custom_integer(node, "num_channels") + 1
    columns = [values_of(node.input(k))[:channels] for k in (3, 4, 5)]
    for channel, (start, weight, width) in enumerate(zip(*columns, strict=True)):
        inside = 0 <= start <= energies - width and 0 <= weight <= weights - width
        if width > 0 and not inside:
            return f"channel {channel} from {start} and {weight} on, {width} wide"
    return None


def _int16_array(node: Node, position: int, count: int | None = None) -> ConstantArray:
    values = array_of(node.input(position)).ravel()[:count]
    return ConstantArray("int16_t", values, is_weight=True)


def _lower(node: Node) -> KernelCall:
    channels = custom_integer(node, "num_channels")
    return KernelCall(
        "mcuc_signal_filter_bank",
        {
            "weights": _int16_array(node, 1),
            "unweights": _int16_array(node, 2),
            "starts": _int16_array(node, 3, channels + 1),
            "weight_starts": _int16_array(node, 4, channels + 1),
            "widths": _int16_array(node, 5, channels + 1),
            "channels": channels,
        },
        reads=(node.input(0).index,),
        writes=(node.output().index,),
        macs=2 * sum(max(w, 0) for w in values_of(node.input(5))[: channels + 1]),
    )


SIGNAL_FILTER_BANK = register(
    OperatorDef(
        kind="SignalFilterBank",
        summary="energies of frequencies, weighted into overlapping channels",
        constraints=(
            takes(INPUT, *_CONSTANTS),
            has_type(INPUT, DType.UINT32),
            *(has_type(role, DType.INT16) for role in _CONSTANTS),
            has_type(OUTPUT, DType.UINT64),
            *(is_constant(role) for role in _CONSTANTS),
            *(has_rank(role, 1) for role in (INPUT, *_CONSTANTS)),
            *(has_elements(role) for role in (INPUT, *_CONSTANTS, OUTPUT)),
            has_custom_options(("num_channels",)),
            has_custom_integer("num_channels", 1, _CHANNELS_MAX),
            Constraint("output has num_channels values, starts and widths one more", _sizes_found),
            Constraint("each channel lies inside input and weights", _places_found),
        ),
        lower=_lower,
        is_custom=True,
    )
)
