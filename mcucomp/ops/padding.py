"""How do PAD, PADV2 and MIRROR_PAD read their paddings?

In: a constant with two numbers for each dimension. Out: constraints on it,
the padded shape, and the margins as kernels take them.
"""

from __future__ import annotations

import numpy as np

from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, ParamValue
from mcucomp.ops.conditions import Role, dims
from mcucomp.ops.constants import array_of
from mcucomp.ops.movement import bytes_of
from mcucomp.ops.strides import leading

PADDINGS = Role("paddings tensor", 1)
PAD_DIMENSIONS = 5


def paddings_found() -> Constraint:
    def found(node: Node) -> str | None:
        rank, shape = len(node.input(0).shape), node.input(1).shape
        if shape != (rank, 2):
            return dims(shape)
        lowest = int(array_of(node.input(1)).min())
        return None if lowest >= 0 else f"{lowest}"

    return Constraint("paddings are two numbers of at least 0 for each dimension", found)


def padded_shape(node: Node) -> tuple[int, ...]:
    margins = array_of(node.input(1)).astype(object).sum(axis=1)
    return tuple(int(d + m) for d, m in zip(node.input(0).shape, margins, strict=True))


def _merged(
    shape: tuple[int, ...], paddings: np.ndarray, unit: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """(shape, before, after) where dimensions without padding are part of those outside them.

    Steps along the last dimension are counted as `unit`.
    """
    sizes: list[int] = []
    before: list[int] = []
    after: list[int] = []
    inner = unit
    for size, (low, high) in zip(reversed(shape), reversed(paddings.tolist()), strict=True):
        if low == high == 0:
            inner *= size
            continue
        sizes.insert(0, size * inner)
        before.insert(0, low * inner)
        after.insert(0, high * inner)
        inner = 1
    if inner > 1 or not sizes:
        sizes.insert(0, inner)
        before.insert(0, 0)
        after.insert(0, 0)
    return tuple(sizes), tuple(before), tuple(after)


def pad_call(node: Node, value: bytes) -> KernelCall:
    """The call that puts a margin of `value`, the bytes of an element, around the input.

    Where all bytes of the value are the same, elements are counted in bytes.
    """
    source, result = node.input(0), node.output()
    is_uniform = len(set(value)) == 1
    unit = bytes_of(source) if is_uniform else 1
    shape, before, after = _merged(source.shape, array_of(node.input(1)), unit)
    params: dict[str, ParamValue] = {
        "in_shape": leading(shape, 1, PAD_DIMENSIONS),
        "before": leading(before, 0, PAD_DIMENSIONS),
        "after": leading(after, 0, PAD_DIMENSIONS),
    }
    if is_uniform:
        kernel = "mcuc_pad_s8"
        params["value"] = int(np.frombuffer(value, np.int8)[0])
    else:
        kernel = "mcuc_pad_pattern"
        pattern = ConstantArray("uint8_t", np.frombuffer(value, np.uint8))
        params = {"value": pattern, "element_bytes": len(value), **params}
    return KernelCall(kernel, params, reads=(source.index,), writes=(result.index,))
