"""What do SignalRfft and SignalIrfft have in common?

In: the number of points of a transform. Out: the tables that its kernel reads,
bit for bit those that the library KISS FFT computes for TensorFlow Lite Micro.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, OperatorDef, ParamValue
from mcucomp.ops.conditions import INPUT, OUTPUT, dims, has_elements, has_rank, takes
from mcucomp.ops.custom import (
    SUFFIXES,
    TYPE_NUMBERS,
    custom_integer,
    has_custom_integer,
    has_custom_options,
    has_type_number,
)
from mcucomp.ops.element_types import same_types

LENGTH_MAX = 2**17
_RADICES = (4, 2, 3, 5)
_LARGEST = {DType.INT32: 2**31 - 1, DType.INT16: 2**15 - 1}


def radices_of(points: int) -> list[int]:
    """Factors of `points`, the outermost first: fours, then twos, threes and fives."""
    found = []
    for radix in _RADICES:
        while points % radix == 0 and points > 1:
            found.append(radix)
            points //= radix
    return found if points == 1 else []


def places_of(radices: list[int]) -> np.ndarray:
    """Where each number starts out: the digits of its index in the other order."""
    order = np.zeros(1, np.int64)
    points = 1
    for radix in reversed(radices):
        order = (order[None, :] * radix + np.arange(radix)[:, None]).ravel()
        points *= radix
    places = np.empty(points, np.uint16)
    places[order] = np.arange(points)
    return places


def _twiddle_array(dtype: DType, phases: list[float]) -> ConstantArray:
    numbers = np.array([f(phase) for phase in phases for f in (math.cos, math.sin)])
    if dtype is DType.FLOAT32:
        return ConstantArray("float", numbers.astype(np.float32))
    values = np.floor(0.5 + _LARGEST[dtype] * numbers)
    return ConstantArray(f"{dtype.value}_t", values.astype(dtype.value))


def _tables(dtype: DType, points: int, sign: int) -> dict[str, ParamValue]:
    radices = radices_of(points)
    turns = [-2 * math.pi * k / points * sign for k in range(points)]
    parts = [-math.pi * ((k + 1) / points + 0.5) * sign for k in range(points // 2)]
    return {
        "twiddles": _twiddle_array(dtype, turns),
        "part_twiddles": _twiddle_array(dtype, parts),
        "places": ConstantArray("uint16_t", places_of(radices)),
        "radices": ConstantArray("uint8_t", np.array(radices[::-1], np.uint8)),
        "stages": len(radices),
    }


def _length(node: Node) -> int:
    return custom_integer(node, "fft_length")


def _length_found(node: Node) -> str | None:
    length = _length(node)
    fits = length % 2 == 0 and radices_of(length // 2)
    return None if fits else f"{length}"


def fourier_definition(
    kind: str,
    summary: str,
    fits: Callable[[int, tuple[int, ...], tuple[int, ...]], bool],
    rule: str,
    kernel: str,
    sign: int,
) -> OperatorDef:
    """`fits` compares a length with the shapes of input and output, as the sentence `rule` says."""

    def shapes_found(node: Node) -> str | None:
        source, result = node.input(0).shape, node.output().shape
        if source[:-1] == result[:-1] and fits(_length(node), source, result):
            return None
        return f"{dims(source)} and {dims(result)} for {_length(node)}"

    def lower(node: Node) -> KernelCall:
        source = node.input(0)
        params: Mapping[str, ParamValue] = {
            **_tables(source.dtype, _length(node) // 2, sign),
            "rows": source.elements // source.shape[-1],
            "row_length": source.shape[-1],
            "points": _length(node) // 2,
        }
        name = f"mcuc_{kernel}_{SUFFIXES[source.dtype]}"
        return KernelCall(name, params, reads=(source.index,), writes=(node.output().index,))

    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            takes(INPUT),
            *same_types(tuple(TYPE_NUMBERS)),
            has_rank(INPUT, 1, 6),
            has_rank(OUTPUT, 1, 6),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_custom_options(("T", "fft_length")),
            has_custom_integer("T", 0, 255),
            has_custom_integer("fft_length", 4, LENGTH_MAX),
            has_type_number(),
            Constraint(
                "fft_length is even, and its half a product of factors 2, 3 and 5", _length_found
            ),
            Constraint(rule, shapes_found),
        ),
        lower=lower,
        is_custom=True,
    )
