"""What numbers does a constant tensor hold, and in which order do kernels read them?"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.base import ConstantArray

BLOCK_OUTPUTS = 4

_NUMPY_TYPES: dict[DType, np.dtype[Any]] = {
    DType.BOOL: np.dtype("?"),
    DType.FLOAT32: np.dtype("<f4"),
    DType.INT8: np.dtype("<i1"),
    DType.INT16: np.dtype("<i2"),
    DType.INT32: np.dtype("<i4"),
    DType.INT64: np.dtype("<i8"),
    DType.UINT8: np.dtype("<u1"),
    DType.UINT32: np.dtype("<u4"),
}


def array_of(tensor: Tensor) -> np.ndarray:
    """The values of a constant tensor, in its shape."""
    if tensor.data is None:
        raise ValueError(f"tensor {tensor.index} is no constant")
    if tensor.dtype is DType.INT4:
        return _unpacked(tensor.data, tensor.elements).reshape(tensor.shape)
    values: np.ndarray = np.frombuffer(
        tensor.data, dtype=_NUMPY_TYPES[tensor.dtype], count=tensor.elements
    )
    shaped: np.ndarray = values.reshape(tensor.shape)
    return shaped


def _unpacked(data: bytes, elements: int) -> np.ndarray:
    """int4 values as int8: two a byte, the low half first."""
    pairs = np.frombuffer(data, np.uint8)
    halves = np.stack([pairs & 15, pairs >> 4], axis=1).ravel()[:elements].astype(np.int8)
    signed: np.ndarray = np.where(halves > 7, halves - 16, halves).astype(np.int8)
    return signed


def data_of(values: np.ndarray, dtype: DType) -> bytes:
    """The bytes of a constant tensor that holds `values`; the inverse of `array_of`."""
    if dtype is not DType.INT4:
        return np.ascontiguousarray(values).astype(_NUMPY_TYPES[dtype]).tobytes()
    flat = np.append(values.ravel(), [0] * (values.size % 2)).astype(np.uint8) & 15
    return (flat[0::2] | flat[1::2] << 4).astype(np.uint8).tobytes()


def int8_array(values: np.ndarray, *, is_weight: bool = False) -> ConstantArray:
    return ConstantArray("int8_t", np.ascontiguousarray(values, np.int8).ravel(), is_weight)


def int32_array(values: np.ndarray) -> ConstantArray:
    return ConstantArray("int32_t", np.ascontiguousarray(values, np.int32).ravel())


def int64_array(values: np.ndarray) -> ConstantArray:
    return ConstantArray("int64_t", np.ascontiguousarray(values, np.int64).ravel())


def float_array(values: np.ndarray, *, is_weight: bool = False) -> ConstantArray:
    return ConstantArray("float", np.ascontiguousarray(values, np.float32).ravel(), is_weight)


def blocked(weights: np.ndarray) -> np.ndarray:
    """(outputs, terms) weights as blocks of four outputs, term by term inside a block.

    The last block holds the outputs that four leave over; no byte is added.
    """
    blocks = range(0, len(weights), BLOCK_OUTPUTS)
    return np.concatenate([weights[i : i + BLOCK_OUTPUTS].T.ravel() for i in blocks])
