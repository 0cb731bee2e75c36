"""Writes a small model that uses the custom operator SquaredRelu between two dense layers.

python examples/custom_operator/make_model.py squared_relu.tflite
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mcucomp import tflite
from mcucomp.ir import DType, Graph, Model, Operator, Quantization, Tensor

INPUTS, HIDDEN, OUTPUTS = 16, 32, 8


def model() -> Model:
    """FULLY_CONNECTED, SquaredRelu, FULLY_CONNECTED; the same weights each time."""
    random = np.random.default_rng(7)
    tensors: list[Tensor] = []

    def tensor(name: str, shape: tuple[int, ...], scale: float, zero_point: int = 0) -> int:
        quantization = Quantization((float(np.float32(scale)),), (zero_point,))
        tensors.append(Tensor(len(tensors), name, DType.INT8, shape, quantization))
        return len(tensors) - 1

    def weights(name: str, rows: int, columns: int, scale: float) -> int:
        values = random.integers(-127, 128, (rows, columns), dtype=np.int8)
        quantization = Quantization((float(np.float32(scale)),), (0,))
        tensors.append(
            Tensor(len(tensors), name, DType.INT8, values.shape, quantization, values.tobytes())
        )
        return len(tensors) - 1

    given = tensor("input", (1, INPUTS), 0.05, -3)
    first = tensor("first", (1, HIDDEN), 0.02, 4)
    squared = tensor("squared", (1, HIDDEN), 0.03, -128)
    second = tensor("second", (1, OUTPUTS), 0.2)
    w1, w2 = weights("w1", HIDDEN, INPUTS, 0.003), weights("w2", OUTPUTS, HIDDEN, 0.01)
    operators = (
        Operator(0, "FULLY_CONNECTED", (given, w1, -1), (first,), {}),
        Operator(1, "CUSTOM", (first,), (squared,), {}, custom_code="SquaredRelu"),
        Operator(2, "FULLY_CONNECTED", (squared, w2, -1), (second,), {}),
    )
    graph = Graph("main", tuple(tensors), operators, (given,), (second,))
    return Model("squared_relu.tflite", "", (graph,))


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(tflite.write(model()))
