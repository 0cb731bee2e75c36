"""How does an operator that only moves values become a kernel call?

In: which element of the input each output element is. Out: the call of a
kernel that copies elements by their width, whatever their type.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mcucomp.ir import Tensor
from mcucomp.ops.base import ConstantArray, KernelCall
from mcucomp.ops.constants import int32_array
from mcucomp.ops.strides import RASTER_DIMENSIONS, dense_strides, leading, merged


def bytes_of(tensor: Tensor) -> int:
    """Bytes of one element."""
    assert tensor.dtype.element_bytes is not None
    return tensor.dtype.element_bytes


def copy_call(source: Tensor, result: Tensor) -> KernelCall:
    """All bytes in their order."""
    return KernelCall(
        "mcuc_copy_s8",
        {"size": source.size_bytes},
        reads=(source.index,),
        writes=(result.index,),
    )


def strided_call(
    source: Tensor, result: Tensor, shape: Sequence[int], strides: Sequence[int], start: int = 0
) -> KernelCall:
    """The output, seen as `shape`, holds the element at start + coordinates * strides."""
    width = bytes_of(source)
    sizes, (steps,) = merged(tuple(shape), (tuple(strides),))
    if source.elements == result.elements and start == 0 and steps in ((), (1,)):
        return copy_call(source, result)
    if width == 8:
        sizes, (steps,) = merged((*sizes, 2), ((*(2 * s for s in steps), 1),))
        start, width = 2 * start, 4
    return KernelCall(
        f"mcuc_strided_copy_b{8 * width}",
        {"start": start, "shape": leading(sizes, 1), "strides": leading(steps, 0)},
        reads=(source.index,),
        writes=(result.index,),
    )


def table_call(
    source: Tensor, result: Tensor, offsets: Sequence[np.ndarray], run_bytes: int
) -> KernelCall:
    """Runs of the output start where the sum of an entry of each of `offsets` says, in bytes."""
    return KernelCall(
        "mcuc_table_copy",
        {
            "offsets": _table(offsets),
            "run_bytes": run_bytes,
            "shape": leading(tuple(len(o) for o in offsets), 1),
        },
        reads=(source.index,),
        writes=(result.index,),
    )


def scatter_call(
    source: Tensor, result: Tensor, offsets: Sequence[np.ndarray], run_bytes: int
) -> KernelCall:
    """Runs of the input go to where the sum of an entry of each of `offsets` says, in bytes."""
    return KernelCall(
        "mcuc_table_scatter",
        {
            "offsets": _table(offsets),
            "run_bytes": run_bytes,
            "out_bytes": result.size_bytes,
            "shape": leading(tuple(len(o) for o in offsets), 1),
        },
        reads=(source.index,),
        writes=(result.index,),
    )


def _table(offsets: Sequence[np.ndarray]) -> ConstantArray:
    """All tables in a row; a dimension that is not there has one entry, 0."""
    missing = RASTER_DIMENSIONS - len(offsets)
    return int32_array(np.concatenate([np.zeros(missing, np.int32), *offsets]))


def joined_call(sources: Sequence[Tensor], result: Tensor, runs: Sequence[int]) -> KernelCall:
    """Rows of `result` are a run of each of `sources` behind each other; runs in bytes.

    A source without elements is not read: there is nothing of it anywhere.
    """
    sources = [source for source, run in zip(sources, runs, strict=True) if run]
    runs = [run for run in runs if run]
    return KernelCall(
        "mcuc_concatenate",
        {
            "run_bytes": ConstantArray("uint32_t", np.array(runs, np.uint32)),
            "rows": result.size_bytes // sum(runs),
            "count": len(runs),
        },
        reads=tuple(source.index for source in sources),
        writes=(result.index,),
        reads_as_array=True,
    )


def parted_call(source: Tensor, results: Sequence[Tensor], runs: Sequence[int]) -> KernelCall:
    """Rows of `source` are a run of each of `results` behind each other; runs in bytes."""
    return KernelCall(
        "mcuc_split",
        {
            "run_bytes": ConstantArray("uint32_t", np.array(runs, np.uint32)),
            "rows": source.size_bytes // sum(runs),
            "count": len(runs),
        },
        reads=(source.index,),
        writes=tuple(result.index for result in results),
        writes_as_array=True,
    )


def run_of(tensor: Tensor, axis: int) -> int:
    """Bytes from one step along the dimension before `axis` to the next."""
    return math.prod(tensor.shape[axis:]) * bytes_of(tensor)


def along(strides: tuple[int, ...], shape: tuple[int, ...], axis: int) -> np.ndarray:
    """The offsets of the coordinates of one dimension."""
    return np.arange(shape[axis], dtype=np.int64) * strides[axis]


def byte_strides(tensor: Tensor) -> tuple[int, ...]:
    width = bytes_of(tensor)
    return tuple(width * stride for stride in dense_strides(tensor.shape))
