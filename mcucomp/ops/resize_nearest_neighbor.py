"""RESIZE_NEAREST_NEIGHBOR: each pixel is the nearest one of the input."""

from __future__ import annotations

import numpy as np

from mcucomp.ops.base import KernelCall, Node, OperatorDef, register
from mcucomp.ops.element_types import MOVABLE, same_types
from mcucomp.ops.movement import byte_strides, run_of, table_call
from mcucomp.ops.resizing import is_aligned, is_centred, resize_constraints


def nearest(in_size: int, out_size: int, *, aligned: bool, centred: bool) -> np.ndarray:
    """The input's pixel for each of the output, in float32 as TensorFlow Lite counts."""
    f = np.float32
    scale = f(in_size) / f(out_size)
    if aligned and out_size > 1:
        scale = f(in_size - 1) / f(out_size - 1)
    places = (np.arange(out_size, dtype=f) + f(0.5 if centred else 0)) * scale
    # Halves away from zero; no place is negative.
    index = np.floor(places.astype(np.float64) + 0.5) if aligned else np.floor(places)
    clipped: np.ndarray = np.clip(index, 0, in_size - 1).astype(np.int64)
    return clipped


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    options = {"aligned": is_aligned(node), "centred": is_centred(node)}
    n, y, x, _ = byte_strides(source)
    offsets = [
        np.arange(source.shape[0]) * n,
        nearest(source.shape[1], result.shape[1], **options) * y,
        nearest(source.shape[2], result.shape[2], **options) * x,
    ]
    return table_call(source, result, offsets, run_of(source, 3))


RESIZE_NEAREST_NEIGHBOR = register(
    OperatorDef(
        kind="RESIZE_NEAREST_NEIGHBOR",
        summary="an image of another size; each pixel is the nearest one of the input",
        constraints=resize_constraints(*same_types(MOVABLE)),
        lower=_lower,
    )
)
