"""Layers that remember, over sequences of inferences with a reset in between."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_sequence_as_tflm
from tests.support.models import ModelBuilder

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
