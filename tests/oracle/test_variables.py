"""Variables that are read and assigned in turn, over sequences with a reset in between."""

from __future__ import annotations

import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_sequence_as_tflm
from tests.support.models import ModelBuilder
from tests.support.state_models import handle

TYPES = (DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.BOOL)
STEPS = 7


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", TYPES, ids=lambda d: d.value)
def test_variables(dtype: DType, seed: int) -> None:
    """Two of them: each is read before, between or after what is assigned, maybe twice."""
    draw = Draw(seed)
    quantized = {}
    if dtype in (DType.INT8, DType.INT16):
        zero_point = draw.zero_point() if dtype is DType.INT8 else 0
        quantized = {"scale": 0.5, "zero_point": zero_point}
    shapes = [draw.shape(0, 4, 4) for _ in range(2)]
    b = ModelBuilder()
    inputs = [b.input(shape, dtype, **quantized) for shape in shapes]
    handles = [handle(b, name) for name in ("one", "two")]
    read_last, results = draw.integer(0, 1), []

    def read(k: int) -> None:
        results.append(b.operator("READ_VARIABLE", (handles[k],), shapes[k], dtype, **quantized))

    read(1 - read_last)
    for k in draw.random.permutation(2):
        b.operator_into("ASSIGN_VARIABLE", (handles[k], inputs[k]), ())
        if draw.integer(0, 1):
            read(k)
    read(read_last)
    steps = [[draw.values(dtype, shape) for shape in shapes] for _ in range(STEPS)]
    assert_sequence_as_tflm(b, steps, draw.integer(1, STEPS))
