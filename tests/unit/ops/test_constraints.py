"""What is said about each use of an operator that cannot be compiled, word for word."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mcucomp.ir import DType, Graph, Quantization, Tensor
from mcucomp.ops import Node, registered
from tests.support.changes import Change, both, operator, option, q, tensor, values, violation
from tests.support.models import ABSENT, ModelBuilder


def _conv() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 5, 5, 4), scale=0.5, zero_point=3)
    w = b.constant(np.ones((6, 3, 3, 4), np.int8), [0.25] * 6)
    bias = b.constant(np.zeros(6, np.int32), [0.125])
    b.operator("CONV_2D", (x, w, bias), (1, 5, 5, 6), scale=1.0, padding="SAME",
               stride_h=1, stride_w=1)  # fmt: skip
    return b


def _depthwise() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 5, 5, 4), scale=0.5)
    w = b.constant(np.ones((1, 3, 3, 4), np.int8), [0.25] * 4, axis=3)
    b.operator("DEPTHWISE_CONV_2D", (x, w, ABSENT), (1, 3, 3, 4), scale=1.0, padding="VALID",
               stride_h=1, stride_w=1, depth_multiplier=1)  # fmt: skip
    return b


def _dense() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((2, 8), scale=0.5)
    w = b.constant(np.ones((3, 8), np.int8), [0.25])
    bias = b.constant(np.zeros(3, np.int32), [0.125])
    b.operator("FULLY_CONNECTED", (x, w, bias), (2, 3), scale=1.0)
    return b


def _pool() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 2), scale=0.5)
    b.operator("MAX_POOL_2D", (x,), (1, 2, 2, 2), scale=0.5, padding="VALID", stride_h=2,
               stride_w=2, filter_height=2, filter_width=2)  # fmt: skip
    return b


def _average() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 2), scale=0.5)
    b.operator("AVERAGE_POOL_2D", (x,), (1, 1, 1, 2), scale=0.5, padding="VALID", stride_h=4,
               stride_w=4, filter_height=4, filter_width=4)  # fmt: skip
    return b


def _softmax() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.operator("SOFTMAX", (x,), (1, 4), scale=1 / 256, zero_point=-128, beta=1.0)
    return b


def _reshape() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.operator("RESHAPE", (x, b.constant(np.array([2, 2], np.int32))), (2, 2), scale=0.5)
    return b


def _add() -> ModelBuilder:
    b = ModelBuilder()
    x, y = b.input((2, 3), scale=0.5), b.input((3,), scale=0.25)
    b.operator("ADD", (x, y), (2, 3), scale=0.5)
    return b


def _quantize() -> ModelBuilder:
    b = ModelBuilder()
    b.operator("QUANTIZE", (b.input((2, 3), DType.FLOAT32),), (2, 3), scale=0.5)
    return b


def _requantize() -> ModelBuilder:
    b = ModelBuilder()
    b.operator("QUANTIZE", (b.input((2, 3), scale=0.25),), (2, 3), scale=0.5)
    return b


def _dequantize() -> ModelBuilder:
    b = ModelBuilder()
    b.operator("DEQUANTIZE", (b.input((2, 3), scale=0.5),), (2, 3), DType.FLOAT32)
    return b


def _pad() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((2, 3), scale=0.5)
    sides = b.constant(np.array([[0, 0], [1, 2]], np.int32))
    b.operator("PAD", (x, sides), (2, 6), scale=0.5)
    return b


def _transpose() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((2, 3), scale=0.5)
    b.operator("TRANSPOSE", (x, b.constant(np.array([1, 0], np.int32))), (3, 2), scale=0.5)
    return b


def _mean() -> ModelBuilder:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 2), scale=0.5)
    b.operator("MEAN", (x, b.constant(np.array([1, -2], np.int32))), (1, 2), scale=0.5)
    return b


VALID = [
    _conv, _depthwise, _dense, _pool, _average, _softmax, _reshape, _add, _quantize, _requantize,
    _dequantize, _pad, _transpose, _mean,
]  # fmt: skip

_ONE_SCALE = "has one scale, finite and above 0, and one zero point within its type"
_SIZES = "has dimensions of at least 1 and fewer than 2^31 elements"
_FC_GIVEN = "a filter known at run time only has the type of input, and one scale"
_WEIGHT_SCALES = (
    "for int8 or int4 filter: filter has one scale, or one for each output along dimension {axis}, "
    "all finite and above 0"
)
_LAYER = (
    "input, filter, bias and output are float32, float32, float32 and float32; "
    "or int8, int8/int4/uint8, int32 and int8; or int16, int8, int32/int64 and int16"
)
_CONV_WEIGHTS = _WEIGHT_SCALES.format(axis=0)
_CONV_SHAPE = "output has the shape that input, filter, padding, strides and dilations give"
_FC_SHAPES = "input is rows of the filter's width, output as many rows of its height"
_PAIRS = (
    "input and output are float32 and int8/int16; or int8 and int8/uint8/int16/int32; "
    "or uint8 and int8; or int16 and int8/int16/int32; or int32 and int8/int16"
)
_BIAS_SCALE = "bias scale differs from input scale * filter scale by at most 0.02 output scales"

REFUSED: list[tuple[Callable[[], ModelBuilder], Change, str]] = [
    # CONV_2D: inputs 0, filter 1, bias 2, output 3
    (_conv, operator(inputs=(0,)),
     "inputs are input and filter and an optional bias, with one output; "
     "found 1 input and 1 output"),
    (_conv, operator(inputs=(0, -1, 2)),
     "inputs are input and filter and an optional bias, with one output; found no filter"),
    (_conv, tensor(0, dtype=DType.FLOAT32), f"{_LAYER}; found float32, int8, int32 and int8"),
    (_conv, tensor(1, dtype=DType.INT32), f"{_LAYER}; found int8, int32, int32 and int8"),
    (_conv, tensor(2, dtype=DType.INT64), f"{_LAYER}; found int8, int8, int64 and int8"),
    (_conv, tensor(3, dtype=DType.UINT8), f"{_LAYER}; found int8, int8, int32 and uint8"),
    (_conv, both(tensor(0, dtype=DType.INT16), tensor(3, dtype=DType.INT16)),
     "for int16 input: input has the zero point 0; found 3"),
    (_conv, tensor(1, data=None),
     "filter is constant; found a tensor known at run time only"),
    (_conv, tensor(2, data=None), "bias is constant; found a tensor known at run time only"),
    (_conv, tensor(0, shape=(5, 5, 4)), "input has 4 dimensions; found 3 (5x5x4)"),
    (_conv, tensor(3, shape=(1, 5, 0, 6)), f"output {_SIZES}; found 1x5x0x6"),
    (_conv, tensor(0, shape=(1, -1, 5, 4)), f"input {_SIZES}; found 1x-1x5x4"),
    (_conv, tensor(0, shape=(1, 40000, 1, 4)),
     "input has dimensions of at most 32,767; found 1x40000x1x4"),
    (_conv, tensor(0, quantization=None), f"input {_ONE_SCALE}; found no quantisation"),
    (_conv, tensor(0, quantization=Quantization((0.5, 0.5), (0, 0))),
     f"input {_ONE_SCALE}; found 2 scales and 2 zero points"),
    (_conv, tensor(3, quantization=q(0.0)), f"output {_ONE_SCALE}; found scale 0.0"),
    (_conv, tensor(3, quantization=q(float("nan"))), f"output {_ONE_SCALE}; found scale nan"),
    (_conv, tensor(0, quantization=q(0.5, 128)), f"input {_ONE_SCALE}; found zero point 128"),
    (_conv, tensor(1, quantization=None), f"{_CONV_WEIGHTS}; found no quantisation"),
    (_conv, tensor(1, quantization=Quantization((0.5,) * 5, (0,))),
     f"{_CONV_WEIGHTS}; found 5 scales for 6 outputs"),
    (_conv, tensor(1, quantization=Quantization((0.5,) * 6, (0,), axis=3)),
     f"{_CONV_WEIGHTS}; found scales along dimension 3"),
    (_conv, tensor(1, quantization=Quantization((float("inf"),), (0,))),
     f"{_CONV_WEIGHTS}; found scale inf"),
    (_conv, option("fused_activation_function", "TANH"),
     "fused activation is NONE, RELU, RELU6 or RELU_N1_TO_1; found TANH"),
    (_conv, option("padding", 7), "padding is SAME or VALID; found 7"),
    (_conv, option("stride_w", 0), "stride_w is from 1 to 32,767; found 0"),
    (_conv, option("stride_h", None), "stride_h is from 1 to 32,767; found nothing"),
    (_conv, option("dilation_h_factor", -2),
     "dilation_h_factor is from 1 to 32,767; found -2"),
    (_conv, both(tensor(0, shape=(1, 5, 5, 6))),
     "input channels are a multiple of filter channels, and outputs of the groups; "
     "found 6 input channels, 4 in the filter, 6 outputs"),
    (_conv, tensor(2, shape=(7,)), "bias has one value for each output channel; found 7"),
    (_conv, option("dilation_w_factor", 20000),
     "the window spans at most 32,767 pixels each way; found 3x40001"),
    (_conv, option("padding", "VALID"), f"{_CONV_SHAPE}; found 1x5x5x6, not 1x3x3x6"),
    (_conv, tensor(3, shape=(1, 5, 5, 7)), f"{_CONV_SHAPE}; found 1x5x5x7, not 1x5x5x6"),
    (_conv, tensor(3, quantization=q(1e-12)),
     "input scale * filter scale / output scale is below 2^30, for int16 below 2^7; "
     "found 1.25e+11"),
    (_conv, both(tensor(0, shape=(1, 5, 5, 32767)), tensor(1, shape=(6, 3, 3, 32767))),
     "for int8 input: an output is the sum of at most 131,071 products; found 294,903"),
    # DEPTHWISE_CONV_2D: input 0, filter 1, output 2
    (_depthwise, option("depth_multiplier", 2),
     "filter is 1 x height x width x (input channels * depth multiplier); "
     "found 4 channels, depth multiplier 2, filter 1x..x4"),
    (_depthwise, tensor(1, quantization=Quantization((0.5,) * 3, (0,), axis=3)),
     f"{_WEIGHT_SCALES.format(axis=3)}; found 3 scales for 4 outputs"),
    (_depthwise, tensor(2, shape=(1, 4, 3, 4)), f"{_CONV_SHAPE}; found 1x4x3x4, not 1x3x3x4"),
    # FULLY_CONNECTED: input 0, filter 1, bias 2, output 3
    (_dense, tensor(1, shape=(3, 8, 1)), "filter has 2 dimensions; found 3 (3x8x1)"),
    (_dense, tensor(0, shape=(2, 9)), f"{_FC_SHAPES}; found input 2x9, filter 3x8, output 2x3"),
    (_dense, tensor(3, shape=(3, 3)), f"{_FC_SHAPES}; found input 2x8, filter 3x8, output 3x3"),
    (_dense, tensor(3, shape=(3, 2)), f"{_FC_SHAPES}; found input 2x8, filter 3x8, output 3x2"),
    (_dense, option("weights_format", "SHUFFLED4x16INT8"),
     "weights format is DEFAULT; found SHUFFLED4x16INT8"),
    (_dense, tensor(1, data=None, dtype=DType.UINT8),
     f"{_FC_GIVEN}; found uint8"),
    (_dense, tensor(1, data=None, quantization=Quantization((0.5,) * 3, (0,) * 3)),
     f"{_FC_GIVEN}; found 3 scales and 3 zero points"),
    (_dense, tensor(2, shape=(4,)), "bias has one value for each output channel; found 4"),
    (_dense, tensor(2, quantization=q(0.15)), f"{_BIAS_SCALE}; found 0.15 instead of 0.125"),
    (_dense, tensor(2, quantization=None), f"{_BIAS_SCALE}; found 0 instead of 0.125"),
    # pools: input 0, output 1
    (_pool, tensor(0, dtype=DType.FLOAT32),
     "output has the type of input; found int8 and float32"),
    (_pool, operator(inputs=(0, 0)),
     "input is the only input, with one output; found 2 inputs and 1 output"),
    (_pool, tensor(1, quantization=q(0.25, 4)),
     "for int8 or int16 input: input and output have the same quantisation; "
     "found scale 0.5 with zero point 0 and scale 0.25 with zero point 4"),
    (_pool, option("filter_width", 0), "filter_width is from 1 to 32,767; found 0"),
    (_pool, both(option("filter_height", 32767), option("filter_width", 32767)),
     "a window has at most 8,388,608 pixels; found 1,073,676,289"),
    (_pool, option("filter_width", 5),
     "output has the shape that input, window, padding and strides give; "
     "found 1x2x2x2, not 1x2x0x2"),
    (_average, tensor(1, shape=(1, 2, 2, 2)),
     "output has the shape that input, window, padding and strides give; "
     "found 1x2x2x2, not 1x1x1x2"),
    # SOFTMAX: input 0, output 1
    (_softmax, tensor(1, shape=(4, 1)), "input and output have the same shape; found 1x4 and 4x1"),
    (_softmax, tensor(1, quantization=q(0.5)),
     "output scale and zero point are 1/256 and -128; for int8 to int16 1/65536 and -32768; "
     "for int16 1/32768 and 0; found scale 0.5 and zero point 0"),
    (_softmax, option("beta", 0.0), "beta is finite and above 0; found 0.0"),
    (_softmax, option("beta", float("nan")), "beta is finite and above 0; found nan"),
    (_softmax, tensor(0, quantization=q(1e-9)),
     "for int8 input: beta * input scale is at least 2^-27; found 1e-09"),
    (_softmax, both(tensor(0, shape=(1, 9000)), tensor(1, shape=(1, 9000))),
     "for int8 input: the last dimension is at most 8,191; found 9,000"),
    (_softmax, both(tensor(0, shape=()), tensor(1, shape=())),
     "input has 1 to 6 dimensions; found 0 (scalar)"),
    # RESHAPE: input 0, shape 1, output 2
    (_reshape, tensor(2, shape=(2, 3)),
     "input and output have as many elements; found 1x4 and 2x3"),
    (_reshape, tensor(2, dtype=DType.FLOAT32),
     "output has the type of input; found float32 and int8"),
    # ADD: inputs 0 and 1, output 2
    (_add, tensor(1, shape=(2,)),
     "output has the shape that broadcasting the inputs gives; found 2x3 + 2 = 2x3"),
    (_add, tensor(2, shape=(2, 4)),
     "output has the shape that broadcasting the inputs gives; found 2x3 + 3 = 2x4"),
    (_add, tensor(2, quantization=q(1e-7)),
     "for int8 first input: twice the larger input scale is less than 2^20 output scales; "
     "found 9.53674"),
    (_add, tensor(0, shape=(1,) * 7),
     "first input has 0 to 6 dimensions; found 7 (1x1x1x1x1x1x1)"),
    # QUANTIZE: input 0, output 1
    (_quantize, tensor(0, dtype=DType.UINT32), f"{_PAIRS}; found uint32 and int8"),
    (_quantize, tensor(1, dtype=DType.UINT8), f"{_PAIRS}; found float32 and uint8"),
    (_quantize, tensor(1, quantization=None), f"output {_ONE_SCALE}; found no quantisation"),
    (_requantize, tensor(0, quantization=None),
     f"input {_ONE_SCALE}; found no quantisation"),
    (_requantize, tensor(0, quantization=q(1e30)),
     "for int8, uint8, int16 or int32 input: "
     "input scale / output scale is below 2^30; found 2e+30"),
    # DEQUANTIZE: input 0, output 1
    (_dequantize, tensor(1, dtype=DType.FLOAT16), "output is float32; found float16"),
    (_dequantize, tensor(0, quantization=None), f"input {_ONE_SCALE}; found no quantisation"),
    # PAD: input 0, paddings 1, output 2
    (_pad, tensor(1, dtype=DType.INT16), "paddings tensor is int32 or int64; found int16"),
    (_pad, tensor(1, data=None),
     "paddings tensor is constant; found a tensor known at run time only"),
    (_pad, values(1, np.zeros((3, 2), np.int32)),
     "paddings are two numbers of at least 0 for each dimension; found 3x2"),
    (_pad, values(1, np.array([[0, 0], [-1, 2]], np.int32)),
     "paddings are two numbers of at least 0 for each dimension; found -1"),
    (_pad, tensor(2, shape=(2, 5)),
     "output has the shape that input and paddings give; found 2x5, not 2x6"),
    (_pad, values(1, np.array([[0, 0], [2**62, 2**62]], np.int64)),
     "output has the shape that input and paddings give; found 2x6, not 2x9223372036854775811"),
    # TRANSPOSE: input 0, permutation 1, output 2
    (_transpose, values(1, np.array([1, 1], np.int32)),
     "permutation names each dimension of input once; found 1, 1 for 2 dimensions"),
    (_transpose, values(1, np.array([0, 1, 2], np.int32)),
     "permutation names each dimension of input once; found 0, 1, 2 for 2 dimensions"),
    (_transpose, tensor(2, shape=(2, 3)),
     "output has the shape that input and permutation give; found 2x3, not 3x2"),
    # MEAN: input 0, axes 1, output 2
    (_mean, values(1, np.array([4], np.int32)),
     "axes are dimensions of input; found 4 for 4 dimensions"),
    (_mean, values(1, np.array([-5], np.int32)),
     "axes are dimensions of input; found -5 for 4 dimensions"),
    (_mean, option("keep_dims", True),
     "output has the shape that input, axes and keep_dims give; found 1x2, not 1x1x1x2"),
    (_mean, tensor(0, shape=(1, 4096, 4096, 2)),
     "for int8 input: a mean is of at most 8,388,608 elements; found 16,777,216"),
    (_mean, tensor(0, quantization=q(1e30)),
     "for int8 or int16 input: "
     "input scale / output scale is below 2^30; found 2e+30"),
]  # fmt: skip


def _node(graph: Graph) -> Node:
    return Node(graph, graph.operators[0])


@pytest.mark.parametrize("make", VALID)
def test_the_unchanged_operator_is_taken(make: Callable[[], ModelBuilder]) -> None:
    assert violation(make().finish().graphs[0]) is None


@pytest.mark.parametrize(("make", "change", "message"), REFUSED, ids=[m for *_, m in REFUSED])
def test_refused(make: Callable[[], ModelBuilder], change: Change, message: str) -> None:
    assert violation(change(make().finish().graphs[0])) == message


def test_names_in_options_are_escaped() -> None:
    graph = option("fused_activation_function", "\x1b[31m")(_conv().finish().graphs[0])
    assert violation(graph) == (
        "fused activation is NONE, RELU, RELU6 or RELU_N1_TO_1; found \\x1b[31m"
    )


def test_tensors_stay_as_they_are() -> None:
    """Lowering reads a graph and changes nothing in it."""
    graph = _conv().finish().graphs[0]
    before: tuple[Tensor, ...] = graph.tensors
    registered()["CONV_2D"].lower(_node(graph))
    assert graph.tensors == before
