"""Messages of the layers that remember, and of operators that TFLM does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.support.changes import Change, operator, option, q, tensor, values, violation
from tests.support.models import ABSENT, ModelBuilder

F32, I8, I16, I32 = DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32
Make = Callable[[], ModelBuilder]


def _svdf() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 5), scale=0.5)
    weights = b.constant(np.ones((6, 5), np.int8), [0.25])
    times = b.constant(np.ones((6, 4), np.int8), [0.125])
    bias = b.constant(np.zeros(3, np.int32), [0.0625])
    state = b.tensor((1, 24), I8, 0.5, is_variable=True)
    b.operator("SVDF", (x, weights, times, bias, state), (1, 3), scale=1.0, rank=2)
    return b


def _lstm() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 2, 5), scale=0.5)
    weights = [b.constant(np.ones((3, n), np.int8), [0.25]) for n in (5,) * 4 + (3,) * 4]
    biases = [b.constant(np.zeros(3, np.int32), [0.125]) for _ in range(4)]
    hidden = b.tensor((1, 3), I8, 1 / 128, is_variable=True)
    cell = b.tensor((1, 3), I16, 2.0**-11, is_variable=True)
    row = [x, *weights, *[ABSENT] * 3, *biases, *[ABSENT] * 2, hidden, cell, *[ABSENT] * 4]
    b.operator("UNIDIRECTIONAL_SEQUENCE_LSTM", row, (1, 2, 3), scale=1 / 128,
               fused_activation_function="TANH")  # fmt: skip
    return b


def _tile() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((2, 3), scale=0.5)
    b.operator("TILE", (x, b.constant(np.array([2, 1], np.int32))), (4, 3), scale=0.5)
    return b


def _one_hot() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((2,), I32)
    rest = [b.constant(np.array(v)) for v in (np.int32(4), np.float32(1), np.float32(0))]
    b.operator("ONE_HOT", (x, *rest), (2, 4), F32, axis=-1)
    return b


def _ints(*numbers: Any) -> np.ndarray:
    return np.array(numbers, np.int32)


REFUSED: list[tuple[Make, Change, str]] = [
    (_svdf, tensor(4, is_variable=False),
     "state is a variable; found a tensor that is not marked as variable"),
    (_svdf, tensor(0, dtype=I16),
     "input, feature weights, time weights, bias, state and output are float32, float32, float32, "
     "float32, float32 and float32; or int8, int8, int8, int32, int8 and int8; or int8, int8, "
     "int16, int32, int16 and int8; found int16, int8, int8, int32, int8 and int8"),
    (_svdf, option("rank", 4),
     "filters are a multiple of the rank, which is at least 1; found rank 4, 6 filters"),
    (_svdf, tensor(4, shape=(1, 20)),
     "tensors have the shapes that filters and rank give; found 1x20 instead of 1x24"),
    (_svdf, tensor(3, quantization=q(0.5)),
     "for int8 input: bias scale differs from state scale * time scale by less than 0.00001; "
     "found 0.5, not 0.0625"),
    (_svdf, tensor(5, quantization=q(1e-12)),
     "for int8 input: input scale * feature scale / state scale, and state scale * time scale / "
     "output scale, are below 2^30; found 6.25e+10"),
    (_svdf, tensor(1, quantization=None),
     "for int8 input: feature weights has one scale; found no quantisation"),
    (_lstm, operator(inputs=(0,)),
     "there are 24 inputs and one output, and weights and biases of four gates; "
     "found 1 inputs and 1 outputs"),
    (_lstm, operator(inputs=(0, *range(1, 9), 1, -1, -1, *range(9, 13), -1, -1, 13, 14, *[-1] * 4)),
     "peephole, projection and layer normalisation are absent; found input 9"),
    (_lstm, option("fused_activation_function", "RELU"), "fused activation is TANH; found RELU"),
    (_lstm, tensor(14, quantization=q(2.0**-11, 3)),
     "for int8 or int16 input: cell state has the zero point 0; found 3"),
    (_lstm, tensor(14, quantization=q(3.0)),
     "for int8 or int16 input: cell scale is from 2^-40 to 1; found 3"),
    (_lstm, tensor(3, shape=(3, 4), data=bytes(12)),
     "tensors have the shapes that batches and units give; "
     "found cell gate's input weights 3x4, not 3x5"),
    (_lstm, tensor(13, shape=(1, 4)),
     "tensors have the shapes that batches and units give; "
     "found hidden state of 4 elements, not 3"),
    (_lstm, tensor(10, dtype=F32),
     "all weights have one type, and all biases; found forget gate's bias of float32"),
    (_lstm, tensor(0, quantization=q(1e8)),
     "for int8 or int16 input: scales of gates are below 2^30 steps of 2^-12, for int16 below 2^7 "
     "steps; found 1.024e+11"),
    (_tile, values(1, _ints(2, 0)),
     "multiples has a number from 1 for each dimension; found 2x0 for 2x3"),
    (_tile, values(1, _ints(1, 2)),
     "output has the shape that input and multiples give; found 4x3, not 2x6"),
    (_one_hot, option("axis", 3), "axis is a dimension of output; found axis 3 for 2 dimensions"),
    (_one_hot, values(1, _ints(4, 5)), "depth has one value; found 2"),
    (_one_hot, values(1, np.array(5, np.int32)),
     "output has the shape that indices, depth and axis give; found 2x4, not 2x5"),
]  # fmt: skip


@pytest.mark.parametrize("make", list(dict.fromkeys(make for make, *_ in REFUSED)))
def test_the_unchanged_operator_is_taken(make: Make) -> None:
    assert violation(make().finish().graphs[0]) is None


@pytest.mark.parametrize(("make", "change", "message"), REFUSED, ids=[m for *_, m in REFUSED])
def test_refused(make: Make, change: Change, message: str) -> None:
    assert violation(change(make().finish().graphs[0])) == message
