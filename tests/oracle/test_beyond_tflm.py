"""Operators that TFLM does not have, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from mcucomp.ops.element_types import MOVABLE
from tests.oracle.cases import Draw, assert_as
from tests.support.models import ModelBuilder

I32, I64 = DType.INT32, DType.INT64


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("count_type", [I32, I64], ids=lambda d: d.value)
@pytest.mark.parametrize("dtype", MOVABLE, ids=lambda d: d.value)
def test_tile(dtype: DType, count_type: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(0, 5, 3)
    multiples = [draw.one_of(1, 1, 2, 3) for _ in shape]
    b = ModelBuilder()
    x = b.input(shape, dtype)
    m = b.constant(np.array(multiples, count_type.value))
    result = [n * k for n, k in zip(shape, multiples, strict=True)]
    b.operator("TILE", (x, m), result, dtype)
    values = draw.values(dtype, shape)
    assert_as(b, [values], np.tile(values, multiples))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("index_type", [I32, I64], ids=lambda d: d.value)
@pytest.mark.parametrize("dtype", MOVABLE, ids=lambda d: d.value)
def test_one_hot(dtype: DType, index_type: DType, seed: int) -> None:
    draw = Draw(seed)
    shape, depth = draw.shape(0, 3, 4), draw.integer(1, 6)
    axis = draw.one_of(-1, draw.integer(0, len(shape)))
    on, off = draw.values(dtype, ()), draw.values(dtype, ())
    indices = draw.random.integers(-2, depth + 2, shape).astype(index_type.value)
    b = ModelBuilder()
    x = b.input(shape, index_type)
    rest = [b.constant(np.array(v)) for v in (np.array(depth, np.int32), on, off)]
    hot = np.where(indices[..., None] == np.arange(depth), on, off)
    expected = np.moveaxis(hot, -1, axis).astype(dtype.value)
    b.operator("ONE_HOT", (x, *rest), expected.shape, dtype, axis=axis)
    assert_as(b, [indices], expected)
