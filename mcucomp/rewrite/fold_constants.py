"""What depends on constants alone is computed now, and becomes a constant.

Reason: it takes time and arena for a result that never changes. Only kinds
whose result follows exactly: DEQUANTIZE (the product of an int8 difference and
a scale, rounded once; float16 widened), QUANTIZE of floats (one float32
division, rounded half away from zero), SHAPE, and new shapes of the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from mcucomp.ir import DType, Graph, Operator, Tensor
from mcucomp.rewrite.edit import has_operands, with_tensor, without

_INDEX_TYPES = {DType.INT32: "<i4", DType.INT64: "<i8"}


def _scale_of(tensor: Tensor) -> tuple[float, int] | None:
    q = tensor.quantization
    if q is None or len(q.scales) != 1 or len(q.zero_points) != 1:
        return None
    return q.scales[0], q.zero_points[0]


def _dequantized(source: Tensor, result: Tensor) -> bytes | None:
    if source.data is None or result.dtype is not DType.FLOAT32:
        return None
    if source.dtype is DType.FLOAT16:
        return np.frombuffer(source.data, "<f2").astype("<f4").tobytes()
    scaling = _scale_of(source)
    if source.dtype is not DType.INT8 or scaling is None:
        return None
    scale, zero_point = scaling
    steps = np.frombuffer(source.data, np.int8).astype(np.float64) - zero_point
    return (scale * steps).astype("<f4").tobytes()


def _quantized(source: Tensor, result: Tensor) -> bytes | None:
    scaling = _scale_of(result)
    if source.data is None or source.dtype is not DType.FLOAT32 or scaling is None:
        return None
    if result.dtype is not DType.INT8:
        return None
    scale, zero_point = scaling
    ratio = np.frombuffer(source.data, "<f4") / np.float32(scale)
    if not np.isfinite(ratio).all():
        return None
    # float32 holds halves of numbers this small exactly, so adding one half is exact too.
    near = np.clip(ratio, -256, 256).astype(np.float64)
    rounded = np.sign(near) * np.floor(np.abs(near) + 0.5)
    stored: bytes = np.clip(rounded + zero_point, -128, 127).astype(np.int8).tobytes()
    return stored


def _shape(source: Tensor, result: Tensor) -> bytes | None:
    index_type = _INDEX_TYPES.get(result.dtype)
    return None if index_type is None else np.array(source.shape).astype(index_type).tobytes()


def _same_bytes(source: Tensor, result: Tensor) -> bytes | None:
    if source.dtype is not result.dtype or source.elements != result.elements:
        return None
    return source.data


_FOLDS: dict[str, Callable[[Tensor, Tensor], bytes | None]] = {
    "DEQUANTIZE": _dequantized,
    "QUANTIZE": _quantized,
    "SHAPE": _shape,
    "RESHAPE": _same_bytes,
    "SQUEEZE": _same_bytes,
    "EXPAND_DIMS": _same_bytes,
}


def _folded(graph: Graph, operator: Operator) -> Tensor | None:
    """The operator's output as a constant; None where it is none."""
    fold = _FOLDS.get(operator.kind)
    if fold is None or not has_operands(operator, 1) or operator.outputs[0] in graph.outputs:
        return None
    result = graph.tensors[operator.outputs[0]]
    data = fold(graph.tensors[operator.inputs[0]], result)
    # Bytes that do not make up the tensor are left to who reports such a model.
    if not data or len(data) != result.size_bytes:
        return None
    return replace(result, data=data)


def apply(graph: Graph) -> Graph:
    """`graph` with constants where operators were that had no other inputs."""
    position = 0
    while position < len(graph.operators):
        constant = _folded(graph, graph.operators[position])
        if constant is None:
            position += 1
        else:
            graph = without(with_tensor(graph, constant), [position])
    return graph
