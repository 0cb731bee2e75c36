"""uint8 models, which TFLM refuses: as an int8 twin in TFLM, and with weights that no twin has."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType, Model
from mcucomp.ops.fixed_point import scaled_by, wrapped32
from mcucomp.rewrite import rewrite
from mcucomp.rules import ALL, Rules
from tests.oracle import counted
from tests.oracle.cases import Draw, assert_same
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_outputs

U8, I8 = DType.UINT8, DType.INT8
SHIFT = 128


class Network:
    """A small network drawn from a seed, as uint8 or as its int8 twin: 128 less everywhere."""

    def __init__(self, seed: int, dtype: DType) -> None:
        self.pool = ("AVERAGE_POOL_2D", "MAX_POOL_2D")[seed % 2]
        self.draw, self.dtype, self.builder = Draw(seed), dtype, ModelBuilder()
        self.shift = 0 if dtype is U8 else SHIFT

    def zero_point(self) -> int:
        return self.draw.zero_point() + SHIFT - self.shift

    def weights(self, shape: tuple[int, ...], axis: int = 0) -> tuple[int, float]:
        """Weights that are int8 once their zero point is taken off."""
        zero_point, scale = self.draw.integer(100, 150), self.draw.scale(0.002, 0.02)
        reach = min(zero_point, 255 - zero_point)
        steps = self.draw.random.integers(-reach, reach + 1, shape)
        if self.dtype is I8:
            return self.builder.constant(steps.astype(np.int8), [scale], axis=axis), scale
        stored = (steps + zero_point).astype(np.uint8)
        return self.builder.constant(stored, [scale], [zero_point], axis), scale

    def layer(self, kind: str, x: int, x_scale: float, filters: tuple[int, ...],
              shape: tuple[int, ...], scale: float, **options: object) -> int:  # fmt: skip
        w, w_scale = self.weights(filters, 3 if kind.startswith("DEPTHWISE") else 0)
        bias = self.draw.random.integers(-900, 900, shape[-1]).astype(np.int32)
        bias_index = self.builder.constant(bias, [x_scale * w_scale])
        return self.builder.operator(
            kind, (x, w, bias_index), shape, self.dtype, scale, self.zero_point(),
            fused_activation_function=self.draw.activation(), **options,  # type: ignore[arg-type]
        )  # fmt: skip

    def build(self) -> ModelBuilder:
        b = self.builder
        strides = {"stride_h": 1, "stride_w": 1}
        x = b.input((1, 5, 5, 3), self.dtype, 0.02, self.zero_point())
        y = self.layer("CONV_2D", x, 0.02, (4, 3, 3, 3), (1, 5, 5, 4), 0.05, padding="SAME",
                       **strides)  # fmt: skip
        z = self.layer("DEPTHWISE_CONV_2D", y, 0.05, (1, 3, 3, 4), (1, 5, 5, 4), 0.1,
                       padding="SAME", depth_multiplier=1, **strides)  # fmt: skip
        zero_point = self.zero_point()
        added = b.operator("ADD", (y, z), (1, 5, 5, 4), self.dtype, 0.12, zero_point)
        pool = {"filter_height": 3, "filter_width": 3, "padding": "VALID", **strides}
        pooled = b.operator(self.pool, (added,), (1, 3, 3, 4), self.dtype, 0.12, zero_point, **pool)
        flat = b.operator("RESHAPE", (pooled,), (1, 36), self.dtype, 0.12, zero_point,
                          new_shape=(1, 36))  # fmt: skip
        dense = self.layer("FULLY_CONNECTED", flat, 0.12, (6, 36), (1, 6), 0.2)
        b.operator("SOFTMAX", (dense,), (1, 6), self.dtype, 1 / 256, -self.shift, beta=1.0)
        return b


def _rewritten(model: Model) -> Model:
    return rewrite(model, Rules())


@pytest.mark.parametrize("seed", range(40))
def test_network_as_its_int8_twin(seed: int) -> None:
    model = Network(seed, U8).build().finish()
    values = Draw(seed + 1000).random.integers(0, 256, (1, 5, 5, 3)).astype(np.uint8)
    (got,) = run_model(_rewritten(model), [values])
    twin = (values ^ SHIFT).view(np.int8)
    (expected,) = tflm_outputs(Network(seed, I8).build().bytes(), [twin])
    assert_same(got, expected.view(np.uint8) ^ SHIFT)
    counted.count(model.graphs[0])


@pytest.mark.parametrize("seed", range(20))
def test_weights_that_are_no_int8(seed: int) -> None:
    """Differences to a zero point near 0 or 255 need nine bits; the sum is computed here."""
    draw = Draw(seed)
    rows, channels, outputs = draw.integer(1, 3), draw.integer(1, 30), draw.integer(1, 5)
    zeros = [draw.integer(0, 255), draw.one_of(0, 3, 250, 255), draw.integer(0, 255)]
    scales = [draw.scale(0.01, 0.1), draw.scale(0.002, 0.02), draw.scale(0.5, 2.0)]
    weights = draw.random.integers(0, 256, (outputs, channels)).astype(np.uint8)
    weights[0, 0], bias = 255 - zeros[1] // 128 * 255, draw.bias(outputs)
    values = draw.random.integers(0, 256, (rows, channels)).astype(np.uint8)
    b = ModelBuilder()
    x = b.input((rows, channels), U8, scales[0], zeros[0])
    w = b.constant(weights, [scales[1]], [zeros[1]])
    y = b.constant(bias, [scales[0] * scales[1]])
    b.operator("FULLY_CONNECTED", (x, w, y), (rows, outputs), U8, scales[2], zeros[2])
    (got,) = run_model(_rewritten(b.finish()), [values])
    steps = (values.astype(int) - zeros[0]) @ (weights.astype(int) - zeros[1]).T + bias
    first, second, third = (float(np.float32(s)) for s in scales)
    expected = [scaled_by(wrapped32(int(s)), first * second / third) for s in steps.ravel()]
    clamped = np.clip(np.array(expected) + zeros[2], 0, 255).astype(np.uint8)
    assert_same(got, clamped.reshape(rows, outputs))


@pytest.mark.parametrize(("weight", "zero_point"), [(255, 0), (0, 255)])
def test_weights_that_are_no_int8_are_not_taken_for_others(weight: int, zero_point: int) -> None:
    """What is stored is not the weight: outputs are what they are without looking at values."""
    b = ModelBuilder()
    x = b.input((1, 2), U8, 0.1, 128)
    w = b.constant(np.full((2, 2), weight, np.uint8), [0.1], [zero_point])
    y = b.constant(np.zeros(2, np.int32), [0.01])
    b.operator("FULLY_CONNECTED", (x, w, y), (1, 2), U8, 10.0, 128,
               fused_activation_function="RELU")  # fmt: skip
    model = b.finish()
    for values in ([0, 0], [255, 255], [128, 200]):
        given = [np.array([values], np.uint8)]
        assert_same(
            run_model(rewrite(model, ALL), given)[0], run_model(_rewritten(model), given)[0]
        )


def test_a_mean_with_ties_stays_as_it_is() -> None:
    """Of an even number of pixels; a shift would change how ties are rounded."""
    b = ModelBuilder()
    x = b.input((1, 2, 2, 1), U8, 0.5, 3)
    w = b.constant(np.array([[[[200]]]], np.uint8), [0.5], [128])
    y = b.operator("CONV_2D", (x, w, -1), (1, 2, 2, 1), U8, 1.0, 9, padding="SAME",
                   stride_h=1, stride_w=1)  # fmt: skip
    b.operator("AVERAGE_POOL_2D", (y,), (1, 1, 1, 1), U8, 1.0, 9, padding="VALID",
               stride_h=1, stride_w=1, filter_height=2, filter_width=2)  # fmt: skip
    model = b.finish()
    assert _rewritten(model).graphs == model.graphs
