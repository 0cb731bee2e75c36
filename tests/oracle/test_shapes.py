"""AVERAGE_POOL_2D, MAX_POOL_2D, PAD, TRANSPOSE and MEAN against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ops.windows import WindowAxis
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder

PAD_DIMENSIONS_MAX = 5


def _shape(draw: Draw, low: int, high: int) -> tuple[int, ...]:
    return tuple(draw.integer(1, 5) for _ in range(draw.integer(low, high)))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("kind", ["AVERAGE_POOL_2D", "MAX_POOL_2D"])
def test_pools(kind: str, seed: int) -> None:
    draw = Draw(seed)
    padding = draw.one_of("SAME", "VALID")

    def axis() -> WindowAxis:
        taps = draw.integer(1, 6)
        size = draw.integer(1 if padding == "SAME" else taps, 12)
        return WindowAxis(size, taps, draw.integer(1, 4), 1, padding)

    height, width = axis(), axis()
    batches, channels = draw.one_of(1, 2), draw.integer(1, 9)
    shape = (batches, height.in_size, width.in_size, channels)
    scale, zero_point = draw.scale(0.01, 1.0), draw.zero_point()
    b = ModelBuilder()
    x = b.input(shape, scale=scale, zero_point=zero_point)
    b.operator(
        kind,
        (x,),
        (batches, height.out_size, width.out_size, channels),
        scale=scale,
        zero_point=zero_point,
        padding=padding,
        filter_height=height.taps,
        filter_width=width.taps,
        stride_h=height.stride,
        stride_w=width.stride,
        fused_activation_function=draw.activation(),
    )
    assert_as_tflm(b, [draw.int8(shape)])


def _pad(draw: Draw, low: int, high: int, index_type: type) -> tuple[ModelBuilder, np.ndarray]:
    """A PAD of `low` to `high` dimensions, and its paddings."""
    shape = _shape(draw, low, high)
    paddings = draw.random.integers(0, 4, (len(shape), 2))
    paddings[draw.random.random(len(shape)) < 0.4] = 0
    result = tuple((np.array(shape) + paddings.sum(axis=1)).tolist())
    zero_point = draw.zero_point()
    b = ModelBuilder()
    x = b.input(shape, scale=0.5, zero_point=zero_point)
    sides = b.constant(paddings.astype(index_type))
    b.operator("PAD", (x, sides), result, scale=0.5, zero_point=zero_point)
    return b, paddings


@pytest.mark.parametrize("seed", range(30))
def test_pad(seed: int) -> None:
    draw = Draw(seed)
    b, _ = _pad(draw, 1, PAD_DIMENSIONS_MAX, np.int32)
    assert_as_tflm(b, [draw.int8(b.tensors[0].shape)])


@pytest.mark.parametrize("seed", range(20))
def test_pad_by_int64(seed: int) -> None:
    """TFLM misreads int64 paddings: what numpy does."""
    draw = Draw(seed)
    b, paddings = _pad(draw, 1, PAD_DIMENSIONS_MAX, np.int64)
    values = draw.int8(b.tensors[0].shape)
    (got,) = run_model(b.finish(), [values])
    quantization = b.tensors[0].quantization
    assert quantization is not None
    expected = np.pad(values, paddings, constant_values=quantization.zero_points[0])
    assert np.array_equal(got, expected)


def _transpose(draw: Draw, low: int, high: int) -> tuple[ModelBuilder, np.ndarray]:
    """A TRANSPOSE of `low` to `high` dimensions, and its permutation."""
    shape = _shape(draw, low, high)
    axes = draw.random.permutation(len(shape)).astype(np.int32)
    b = ModelBuilder()
    x = b.input(shape, scale=0.5)
    b.operator("TRANSPOSE", (x, b.constant(axes)), tuple(shape[i] for i in axes), scale=0.5)
    return b, axes


@pytest.mark.parametrize("seed", range(40))
def test_transpose(seed: int) -> None:
    draw = Draw(seed)
    b, _ = _transpose(draw, 1, 5)
    assert_as_tflm(b, [draw.int8(b.tensors[0].shape)])


@pytest.mark.parametrize("seed", range(20))
def test_transpose_of_six_dimensions(seed: int) -> None:
    """More than TFLM takes: what numpy does."""
    draw = Draw(seed)
    b, axes = _transpose(draw, 6, 6)
    values = draw.int8(b.tensors[0].shape)
    (got,) = run_model(b.finish(), [values])
    assert np.array_equal(got, values.transpose(axes))


@pytest.mark.parametrize("seed", range(60))
def test_mean(seed: int) -> None:
    draw = Draw(seed)
    shape = _shape(draw, 1, 4)
    if seed % 5 == 0:  # the usual global mean of an image
        shape, axes, keep = (
            (1, draw.integer(1, 9), draw.integer(1, 9), 6),
            [1, 2],
            draw.integer(0, 1),
        )
    else:
        count = draw.integer(1, len(shape))
        axes = sorted(draw.random.permutation(len(shape))[:count].tolist())
        keep = draw.integer(0, 1)
    result = tuple(1 if i in axes else d for i, d in enumerate(shape) if keep or i not in axes)
    b = ModelBuilder()
    x = b.input(shape, scale=draw.scale(0.01, 1.0), zero_point=draw.zero_point())
    y = b.constant(np.array(axes, np.int32))
    b.operator(
        "MEAN", (x, y), result, scale=draw.scale(0.01, 1.0), zero_point=draw.zero_point(),
        keep_dims=bool(keep),
    )  # fmt: skip
    assert_as_tflm(b, [draw.int8(shape)])
