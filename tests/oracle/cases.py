"""Drawn uses of single operators, and their comparison with TFLM."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_outputs

ACTIVATIONS = ("NONE", "RELU", "RELU6", "RELU_N1_TO_1")


class Draw:
    """Random choices of a case; a seed makes one case."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, inclusive."""
        return int(self.random.integers(low, high + 1))

    def one_of(self, *values: Any) -> Any:
        return values[self.integer(0, len(values) - 1)]

    def scale(self, low: float = 0.001, high: float = 1.0) -> float:
        """Log-uniform."""
        return float(np.exp(self.random.uniform(np.log(low), np.log(high))))

    def scales(self, count: int, low: float = 0.001, high: float = 1.0) -> list[float]:
        return [self.scale(low, high) for _ in range(count)]

    def zero_point(self) -> int:
        return self.one_of(-128, 127, 0, self.integer(-128, 127))

    def int8(self, shape: tuple[int, ...]) -> np.ndarray:
        """Values of any size, or only extreme ones."""
        if self.integer(0, 4) == 0:
            return self.random.choice(np.array([-128, -127, 127], np.int8), shape)
        return self.random.integers(-128, 128, shape, dtype=np.int8)

    def bias(self, count: int) -> np.ndarray:
        """Small, large, or so large that sums wrap around."""
        bound = self.one_of(100, 20_000, 2**31 - 1)
        return self.random.integers(-bound, bound + 1, count).astype(np.int32)

    def activation(self) -> str:
        return self.one_of(*ACTIVATIONS)


def assert_as_tflm(builder: ModelBuilder, inputs: list[np.ndarray]) -> np.ndarray:
    """Our kernels give TFLM's bytes for the model's output, which is returned."""
    model, data = builder.finish(), builder.bytes()
    (expected,) = tflm_outputs(data, inputs)
    (got,) = run_model(model, inputs)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    different = np.flatnonzero(got.ravel().view(np.uint8) != expected.ravel().view(np.uint8))
    assert different.size == 0, (
        f"{different.size} bytes differ, first at {different[0]}: "
        f"{got.ravel()[:8]} instead of {expected.ravel()[:8]}"
    )
    return got
