"""How do kernels walk a tensor of any shape?

In: shapes and axes. Out: shapes and strides with a fixed number of
dimensions, as the structs of kernels have them.
"""

from __future__ import annotations

RASTER_DIMENSIONS = 6


def dense_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Elements between neighbours along each dimension, the last varying fastest."""
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return tuple(strides)


def broadcast_strides(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Strides of a tensor seen with `rank` dimensions; 0 where it is repeated."""
    missing = rank - len(shape)
    strides = dense_strides(shape)
    return (0,) * missing + tuple(0 if d == 1 else s for d, s in zip(shape, strides, strict=True))


def merged(
    shape: tuple[int, ...], strides: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The same walk with the fewest dimensions.

    `strides` are those of several tensors along `shape`. A dimension of 1 is
    dropped; neighbours are one where every tensor steps over the inner one
    as a whole.
    """
    kept = [i for i, d in enumerate(shape) if d != 1]
    dims = [shape[i] for i in kept]
    steps = [[s[i] for i in kept] for s in strides]
    i = len(dims) - 2
    while i >= 0:
        if all(s[i] == s[i + 1] * dims[i + 1] for s in steps):
            dims[i + 1] *= dims[i]
            for s in (dims, *steps):
                del s[i]
        i -= 1
    return tuple(dims), tuple(tuple(s) for s in steps)


def leading(values: tuple[int, ...], filler: int, rank: int = RASTER_DIMENSIONS) -> tuple[int, ...]:
    """`values` with `filler` in front, up to `rank` entries."""
    return (filler,) * (rank - len(values)) + values
