"""Layers with weights, pools and matrix products, in all types but int8 with a bias."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from mcucomp.ops.windows import WindowAxis
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.models import ABSENT, ModelBuilder

F32, I4, I8, I16, I32, I64 = (
    DType.FLOAT32, DType.INT4, DType.INT8, DType.INT16, DType.INT32, DType.INT64,
)  # fmt: skip

# (activations, weights, bias); no bias where it is None.
CONV = [
    (F32, F32, F32), (F32, F32, None), (I8, I8, None), (I8, I4, I32), (I16, I8, I64),
    (I16, I8, I32), (I16, I8, None),
]  # fmt: skip
DEPTHWISE = [
    (F32, F32, F32), (F32, F32, None), (I8, I8, None), (I8, I4, I32), (I16, I8, I64),
    (I16, I8, None),
]  # fmt: skip
DENSE = [*CONV]
TRANSPOSED = [
    (F32, F32, F32), (F32, F32, None), (I8, I8, I32), (I8, I8, None), (I16, I8, I64),
    (I16, I8, I16), (I16, I8, None),
]  # fmt: skip

Types = tuple[DType, DType, DType | None]


def _ids(rows: list[Types]) -> list[str]:
    return ["-".join("none" if t is None else t.value for t in row) for row in rows]


def _axis(draw: Draw, taps: int, padding: str) -> WindowAxis:
    stride, dilation = draw.one_of(1, 1, 2, 3), draw.one_of(1, 1, 2)
    least = (taps - 1) * dilation + 1 if padding == "VALID" else 1
    return WindowAxis(least + draw.integer(0, 5), taps, stride, dilation, padding)


def _options(height: WindowAxis, width: WindowAxis, activation: str) -> dict[str, int | str]:
    return {
        "padding": height.padding,
        "stride_h": height.stride,
        "stride_w": width.stride,
        "dilation_h_factor": height.dilation,
        "dilation_w_factor": width.dilation,
        "fused_activation_function": activation,
    }


class Layer:
    """A layer's tensors in the types of a row."""

    def __init__(self, draw: Draw, types: Types, shape: tuple[int, ...]) -> None:
        self.draw, self.types, self.shape = draw, types, shape
        self.builder = ModelBuilder()
        self.input_scale = None if types[0] is F32 else draw.scale(0.001, 0.1)
        zero_point = draw.zero_point() if types[0] is I8 else 0
        self.input = self.builder.input(shape, types[0], self.input_scale, zero_point)

    def weights(self, shape: tuple[int, ...], axis: int, count: int) -> int:
        if self.types[1] is F32:
            return self.builder.constant(self.draw.values(F32, shape))
        self.scales = self.draw.scales(count, 0.001, 0.1)
        if self.types[1] is I4:
            values = self.draw.random.integers(-8, 8, shape)
            return self.builder.packed(values, self.scales, axis)
        return self.builder.constant(self.draw.int8(shape), self.scales, axis=axis)

    def bias(self, outputs: int) -> list[int]:
        dtype = self.types[2]
        if dtype is None:
            return []
        if dtype is F32:
            return [self.builder.constant(self.draw.values(F32, (outputs,)))]
        bound = {I16: 3000, I32: 10**6, I64: self.draw.one_of(10**6, 2**38)}[dtype]
        values = self.draw.random.integers(-bound, bound, outputs)
        scales = [self.input_scale * s for s in self.scales]
        return [self.builder.constant(values.astype(dtype.value), scales)]

    def check(
        self, kind: str, inputs: list[int], result: tuple[int, ...], terms: int, **options: object
    ) -> None:
        output: tuple[float | None, int] = (None, 0)
        if self.types[0] is I8:
            output = (self.draw.scale(0.05, 2.0) * terms**0.5 * 0.02, self.draw.zero_point())
        if self.types[0] is I16:
            output = (self.draw.scale(0.05, 2.0) * terms**0.5 * 0.02, 0)
        self.builder.operator(kind, inputs, result, self.types[0], *output, **options)  # type: ignore[arg-type]
        assert_as_tflm(self.builder, [self.draw.values(self.types[0], self.shape)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("types", CONV, ids=_ids(CONV))
def test_conv_2d(types: Types, seed: int) -> None:
    draw = Draw(seed)
    groups = 1 if types[1] is I4 else draw.one_of(1, 1, 2)
    channels, per_group = draw.integer(1, 5), draw.integer(1, 5)
    taps = draw.one_of((1, 1), (3, 3), (draw.integer(1, 3), draw.integer(1, 4)))
    padding = draw.one_of("SAME", "VALID")
    height, width = (_axis(draw, t, padding) for t in taps)
    shape = (draw.one_of(1, 2), height.in_size, width.in_size, groups * channels)
    outputs = groups * per_group
    layer = Layer(draw, types, shape)
    w = layer.weights((outputs, *taps, channels), 0, draw.one_of(1, outputs))
    layer.check(
        "CONV_2D",
        [layer.input, w, *(layer.bias(outputs) or [ABSENT])],
        (shape[0], height.out_size, width.out_size, outputs),
        taps[0] * taps[1] * channels,
        **_options(height, width, draw.activation()),
    )


@pytest.mark.parametrize("seed", range(20))
def test_int16_without_bias_but_with_its_type(seed: int) -> None:
    """The option alone then says that sums have 32 bits."""
    draw = Draw(seed)
    layer = Layer(draw, (I16, I8, None), (1, 3, 3, 4))
    w = layer.weights((5, 1, 1, 4), 0, 5)
    options = {"padding": "VALID", "stride_h": 1, "stride_w": 1, "quantized_bias_type": "int32"}
    layer.check("CONV_2D", [layer.input, w, ABSENT], (1, 3, 3, 5), 4, **options)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("types", DEPTHWISE, ids=_ids(DEPTHWISE))
def test_depthwise_conv_2d(types: Types, seed: int) -> None:
    draw = Draw(seed)
    channels, multiplier = draw.integer(1, 5), draw.one_of(1, 1, 2, 3)
    taps = draw.one_of((3, 3), (draw.integer(1, 3), draw.integer(1, 4)))
    padding = draw.one_of("SAME", "VALID")
    height, width = (_axis(draw, t, padding) for t in taps)
    shape = (draw.one_of(1, 2), height.in_size, width.in_size, channels)
    outputs = channels * multiplier
    layer = Layer(draw, types, shape)
    w = layer.weights((1, *taps, outputs), 3, draw.one_of(1, outputs))
    layer.check(
        "DEPTHWISE_CONV_2D",
        [layer.input, w, *layer.bias(outputs)],
        (shape[0], height.out_size, width.out_size, outputs),
        taps[0] * taps[1],
        depth_multiplier=multiplier,
        **_options(height, width, draw.activation()),
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("types", DENSE, ids=_ids(DENSE))
def test_fully_connected(types: Types, seed: int) -> None:
    draw = Draw(seed)
    rows, channels, outputs = draw.one_of(1, 2, 3), draw.integer(1, 40), draw.integer(1, 9)
    layer = Layer(draw, types, (rows, channels))
    count = 1 if types[1] is I4 else draw.one_of(1, outputs)
    w = layer.weights((outputs, channels), 0, count)
    layer.check(
        "FULLY_CONNECTED",
        [layer.input, w, *(layer.bias(outputs) or [ABSENT])],
        (rows, outputs),
        channels,
        fused_activation_function=draw.activation(),
    )


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("types", TRANSPOSED, ids=_ids(TRANSPOSED))
def test_transpose_conv(types: Types, seed: int) -> None:
    draw = Draw(seed)
    channels, outputs, padding = (
        draw.integer(1, 4),
        draw.integer(1, 4),
        draw.one_of("SAME", "VALID"),
    )
    taps, strides = draw.shape(2, 2, 4), (draw.integer(1, 3), draw.integer(1, 3))
    size = draw.shape(2, 2)
    if padding == "SAME":
        result = tuple(n * s - draw.integer(0, s - 1) for n, s in zip(size, strides, strict=True))
    else:
        result = tuple(
            (n - 1) * s + t + draw.integer(0, s - 1)
            for n, s, t in zip(size, strides, taps, strict=True)
        )
    batches = draw.one_of(1, 2)
    layer = Layer(draw, types, (batches, *size, channels))
    w = layer.weights((outputs, *taps, channels), 0, draw.one_of(1, outputs))
    whole = (batches, *result, outputs)
    shape = layer.builder.constant(np.array(whole, np.int32))
    layer.check(
        "TRANSPOSE_CONV",
        [shape, w, layer.input, *layer.bias(outputs)],
        whole,
        channels * 2,
        padding=padding,
        stride_h=strides[0],
        stride_w=strides[1],
        fused_activation_function=draw.activation(),
    )


POOLS = [("AVERAGE_POOL_2D", F32), ("AVERAGE_POOL_2D", I16), ("MAX_POOL_2D", F32),
         ("MAX_POOL_2D", I16), ("L2_POOL_2D", F32)]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("kind", "dtype"), POOLS, ids=[f"{k}-{t.value}" for k, t in POOLS])
def test_pools(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    padding = draw.one_of("SAME", "VALID")

    def axis() -> WindowAxis:
        taps = draw.integer(1, 5)
        size = draw.integer(1 if padding == "SAME" else taps, 10)
        return WindowAxis(size, taps, draw.integer(1, 4), 1, padding)

    height, width = axis(), axis()
    shape = (draw.one_of(1, 2), height.in_size, width.in_size, draw.integer(1, 5))
    scale = None if dtype is F32 else draw.scale(1e-4, 0.01)
    b = ModelBuilder()
    x = b.input(shape, dtype, scale)
    b.operator(
        kind,
        (x,),
        (shape[0], height.out_size, width.out_size, shape[3]),
        dtype,
        scale,
        padding=padding,
        filter_height=height.taps,
        filter_width=width.taps,
        stride_h=height.stride,
        stride_w=width.stride,
        fused_activation_function=draw.activation(),
    )
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("dtype", [F32, I8, I16], ids=lambda d: d.value)
def test_batch_matmul(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    rows, depth, cols = draw.integer(1, 5), draw.integer(1, 9), draw.integer(1, 5)
    batches = draw.shape(0, 3, 3)
    adj_x, adj_y = bool(draw.integer(0, 1)), bool(draw.integer(0, 1))
    left, right = (
        tuple(d if draw.integer(0, 2) else 1 for d in batches) if seed % 2 else batches
        for _ in range(2)
    )
    whole = tuple(map(max, left, right))
    a = (*left, depth, rows) if adj_x else (*left, rows, depth)
    c = (*right, cols, depth) if adj_y else (*right, depth, cols)
    b = ModelBuilder()
    inputs, values = [], []
    for i, shape in enumerate((a, c)):
        scale = None if dtype is F32 else draw.scale(0.001, 0.1)
        zero_point = draw.zero_point() if dtype is I8 else 0
        value = draw.values(dtype, shape)
        if i == 1 and draw.integer(0, 2) == 0:
            quantization = ([scale], [zero_point]) if scale else ((), ())
            inputs.append(b.constant(value, *quantization))
        else:
            inputs.append(b.input(shape, dtype, scale, zero_point))
            values.append(value)
    scale = None if dtype is F32 else draw.scale(0.01, 1.0) * depth**0.5
    zero_point = draw.zero_point() if dtype is I8 else 0
    b.operator(
        "BATCH_MATMUL", inputs, (*whole, rows, cols), dtype, scale, zero_point,
        adj_x=adj_x, adj_y=adj_y,
    )  # fmt: skip
    assert_as_tflm(b, values)
