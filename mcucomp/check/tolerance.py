"""Which float32 outputs may be off a little, because a board has another C library?

In: a build. Out: for each of its outputs how many units in the last place it may be off, which is
what its operator states (`OperatorDef.float_ulps`); which tensors of it may be off at all; and the
distance of two outputs in such units.
"""

from __future__ import annotations

import numpy as np

from mcucomp.build_directory import BuildDirectory
from mcucomp.ir import DType
from mcucomp.ops import definition_of

_LEAST = -(2**31)
_FAR = 2**32  # further than any two numbers are apart


def allowed_ulps(build: BuildDirectory) -> tuple[int, ...]:
    """One an output. On the host, whose C library is the reference's, none is off."""
    allowed: dict[int, int] = {}
    for operator in () if build.board.is_host else build.graph.operators:
        definition = definition_of(operator)
        if definition is None:
            continue
        ulps = definition.float_ulps
        if definition.keeps_values:
            ulps = allowed.get(operator.inputs[0], 0)
        for tensor in operator.outputs:
            is_float = build.graph.tensors[tensor].dtype is DType.FLOAT32
            allowed[tensor] = ulps if is_float else 0
    return tuple(allowed.get(tensor, 0) for tensor in build.graph.outputs)


def may_be_off(build: BuildDirectory) -> frozenset[int]:
    """Tensors that such functions write on this board, and those that are computed from one."""
    found: set[int] = set()
    for operator in () if build.board.is_host else build.graph.operators:
        definition = definition_of(operator)
        calls_functions = definition is not None and definition.float_ulps > 0
        reads_one = not found.isdisjoint(operator.inputs)
        for tensor in operator.outputs:
            is_float = build.graph.tensors[tensor].dtype is DType.FLOAT32
            if reads_one or (calls_functions and is_float):
                found.add(tensor)
    return frozenset(found)


def ulps_between(a: bytes, b: bytes) -> np.ndarray:
    """Of two rows of float32 numbers the distances, in steps from one to the next: int64.

    Both zeros are one number; what is no number is far from all others but itself.
    """
    steps, is_nan = [], np.zeros(len(a) // 4, bool)
    for data in (a, b):
        bits = np.frombuffer(data, np.int32).astype(np.int64)
        steps.append(np.where(bits < 0, _LEAST - bits, bits))
        is_nan |= np.isnan(np.frombuffer(data, np.float32))
    distance: np.ndarray = np.abs(steps[0] - steps[1])
    return np.where(is_nan & (distance > 0), _FAR, distance)
