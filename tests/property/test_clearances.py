"""Every kernel keeps its contract over a shadow of the arena, and its clearance is tight.

Shapes, strides, paddings, dilations, scales and values are drawn. At the
clearance no read meets a byte that was overwritten, no write falls outside the
output, and the output is what it is with buffers apart. One byte less, and some
read does meet an overwritten byte, whatever the data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mcucomp.ir import DType, Graph, OptionValue, Tensor
from mcucomp.ops import Clearance, KernelCall, Node, registered, with_contract
from mcucomp.ops.contracts import CONTRACTS
from mcucomp.ops.windows import EXPLICIT, WindowAxis
from tests.support import tools
from tests.support.models import ModelBuilder
from tests.support.overlap_cases import CASES
from tests.support.shadow_runner import run_overlapped

CASES_A_KIND = 250
SEED = 5

Draw = np.random.Generator


def _scale(draw: Draw) -> float:
    return float(np.exp(draw.uniform(-6, 1)))


def _zero_point(draw: Draw) -> int:
    return int(draw.choice([-128, -5, 0, 127, draw.integers(-128, 128)]))


def _quantized(draw: Draw) -> dict[str, Any]:
    return {"scale": _scale(draw), "zero_point": _zero_point(draw)}


def _axis(draw: Draw, padding: str, *, dilated: bool) -> WindowAxis:
    taps = int(draw.integers(1, 5))
    dilation = int(draw.choice([1, 1, 1, 2, 3])) if dilated else 1
    margins = (0, 0)
    if padding == EXPLICIT:
        margins = (int(draw.integers(0, 4)), int(draw.integers(0, 4)))
    least = 1 if padding == "SAME" else max(1, (taps - 1) * dilation + 1 - sum(margins))
    size = least + int(draw.integers(0, 9))
    return WindowAxis(size, taps, int(draw.integers(1, 5)), dilation, padding, margins)


def _window_options(draw: Draw, *, dilated: bool) -> tuple[WindowAxis, WindowAxis, dict[str, Any]]:
    padding = str(draw.choice(["SAME", "VALID", EXPLICIT]))
    height, width = (_axis(draw, padding, dilated=dilated) for _ in "hw")
    if draw.random() < 0.2:
        width = WindowAxis(1, 1, 1, 1, padding)
    options: dict[str, OptionValue] = {
        "padding": padding, "stride_h": height.stride, "stride_w": width.stride,
        "fused_activation_function": str(draw.choice(["NONE", "RELU", "RELU6"])),
    }  # fmt: skip
    if padding == EXPLICIT:
        options |= {"pad_top": height.margins[0], "pad_bottom": height.margins[1]}
        options |= {"pad_left": width.margins[0], "pad_right": width.margins[1]}
    if dilated:
        options |= {"dilation_h_factor": height.dilation, "dilation_w_factor": width.dilation}
    return height, width, options


def _weights(draw: Draw, b: ModelBuilder, shape: tuple[int, ...], axis: int) -> tuple[int, int]:
    """(filter, bias) drawn, with a scale for each output."""
    values = draw.integers(-127, 128, shape, dtype=np.int8)
    scales = np.exp(draw.uniform(-7, -2, shape[axis])).tolist()
    bias = draw.integers(-3000, 3000, shape[axis], dtype=np.int32)
    return b.constant(values, scales, axis=axis), b.constant(bias, scales)


def convolution(draw: Draw, b: ModelBuilder) -> None:
    height, width, options = _window_options(draw, dilated=True)
    groups = int(draw.choice([1, 1, 1, 2, 3]))
    channels = groups * int(draw.integers(1, 7))
    outputs = groups * int(draw.integers(1, 14))
    x = b.input((int(draw.integers(1, 3)), height.in_size, width.in_size, channels),
                **_quantized(draw))  # fmt: skip
    shape = (outputs, height.taps, width.taps, channels // groups)
    result = (b.tensors[x].shape[0], height.out_size, width.out_size, outputs)
    weights = _weights(draw, b, shape, 0)
    b.operator("CONV_2D", (x, *weights), result, **_quantized(draw), **options)


def pointwise(draw: Draw, b: ModelBuilder) -> None:
    height, width = int(draw.integers(1, 5)), int(draw.integers(1, 6))
    channels, outputs = int(draw.integers(1, 25)), int(draw.integers(1, 25))
    x = b.input((1, height, width, channels), **_quantized(draw))
    weights = _weights(draw, b, (outputs, 1, 1, channels), 0)
    b.operator("CONV_2D", (x, *weights), (1, height, width, outputs), **_quantized(draw),
               padding="SAME", stride_h=1, stride_w=1)  # fmt: skip


def depthwise(draw: Draw, b: ModelBuilder) -> None:
    height, width, options = _window_options(draw, dilated=True)
    channels, multiplier = int(draw.integers(1, 14)), int(draw.choice([1, 1, 1, 2, 5]))
    x = b.input((int(draw.integers(1, 3)), height.in_size, width.in_size, channels),
                **_quantized(draw))  # fmt: skip
    weights = _weights(draw, b, (1, height.taps, width.taps, channels * multiplier), 3)
    result = (b.tensors[x].shape[0], height.out_size, width.out_size, channels * multiplier)
    b.operator("DEPTHWISE_CONV_2D", (x, *weights), result, **_quantized(draw),
               depth_multiplier=multiplier, **options)  # fmt: skip


def pool(kind: str) -> Callable[[Draw, ModelBuilder], None]:
    def build(draw: Draw, b: ModelBuilder) -> None:
        height, width, options = _window_options(draw, dilated=False)
        while options["padding"] == EXPLICIT:  # may leave a window without a pixel
            height, width, options = _window_options(draw, dilated=False)
        channels, q = int(draw.integers(1, 10)), _quantized(draw)
        x = b.input((int(draw.integers(1, 3)), height.in_size, width.in_size, channels), **q)
        result = (b.tensors[x].shape[0], height.out_size, width.out_size, channels)
        b.operator(kind, (x,), result, **q, **options, filter_height=height.taps,
                   filter_width=width.taps)  # fmt: skip

    return build


def _shape(draw: Draw, rank: int) -> tuple[int, ...]:
    return tuple(int(d) for d in draw.integers(1, 6, rank))


def dense(draw: Draw, b: ModelBuilder) -> None:
    rows, channels, outputs = (int(d) for d in draw.integers(1, [5, 40, 24]))
    x = b.input((rows, channels), scale=0.01, zero_point=_zero_point(draw))
    values = draw.integers(-127, 128, (outputs, channels), dtype=np.int8)
    scales = [0.01] if draw.random() < 0.7 else draw.uniform(0.001, 0.1, outputs).tolist()
    b.operator("FULLY_CONNECTED", (x, b.constant(values, scales)), (rows, outputs),
               **_quantized(draw))  # fmt: skip


def add(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, int(draw.integers(1, 5)))
    shapes = [shape, shape]
    if draw.random() < 0.5:
        shapes = [tuple(1 if draw.random() < 0.3 else d for d in shape) for _ in "ab"]
    result = tuple(max(x, y) for x, y in zip(*shapes, strict=True))
    b.operator("ADD", [b.input(s, **_quantized(draw)) for s in shapes], result, **_quantized(draw))


def softmax(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, int(draw.integers(1, 4)))
    x = b.input(shape, **_quantized(draw))
    b.operator("SOFTMAX", (x,), shape, scale=1 / 256, zero_point=-128, beta=1.0)


def quantize(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, 2)
    from_float = draw.random() < 0.5
    x = b.input(shape, DType.FLOAT32) if from_float else b.input(shape, **_quantized(draw))
    b.operator("QUANTIZE", (x,), shape, **_quantized(draw))


def dequantize(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, 2)
    b.operator("DEQUANTIZE", (b.input(shape, **_quantized(draw)),), shape, DType.FLOAT32)


def dequantize_bytes(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, 2)
    x = b.input(shape, DType.UINT8, scale=0.1, zero_point=int(draw.integers(0, 256)))
    b.operator("DEQUANTIZE", (x,), shape, DType.FLOAT32)


def pad(draw: Draw, b: ModelBuilder) -> None:
    shape, q = _shape(draw, int(draw.integers(1, 5))), _quantized(draw)
    margins = draw.integers(0, 3, (len(shape), 2), dtype=np.int32)
    result = tuple(int(d + m) for d, m in zip(shape, margins.sum(1), strict=True))
    b.operator("PAD", (b.input(shape, **q), b.constant(margins)), result, **q)


def mean(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, int(draw.integers(1, 5)))
    axes = [i for i in range(len(shape)) if draw.random() < 0.5]
    result = tuple(1 if i in axes else d for i, d in enumerate(shape))
    inputs = (b.input(shape, **_quantized(draw)), b.constant(np.array(axes, np.int32)))
    b.operator("MEAN", inputs, result, **_quantized(draw), keep_dims=True)


def transpose(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, int(draw.integers(1, 5)))
    axes = draw.permutation(len(shape)).astype(np.int32)
    x = b.input(shape, scale=0.1)
    b.operator("TRANSPOSE", (x, b.constant(axes)), [shape[a] for a in axes], scale=0.1)


def reshape(draw: Draw, b: ModelBuilder) -> None:
    shape = _shape(draw, 3)
    flat = int(np.prod(shape))
    x = b.input(shape, scale=0.1)
    b.operator("RESHAPE", (x, b.constant(np.array([flat], np.int32))), (flat,), scale=0.1,
               new_shape=(flat,))  # fmt: skip


def pair(kind: str, dtype: DType = DType.INT8) -> Callable[[Draw, ModelBuilder], None]:
    """An operator on two tensors, each perhaps repeated."""

    def build(draw: Draw, b: ModelBuilder) -> None:
        shape = _shape(draw, int(draw.integers(1, 5)))
        shapes = [tuple(1 if draw.random() < 0.2 else d for d in shape) for _ in "ab"]
        result = tuple(max(x, y) for x, y in zip(*shapes, strict=True))
        q: dict[str, Any] = {"scale": 0.01, "zero_point": 0}
        options: dict[str, OptionValue] = {"pot_scale_int16": False} if kind == "SUB" else {}
        b.operator(kind, [b.input(s, dtype, **q) for s in shapes], result, dtype, **q, **options)

    return build


def unary(
    kind: str, dtype: DType = DType.INT8, out: tuple[float, int] | None = None, **options: Any
) -> Callable[[Draw, ModelBuilder], None]:
    """An operator on every element; `out` is the scale and zero point that it must have."""

    def build(draw: Draw, b: ModelBuilder) -> None:
        shape = _shape(draw, 2)
        if dtype is DType.FLOAT32:
            b.operator(kind, (b.input(shape, dtype),), shape, dtype, **options)
            return
        scale, zero_point = out or (0.02, 0)
        b.operator(kind, (b.input(shape, dtype, scale=0.01),), shape, dtype, scale=scale,
                   zero_point=zero_point, **options)  # fmt: skip

    return build


def moved(dtype: DType) -> Callable[[Draw, ModelBuilder], None]:
    """A slice, and with it elements of any width that move."""

    def build(draw: Draw, b: ModelBuilder) -> None:
        shape = _shape(draw, 3)
        begin = [int(draw.integers(0, d)) for d in shape]
        size = [int(draw.integers(1, d - first + 1)) for d, first in zip(shape, begin, strict=True)]
        q: dict[str, Any] = {} if dtype is DType.FLOAT32 else {"scale": 0.1}
        x = b.input(shape, dtype, **q)
        limits = (b.constant(np.array(v, np.int32)) for v in (begin, size))
        b.operator("SLICE", (x, *limits), size, dtype, **q)

    return build


def resized(draw: Draw, b: ModelBuilder) -> None:
    height, width, channels = _shape(draw, 3)
    size = draw.integers(1, 9, 2).astype(np.int32)
    x = b.input((1, height, width, channels), scale=0.1)
    b.operator("RESIZE_NEAREST_NEIGHBOR", (x, b.constant(size)), (1, *size.tolist(), channels),
               scale=0.1)  # fmt: skip


KINDS = {
    "CONV_2D": convolution,
    "CONV_2D 1x1": pointwise,
    "DEPTHWISE_CONV_2D": depthwise,
    "AVERAGE_POOL_2D": pool("AVERAGE_POOL_2D"),
    "MAX_POOL_2D": pool("MAX_POOL_2D"),
    "FULLY_CONNECTED": dense,
    "ADD": add,
    "SOFTMAX": softmax,
    "QUANTIZE": quantize,
    "DEQUANTIZE": dequantize,
    "PAD": pad,
    "MEAN": mean,
    "TRANSPOSE": transpose,
    "RESHAPE": reshape,
    "MUL": pair("MUL"),
    "MUL int16": pair("MUL", DType.INT16),
    "SUB": pair("SUB"),
    "SUB int16": pair("SUB", DType.INT16),
    "MAXIMUM": pair("MAXIMUM"),
    "MAXIMUM int16": pair("MAXIMUM", DType.INT16),
    "LOGISTIC": unary("LOGISTIC", out=(1 / 256, -128)),
    "LOGISTIC int16": unary("LOGISTIC", DType.INT16, out=(1 / 32768, 0)),
    "LEAKY_RELU int16": unary("LEAKY_RELU", DType.INT16, alpha=0.1),
    "ABS float": unary("ABS", DType.FLOAT32),
    "EXP float": unary("EXP", DType.FLOAT32),
    "LOG float": unary("LOG", DType.FLOAT32),
    "DEQUANTIZE uint8": dequantize_bytes,
    "SLICE": moved(DType.INT8),
    "SLICE int16": moved(DType.INT16),
    "SLICE float": moved(DType.FLOAT32),
    "RESIZE_NEAREST_NEIGHBOR": resized,
    **CASES,
}
# What may lie anywhere in an input that must not overlap the output: tables and updates.
APART = {
    "mcuc_gather": {0},
    "mcuc_gather_nd": {0},
    "mcuc_embedding_lookup_s8_f32": {0},
    "mcuc_update_slice": {1, 2},
}
# Which of two inputs is read is a matter of the data.
BY_DATA = {"mcuc_select"}
# These read again what they wrote, so that a look at the bytes cannot tell; the results can.
READ_BACK = {"mcuc_softmax_f32", "mcuc_softmax_s16"}


def _drawn(kind: str, draw: Draw) -> tuple[KernelCall, list[np.ndarray], int]:
    """A call of `kind` that can be compiled, its inputs, and the bytes of its output."""
    while True:
        b = ModelBuilder()
        KINDS[kind](draw, b)
        graph = _graph(b)
        node = Node(graph, graph.operators[0])
        definition = registered()[kind.split()[0]]
        if definition.violation(node) is None:
            break
    inputs = [_values(draw, graph.tensors[i]) for i in graph.inputs]
    call = with_contract(definition.lower(node))
    ordered = [inputs[graph.inputs.index(i)] for i in call.reads]
    return call, ordered, graph.tensors[call.writes[0]].size_bytes


def _values(draw: Draw, tensor: Tensor) -> np.ndarray:
    if tensor.dtype is DType.FLOAT32:
        return draw.normal(0, 3, tensor.shape).astype(np.float32)
    if tensor.dtype is DType.BOOL:
        return draw.random(tensor.shape) < 0.5
    dtype = np.dtype(tensor.dtype.value)
    limits = np.iinfo(dtype)
    return draw.integers(limits.min, limits.max, tensor.shape, dtype=dtype, endpoint=True)


def _graph(b: ModelBuilder) -> Graph:
    """The graph; a model with explicit padding cannot be written to a file."""
    return Graph("main", tuple(b.tensors), tuple(b.operators), tuple(b.inputs), ())


def _apart(inputs: list[np.ndarray], output_bytes: int) -> list[int]:
    """Distances at which nothing overlaps."""
    distances, at = [], -(-output_bytes // 16) * 16
    for values in inputs:
        distances.append(at)
        at += -(-values.nbytes // 16) * 16
    return distances


def _limits(clearance: Clearance, in_bytes: int, output_bytes: int) -> tuple[list[int], list[int]]:
    """(distances that are safe, distances just beyond that are not)."""
    low, high = clearance.low_bytes, clearance.high_bytes
    if low is None and high is None:
        return [-in_bytes // 2, 0, 3, output_bytes // 2], []
    safe, wrong = [], []
    for limit, further in ((low, 1), (high, -1)):
        if limit is None:
            continue
        wrong.append(limit - further)
        safe += [limit] if low is not None and high is not None else [
            limit, limit + further, limit + 7 * further
        ]  # fmt: skip
    return safe, [d for d in wrong if -in_bytes < d < output_bytes]


@pytest.mark.parametrize("kind", KINDS)
def test_clearances_are_safe_and_tight(kind: str) -> None:
    tools.require("gcc")
    draw = np.random.default_rng(SEED)
    overlapping, stale = 0, 0
    for _ in range(CASES_A_KIND):
        call, inputs, output_bytes = _drawn(kind, draw)
        is_read_back = call.kernel in READ_BACK
        distances = _apart(inputs, output_bytes)
        expected = run_overlapped(call, inputs, output_bytes, distances)
        assert expected.keeps_to_its_bytes if is_read_back else expected.clean, call
        wanted = set(range(len(inputs))) - APART.get(call.kernel, set())
        assert {c.position for c in call.clearances} == wanted
        for clearance in call.clearances:
            form = dataclasses.replace(call, kernel=clearance.kernel or call.kernel)
            safe, wrong = _limits(clearance, inputs[clearance.position].nbytes, output_bytes)
            for distance in (*safe, *wrong):
                at = list(distances)
                at[clearance.position] = distance
                moved = _moved(at, clearance.position, inputs, output_bytes)
                run = run_overlapped(form, inputs, output_bytes, moved)
                is_same = np.array_equal(run.output, expected.output)
                assert not run.stray_writes
                if distance in safe:
                    assert is_same, (form, clearance, distance)
                    assert is_read_back or run.clean, (form, clearance, distance)
                else:
                    is_stale = not is_same if is_read_back else bool(run.stale_reads)
                    is_certain = not is_read_back and call.kernel not in BY_DATA
                    assert is_stale or not is_certain, (form, clearance, distance)
                    stale += is_stale
                    overlapping += 1
    if kind not in ("RESHAPE", "DYNAMIC_UPDATE_SLICE"):  # which move all at once
        assert overlapping > CASES_A_KIND // 10
        assert stale > overlapping // 4


def test_every_contract_is_tried() -> None:
    draw = np.random.default_rng(SEED)
    tried = {_drawn(kind, draw)[0].kernel for kind in KINDS for _ in range(30)}
    assert tried == set(CONTRACTS)


def _moved(
    distances: list[int], position: int, inputs: list[np.ndarray], output_bytes: int
) -> list[int]:
    """`distances` with the inputs other than `position` out of its way."""
    beyond = max(output_bytes, distances[position] + inputs[position].nbytes)
    at = -(-beyond // 16) * 16 + 16
    moved = list(distances)
    for k, values in enumerate(inputs):
        if k != position:
            moved[k] = at
            at += -(-values.nbytes // 16) * 16
    return moved
