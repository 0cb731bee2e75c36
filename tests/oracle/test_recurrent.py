"""Layers that remember, over sequences of inferences with a reset in between."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_sequence_as_tflm
from tests.support.models import ABSENT, ModelBuilder

F32, I8, I16 = DType.FLOAT32, DType.INT8, DType.INT16
STEPS = 7


def _sequence(draw: Draw, dtype: DType, shape: tuple[int, ...]) -> list[list[np.ndarray]]:
    return [[draw.values(dtype, shape)] for _ in range(STEPS)]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("memory_type", [I8, I16], ids=lambda d: d.value)
def test_svdf(memory_type: DType, seed: int) -> None:
    draw = Draw(seed)
    batches, inputs, units, rank, memory = (draw.integer(1, n) for n in (2, 12, 5, 3, 8))
    x_scale, w_scale, state_scale, t_scale = draw.scales(4, 0.002, 0.05)
    zero_point = draw.zero_point() if memory_type is I8 else 0
    b = ModelBuilder()
    x = b.input((batches, inputs), scale=x_scale, zero_point=draw.zero_point())
    filters = units * rank
    features = b.constant(draw.int8((filters, inputs)), [w_scale])
    times = b.constant(draw.values(memory_type, (filters, memory)), [t_scale])
    bias = b.constant(draw.bias(units), [state_scale * t_scale])
    shape = (batches, filters * memory)
    state = b.tensor(shape, memory_type, state_scale, zero_point, is_variable=True)
    reach = state_scale * t_scale * (1 if memory_type is I8 else 2**12)
    b.operator("SVDF", (x, features, times, bias, state), (batches, units),
               scale=reach * draw.scale(10, 1000), zero_point=draw.zero_point(), rank=rank,
               fused_activation_function=draw.one_of("NONE", "RELU"))  # fmt: skip
    assert_sequence_as_tflm(b, _sequence(draw, I8, (batches, inputs)), draw.integer(1, STEPS))


@pytest.mark.parametrize("seed", range(20))
def test_float_svdf(seed: int) -> None:
    draw = Draw(seed)
    batches, inputs, units, rank, memory = (draw.integer(1, n) for n in (2, 12, 5, 3, 8))
    filters = units * rank
    b = ModelBuilder()
    x = b.input((batches, inputs), F32)
    features = b.constant(draw.values(F32, (filters, inputs)))
    times = b.constant(draw.values(F32, (filters, memory)))
    bias = b.constant(draw.values(F32, (units,)))
    state = b.tensor((batches, filters * memory), F32, is_variable=True)
    b.operator("SVDF", (x, features, times, bias, state), (batches, units), F32, rank=rank,
               fused_activation_function=draw.activation())  # fmt: skip
    assert_sequence_as_tflm(b, _sequence(draw, F32, (batches, inputs)), draw.integer(1, STEPS))


class Lstm:
    """The 24 inputs of an LSTM in the types of `dtype`."""

    def __init__(self, draw: Draw, dtype: DType) -> None:
        self.draw, self.dtype, self.builder = draw, dtype, ModelBuilder()
        self.batches, self.steps, self.inputs, self.units = (
            draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 9), draw.integer(1, 6),
        )  # fmt: skip
        self.time_major = bool(draw.integer(0, 1))

    def _state(self, dtype: DType, scale: float, zero_point: int = 0) -> int:
        shape = (self.batches, self.units)
        is_float = self.dtype is F32
        return self.builder.tensor(
            shape, dtype, None if is_float else scale, zero_point, is_variable=True
        )

    def _weights(self, columns: int) -> int:
        shape = (self.units, columns)
        if self.dtype is F32:
            return self.builder.constant(self.draw.values(F32, shape))
        return self.builder.constant(self.draw.int8(shape), [self.draw.scale(0.0005, 0.02)])

    def _bias(self) -> int:
        if self.dtype is F32:
            return self.builder.constant(self.draw.values(F32, (self.units,)))
        dtype = np.int32 if self.dtype is I8 else np.int64
        bound = self.draw.one_of(100, 20_000, 10**6)
        values = self.draw.random.integers(-bound, bound, self.units).astype(dtype)
        return self.builder.constant(values, [1.0])

    def grow(self) -> tuple[int, ...]:
        """Add the layer; the shape of its input."""
        draw, b, dtype = self.draw, self.builder, self.dtype
        lead = (self.steps, self.batches) if self.time_major else (self.batches, self.steps)
        is_int8 = dtype is I8
        scale = None if dtype is F32 else draw.scale(0.005, 0.05) / (1 if is_int8 else 100)
        zero_point = draw.zero_point() if is_int8 else 0
        x = b.input((*lead, self.inputs), dtype, scale, zero_point)
        weights = [self._weights(self.inputs) for _ in range(4)]
        weights += [self._weights(self.units) for _ in range(4)]
        biases = [self._bias() for _ in range(4)]
        hidden_scale, hidden_zero_point = draw.scale(0.006, 0.012), draw.integer(-20, 20)
        if not is_int8:
            hidden_scale, hidden_zero_point = draw.scale(2e-5, 5e-5), 0
        hidden = self._state(dtype, hidden_scale, hidden_zero_point)
        cell_scale = draw.one_of(2.0**-11, 2.0**-13, 2.0**-8, draw.scale(1e-4, 1e-2))
        cell = self._state(F32 if dtype is F32 else I16, cell_scale)
        row = [x, *weights, *[ABSENT] * 3, *biases, *[ABSENT] * 2, hidden, cell, *[ABSENT] * 4]
        b.operator(
            "UNIDIRECTIONAL_SEQUENCE_LSTM", row, (*lead, self.units), dtype,
            None if dtype is F32 else hidden_scale, hidden_zero_point if dtype is not F32 else 0,
            fused_activation_function="TANH", time_major=self.time_major,
            cell_clip=draw.one_of(0.0, 10.0, 0.5),
        )  # fmt: skip
        return (*lead, self.inputs)

    def check(self) -> None:
        steps = _sequence(self.draw, self.dtype, self.grow())
        assert_sequence_as_tflm(self.builder, steps, self.draw.integer(1, STEPS))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [F32, I8, I16], ids=lambda d: d.value)
def test_lstm(dtype: DType, seed: int) -> None:
    Lstm(Draw(seed), dtype).check()
