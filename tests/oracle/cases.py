"""Drawn uses of single operators, and their comparison with TFLM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mcucomp.ir import DType
from tests.oracle import counted
from tests.support.kernel_runner import State, run_model
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_outputs, tflm_sequence

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

    def values(self, dtype: DType, shape: Sequence[int]) -> np.ndarray:
        """Values of a type: floats normally distributed, integers over their whole range."""
        numpy_type, size = np.dtype(dtype.value), tuple(shape)
        if dtype is DType.INT8:
            return self.int8(size)
        if dtype is DType.BOOL:
            return self.random.random(size) < 0.5
        if dtype is DType.FLOAT32:
            return self.random.normal(0, self.one_of(0.1, 1, 10), size).astype(np.float32)
        limits = np.iinfo(numpy_type)
        if self.integer(0, 4) == 0:
            return self.random.choice(np.array([limits.min, limits.max], numpy_type), size)
        return self.random.integers(limits.min, limits.max, size, numpy_type, endpoint=True)

    def shape(self, low: int, high: int, largest: int = 5) -> tuple[int, ...]:
        """From `low` to `high` dimensions."""
        return tuple(self.integer(1, largest) for _ in range(self.integer(low, high)))

    def bias(self, count: int) -> np.ndarray:
        """Small, large, or so large that sums wrap around."""
        bound = self.one_of(100, 20_000, 2**31 - 1)
        return self.random.integers(-bound, bound + 1, count).astype(np.int32)

    def activation(self) -> str:
        return self.one_of(*ACTIVATIONS)


def assert_as_tflm(builder: ModelBuilder, inputs: list[np.ndarray]) -> np.ndarray:
    """Our kernels give TFLM's bytes for all outputs of the model; the first is returned."""
    model, data = builder.finish(), builder.bytes()
    got = run_model(model, inputs)
    expected = tflm_outputs(data, inputs, len(got))
    for ours, theirs in zip(got, expected, strict=True):
        assert_same(ours, theirs)
    counted.count(model.graphs[0])
    return got[0]


def assert_as(builder: ModelBuilder, inputs: list[np.ndarray], expected: np.ndarray) -> None:
    """Our kernels give `expected`, which another program than TFLM computed."""
    model = builder.finish()
    assert_same(run_model(model, inputs)[0], expected)
    counted.count(model.graphs[0])


def assert_sequence_as_tflm(
    builder: ModelBuilder, steps: Sequence[list[np.ndarray]], reset_before: int
) -> None:
    """The same for inferences that follow each other; before step `reset_before` state is reset."""
    for got, expected in pairs_of_sequence(builder, steps, reset_before):
        for ours, theirs in zip(got, expected, strict=True):
            assert_same(ours, theirs)


def pairs_of_sequence(
    builder: ModelBuilder, steps: Sequence[list[np.ndarray]], reset_before: int
) -> Iterator[tuple[list[np.ndarray], list[np.ndarray]]]:
    """Our outputs and TFLM's, of inferences that follow each other; together they are one case."""
    model, data = builder.finish(), builder.bytes()
    wanted = tflm_sequence(data, steps, len(model.graphs[0].outputs), reset_before)
    state: State = {}
    for step, (inputs, expected) in enumerate(zip(steps, wanted, strict=True)):
        if step == reset_before:
            state.clear()
        yield run_model(model, inputs, state), expected
    counted.count(model.graphs[0])


def assert_same(got: np.ndarray, expected: np.ndarray) -> None:
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    different = np.flatnonzero(got.ravel().view(np.uint8) != expected.ravel().view(np.uint8))
    first = different[:1] // got.itemsize
    assert different.size == 0, (
        f"{different.size} bytes differ, first at element {first}: "
        f"{got.ravel()[first]} instead of {expected.ravel()[first]}"
    )
