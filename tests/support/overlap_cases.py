"""Drawn uses of the operators whose kernels have a contract, beyond int8 layers.

In: a generator and an empty builder. Out: the builder has one operator, all of whose inputs
that the kernel reads from the arena are inputs of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.windows import WindowAxis
from mcucomp.tflite.custom_options import write_custom_options
from tests.support.models import ABSENT, ModelBuilder

Draw = np.random.Generator
Case = Callable[[Draw, ModelBuilder], None]

F32, I8, I16, I32, I64, U32, BOOL = (
    DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.UINT32, DType.BOOL,
)  # fmt: skip
PADDINGS = ("SAME", "VALID")


def shape_of(draw: Draw, rank: int, largest: int = 5) -> tuple[int, ...]:
    return tuple(int(d) for d in draw.integers(1, largest + 1, rank))


def _quantized(dtype: DType, scale: float = 0.05) -> dict[str, Any]:
    return {"scale": scale, "zero_point": 0} if dtype in (I8, I16) else {}


def _axis(draw: Draw, padding: str, *, dilated: bool) -> WindowAxis:
    taps = int(draw.integers(1, 5))
    dilation = int(draw.choice([1, 1, 2])) if dilated else 1
    least = 1 if padding == "SAME" else (taps - 1) * dilation + 1
    return WindowAxis(
        least + int(draw.integers(0, 7)), taps, int(draw.integers(1, 4)), dilation, padding
    )


def _steps(height: WindowAxis, width: WindowAxis) -> dict[str, Any]:
    return {"padding": height.padding, "stride_h": height.stride, "stride_w": width.stride}


def _weights(draw: Draw, b: ModelBuilder, dtype: DType, shape: tuple[int, ...], axis: int) -> int:
    if dtype is F32:
        return b.constant(draw.normal(0, 1, shape).astype(np.float32))
    values = draw.integers(-127, 128, shape, dtype=np.int8)
    return b.constant(values, draw.uniform(0.001, 0.01, shape[axis]).tolist(), axis=axis)


def convolution(dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        padding = str(draw.choice(PADDINGS))
        height, width = (_axis(draw, padding, dilated=True) for _ in "hw")
        groups = int(draw.choice([1, 1, 2, 3]))
        channels, outputs = (groups * int(d) for d in draw.integers(1, 6, 2))
        batches = int(draw.integers(1, 3))
        x = b.input((batches, height.in_size, width.in_size, channels), dtype, **_quantized(dtype))
        w = _weights(draw, b, dtype, (outputs, height.taps, width.taps, channels // groups), 0)
        b.operator("CONV_2D", (x, w, ABSENT), (batches, height.out_size, width.out_size, outputs),
                   dtype, **_quantized(dtype), **_steps(height, width),
                   dilation_h_factor=height.dilation, dilation_w_factor=width.dilation,
                   )  # fmt: skip

    return case


def transposed(dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        padding = str(draw.choice(PADDINGS))
        taps, strides, size = shape_of(draw, 2, 4), shape_of(draw, 2, 3), shape_of(draw, 2)
        channels, outputs, batches = (int(d) for d in draw.integers(1, 4, 3))
        spare = [int(draw.integers(0, s)) for s in strides]
        result = [
            n * s - r if padding == "SAME" else (n - 1) * s + t + r
            for n, s, t, r in zip(size, strides, taps, spare, strict=True)
        ]
        x = b.input((batches, *size, channels), dtype, **_quantized(dtype))
        w = _weights(draw, b, dtype, (outputs, *taps, channels), 0)
        whole = (batches, *result, outputs)
        shape = b.constant(np.array(whole, np.int32))
        b.operator("TRANSPOSE_CONV", (shape, w, x), whole, dtype, **_quantized(dtype),
                   padding=padding, stride_h=strides[0], stride_w=strides[1])  # fmt: skip

    return case


def pool(kind: str, dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        padding = str(draw.choice(PADDINGS))
        height, width = (_axis(draw, padding, dilated=False) for _ in "hw")
        batches, channels = (int(d) for d in draw.integers(1, 5, 2))
        x = b.input((batches, height.in_size, width.in_size, channels), dtype, **_quantized(dtype))
        result = (batches, height.out_size, width.out_size, channels)
        b.operator(kind, (x,), result, dtype, **_quantized(dtype), **_steps(height, width),
                   filter_height=height.taps, filter_width=width.taps)  # fmt: skip

    return case


def resized(dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        batches, height, width, channels = shape_of(draw, 4)
        size = shape_of(draw, 2, 9)
        option: dict[str, Any] = {}
        if name := str(draw.choice(["", "align_corners", "half_pixel_centers"])):
            option = {name: True}
        x = b.input((batches, height, width, channels), dtype, **_quantized(dtype))
        b.operator("RESIZE_BILINEAR", (x, b.constant(np.array(size, np.int32))),
                   (batches, *size, channels), dtype, **_quantized(dtype), **option)  # fmt: skip

    return case


def product(dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        rows, depth, cols = shape_of(draw, 3)
        whole = shape_of(draw, int(draw.integers(0, 3)), 3)
        parts = [tuple(1 if draw.random() < 0.3 else d for d in whole) for _ in "ab"]
        adjoint = [bool(draw.random() < 0.4) for _ in "ab"]
        a = (*parts[0], depth, rows) if adjoint[0] else (*parts[0], rows, depth)
        c = (*parts[1], cols, depth) if adjoint[1] else (*parts[1], depth, cols)
        inputs = [b.input(s, dtype, **_quantized(dtype)) for s in (a, c)]
        batch = tuple(max(p) for p in zip(*parts, strict=True))
        b.operator("BATCH_MATMUL", inputs, (*batch, rows, cols), dtype, **_quantized(dtype),
                   adj_x=adjoint[0], adj_y=adjoint[1])  # fmt: skip

    return case


def pair(kind: str, dtype: DType, out: DType | None = None, second: DType | None = None) -> Case:
    """Two tensors, of which one may be repeated; with `second` that one alone may be."""

    def case(draw: Draw, b: ModelBuilder) -> None:
        shape = shape_of(draw, int(draw.integers(1, 5)))
        repeated = [0.0 if second is not None else 0.2, 0.2]
        shapes = [tuple(1 if draw.random() < share else d for d in shape) for share in repeated]
        result = [max(x, y) for x, y in zip(*shapes, strict=True)]
        types = (dtype, second or dtype)
        inputs = [b.input(s, t, **_quantized(t)) for s, t in zip(shapes, types, strict=True)]
        b.operator(kind, inputs, result, out or dtype, **_quantized(out or dtype))

    return case


def unary(
    kind: str, dtype: DType, out: DType | None = None, given: tuple[float, int] | None = None
) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        shape = shape_of(draw, int(draw.integers(1, 4)), 7)
        x = b.input(shape, dtype, **_quantized(dtype))
        scale, zero_point = given or (0.1, 0)
        q = {"scale": scale, "zero_point": zero_point} if _quantized(out or dtype) else {}
        options: dict[str, Any] = {"beta": 1.0} if kind == "SOFTMAX" else {}
        b.operator(kind, (x,), shape, out or dtype, **q, **options)

    return case


def cast(draw: Draw, b: ModelBuilder) -> None:
    source, result = (DType(draw.choice([t.value for t in (F32, I8, I16, I32)])) for _ in "io")
    shape = shape_of(draw, 2, 7)
    b.operator("CAST", (b.input(shape, source, **_quantized(source)),), shape, result,
               **_quantized(result))  # fmt: skip


def reduced(kind: str, dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        shape = shape_of(draw, int(draw.integers(1, 5)))
        axes = [i for i in range(len(shape)) if draw.random() < 0.5]
        result = tuple(1 if i in axes else d for i, d in enumerate(shape))
        x = b.input(shape, dtype, **_quantized(dtype))
        b.operator(kind, (x, b.constant(np.array(axes, np.int32))), result, dtype,
                   **_quantized(dtype), keep_dims=True)  # fmt: skip

    return case


def along(kind: str, dtype: DType, out: DType | None = None) -> Case:
    """One axis is taken away, or summed along in either direction."""

    def case(draw: Draw, b: ModelBuilder) -> None:
        shape = shape_of(draw, int(draw.integers(1, 4)))
        axis = int(draw.integers(0, len(shape)))
        x = b.input(shape, dtype, **_quantized(dtype))
        inputs = (x, b.constant(np.array([axis], np.int32)))
        if kind == "CUMSUM":
            b.operator(kind, inputs, shape, dtype, **_quantized(dtype),
                       exclusive=bool(draw.random() < 0.5),
                       reverse=bool(draw.random() < 0.5))  # fmt: skip
        else:
            b.operator(kind, inputs, (*shape[:axis], *shape[axis + 1 :]), out or dtype)

    return case


def sums(dtype: DType) -> Case:
    def case(draw: Draw, b: ModelBuilder) -> None:
        shape = shape_of(draw, 2)
        inputs = [b.input(shape, dtype, **_quantized(dtype)) for _ in range(draw.integers(2, 5))]
        b.operator("ADD_N", inputs, shape, dtype, **_quantized(dtype, 0.1))

    return case


def joined(draw: Draw, b: ModelBuilder) -> None:
    dtype = DType(draw.choice([t.value for t in (F32, I8, I16)]))
    shape = shape_of(draw, int(draw.integers(1, 4)))
    axis = int(draw.integers(0, len(shape)))
    sizes = shape_of(draw, int(draw.integers(1, 4)), 4)
    parts = [(*shape[:axis], n, *shape[axis + 1 :]) for n in sizes]
    inputs = [b.input(part, dtype, **_quantized(dtype)) for part in parts]
    b.operator("CONCATENATION", inputs, (*shape[:axis], sum(sizes), *shape[axis + 1 :]), dtype,
               **_quantized(dtype), axis=axis, fused_activation_function="NONE")  # fmt: skip


def selected(draw: Draw, b: ModelBuilder) -> None:
    dtype = DType(draw.choice([t.value for t in (F32, I8, I16)]))
    shape = shape_of(draw, int(draw.integers(1, 4)))
    shapes = [tuple(1 if draw.random() < 0.2 else d for d in shape) for _ in "cxy"]
    inputs = [b.input(s, t, **_quantized(t))
              for s, t in zip(shapes, (BOOL, dtype, dtype), strict=True)]  # fmt: skip
    result = [max(d) for d in zip(*shapes, strict=True)]
    b.operator("SELECT_V2", inputs, result, dtype, **_quantized(dtype))


def gathered(draw: Draw, b: ModelBuilder) -> None:
    shape = shape_of(draw, int(draw.integers(1, 4)))
    axis = int(draw.integers(0, len(shape)))
    batch_dims = int(draw.integers(0, axis + 1))
    chosen = (*shape[:batch_dims], *shape_of(draw, 1))
    inputs = (b.input(shape, **_quantized(I8)), b.input(chosen, I32))
    result = (*shape[:axis], *chosen[batch_dims:], *shape[axis + 1 :])
    b.operator("GATHER", inputs, result, **_quantized(I8), axis=axis, batch_dims=batch_dims)


def gathered_places(draw: Draw, b: ModelBuilder) -> None:
    shape, count = shape_of(draw, int(draw.integers(1, 4))), shape_of(draw, 1)
    depth = int(draw.integers(1, len(shape) + 1))
    inputs = (b.input(shape, **_quantized(I8)), b.input((*count, depth), I32))
    b.operator("GATHER_ND", inputs, (*count, *shape[depth:]), **_quantized(I8))


def looked_up(draw: Draw, b: ModelBuilder) -> None:
    shape, count = shape_of(draw, 2), shape_of(draw, 1)
    indices, table = b.input(count, I32), b.input(shape, scale=0.5)
    b.operator("EMBEDDING_LOOKUP", (indices, table), (*count, shape[1]), F32)


def updated(draw: Draw, b: ModelBuilder) -> None:
    shape = shape_of(draw, int(draw.integers(1, 4)))
    part = tuple(int(draw.integers(1, d + 1)) for d in shape)
    inputs = (b.input(shape, **_quantized(I8)), b.input(part, **_quantized(I8)),
              b.input((len(shape),), I32))  # fmt: skip
    b.operator("DYNAMIC_UPDATE_SLICE", inputs, shape, **_quantized(I8))


def signal(code: str, given: tuple[DType, int], out: DType, **options: int) -> Case:
    """An operator of audio front ends that takes some elements for each that it makes."""

    def case(draw: Draw, b: ModelBuilder) -> None:
        size, (dtype, parts) = int(draw.integers(1, 60)), given
        inputs, outputs = [b.input((size * parts,), dtype)], [b.tensor((size,), out)]
        data = write_custom_options(options)
        b.operator_into("CUSTOM", inputs, outputs, custom_code=code, custom_options=data)

    return case


CASES: Mapping[str, Case] = {
    "CONV_2D int16": convolution(I16),
    "CONV_2D float": convolution(F32),
    "TRANSPOSE_CONV": transposed(I8),
    "TRANSPOSE_CONV int16": transposed(I16),
    "TRANSPOSE_CONV float": transposed(F32),
    "AVERAGE_POOL_2D int16": pool("AVERAGE_POOL_2D", I16),
    "MAX_POOL_2D float": pool("MAX_POOL_2D", F32),
    "RESIZE_BILINEAR": resized(I8),
    "RESIZE_BILINEAR float": resized(F32),
    "BATCH_MATMUL": product(I8),
    "BATCH_MATMUL int16": product(I16),
    "BATCH_MATMUL float": product(F32),
    "ADD float": pair("ADD", F32),
    "ADD int32": pair("ADD", I32),
    "FLOOR_DIV": pair("FLOOR_DIV", F32),
    "MAXIMUM int64": pair("MAXIMUM", I64),
    "SQUARED_DIFFERENCE": pair("SQUARED_DIFFERENCE", I8),
    "SQUARED_DIFFERENCE int16": pair("SQUARED_DIFFERENCE", I16),
    "EQUAL": pair("EQUAL", I8, BOOL),
    "EQUAL bool": pair("EQUAL", BOOL, BOOL),
    "EQUAL float": pair("EQUAL", F32, BOOL),
    "EQUAL int32": pair("EQUAL", I32, BOOL),
    "EQUAL int64": pair("EQUAL", I64, BOOL),
    "LOGICAL_AND": pair("LOGICAL_AND", BOOL),
    "PRELU": pair("PRELU", I8, second=I8),
    "PRELU int16": pair("PRELU", I16, second=I8),
    "PRELU float": pair("PRELU", F32, second=F32),
    "LOGICAL_NOT": unary("LOGICAL_NOT", BOOL),
    "RSQRT int16": unary("RSQRT", I16),
    "QUANTIZE to int16": unary("QUANTIZE", F32, I16),
    "QUANTIZE int16 to int8": unary("QUANTIZE", I16, I8),
    "QUANTIZE int16": unary("QUANTIZE", I16, I16),
    "DEQUANTIZE int16": unary("DEQUANTIZE", I16, F32),
    "CAST": cast,
    "SOFTMAX float": unary("SOFTMAX", F32),
    "SOFTMAX int16": unary("SOFTMAX", I16, given=(1 / 32768, 0)),
    "SOFTMAX to int16": unary("SOFTMAX", I8, I16, (1 / 65536, -32768)),
    "LOG_SOFTMAX": unary("LOG_SOFTMAX", I8, given=(1 / 16, 127)),
    "LOG_SOFTMAX float": unary("LOG_SOFTMAX", F32),
    "L2_NORMALIZATION": unary("L2_NORMALIZATION", I8, given=(1 / 128, 0)),
    "L2_NORMALIZATION float": unary("L2_NORMALIZATION", F32),
    "MEAN int16": reduced("MEAN", I16),
    "MEAN float": reduced("MEAN", F32),
    "REDUCE_MAX": reduced("REDUCE_MAX", I8),
    "ARG_MAX": along("ARG_MAX", I8, I32),
    "ARG_MAX float": along("ARG_MAX", F32, I32),
    "CUMSUM": along("CUMSUM", I8),
    "CUMSUM float": along("CUMSUM", F32),
    "ADD_N": sums(I8),
    "ADD_N float": sums(F32),
    "CONCATENATION": joined,
    "SELECT_V2": selected,
    "GATHER": gathered,
    "GATHER_ND": gathered_places,
    "EMBEDDING_LOOKUP": looked_up,
    "DYNAMIC_UPDATE_SLICE": updated,
    "SignalEnergy": signal("SignalEnergy", (I16, 2), U32, start_index=0, end_index=1),
    "SignalFilterBankLog": signal(
        "SignalFilterBankLog", (U32, 1), I16, input_correction_bits=3, output_scale=1600
    ),
}  # fmt: skip
