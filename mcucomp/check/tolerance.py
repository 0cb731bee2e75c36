"""Which float32 outputs may be off a little, because a board has another C library?

In: a build. Out: for each of its outputs how many units in the last place it may be off, which is
what its operator states (`OperatorDef.float_ulps`); which tensors of it may be off at all; and how
two outputs differ, in such units.
"""

from __future__ import annotations

import numpy as np

from mcucomp.build_directory import BuildDirectory
from mcucomp.ir import DType, Operator
from mcucomp.ops import definition_of

_LEAST = -(2**31)
_FAR = 2**32  # further than any two numbers are apart


def allowed_ulps(build: BuildDirectory) -> tuple[int, ...]:
    """One an output."""
    allowed: dict[int, int] = {}
    for operator in build.graph.operators:
        definition = definition_of(operator)
        for tensor in operator.outputs:
            if definition is not None and definition.keeps_values:
                allowed[tensor] = allowed.get(operator.inputs[0], 0)
            else:
                allowed[tensor] = _stated(build, operator, tensor)
    return tuple(allowed.get(tensor, 0) for tensor in build.graph.outputs)


def may_be_off(build: BuildDirectory) -> frozenset[int]:
    """Tensors that such functions write on this board, and those that are computed from one."""
    found: set[int] = set()
    for operator in build.graph.operators:
        reads_one = not found.isdisjoint(operator.inputs)
        found.update(t for t in operator.outputs if reads_one or _stated(build, operator, t))
    return frozenset(found)


def _stated(build: BuildDirectory, operator: Operator, tensor: int) -> int:
    """How far off a tensor may be that `operator` writes.

    On the host, whose C library is the reference's, none is.
    """
    definition = definition_of(operator)
    is_float = build.graph.tensors[tensor].dtype is DType.FLOAT32
    if build.board.is_host or definition is None or not is_float:
        return 0
    return definition.float_ulps


def differences(expected: bytes, found: bytes, allowed: int) -> tuple[np.ndarray, np.ndarray]:
    """(whether each byte differs by more than is allowed: bool; the distances of float32 numbers
    that differ by no more: int64).
    """
    apart = np.frombuffer(expected, np.uint8) != np.frombuffer(found, np.uint8)
    if not allowed or not apart.any():
        return apart, np.empty(0, np.int64)
    ulps = ulps_between(expected, found)
    near = (ulps > 0) & (ulps <= allowed)
    return apart & np.repeat(~near, np.dtype(np.float32).itemsize), ulps[near]


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
