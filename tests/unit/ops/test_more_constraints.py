"""A message of each further operator, word for word; those that are shared by many, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.support.changes import Change, both, operator, option, q, tensor, values, violation
from tests.support.models import ModelBuilder

F32, I8, U8, I16, I32, I64, BOOL = (
    DType.FLOAT32, DType.INT8, DType.UINT8, DType.INT16, DType.INT32, DType.INT64, DType.BOOL,
)  # fmt: skip
Input = tuple[int, ...] | np.ndarray
Make = Callable[[], ModelBuilder]


def _ints(*numbers: Any) -> np.ndarray:
    return np.array(numbers, np.int32)


def made(
    kind: str,
    inputs: Sequence[Input],
    results: tuple[int, ...] | list[tuple[int, ...]],
    dtype: DType = I8,
    result_type: DType | None = None,
    scale: float = 0.5,
    zero_point: int = 0,
    **options: Any,
) -> Make:
    """An operator whose inputs are given by shape, or by value where they are constant."""

    def make() -> ModelBuilder:
        b = ModelBuilder()
        in_scale = 0.5 if dtype in (I8, I16) else None
        given = [
            b.constant(x, [0.5] if x.dtype == np.int8 else [])
            if isinstance(x, np.ndarray)
            else b.input(x, dtype, in_scale)
            for x in inputs
        ]
        out = result_type or dtype
        out_scale = scale if out in (I8, I16) else None
        shapes = results if isinstance(results, list) else [results]
        outputs = [b.tensor(s, out, out_scale, zero_point) for s in shapes]
        b.operator_into(kind, given, outputs, **options)
        return b

    return make


_X = (2, 3)
_IMAGE = (1, 4, 4, 2)
_ELEMENTS = "has dimensions of at least 1 and fewer than 2^31 elements"
_WHOLE = "output has the shape that broadcasting the inputs gives"
_TYPE = "output has the type of input"


def _unary(kind: str, dtype: DType = F32, **options: Any) -> Make:
    return made(kind, [_X], _X, dtype, **options)


def _pair(kind: str, dtype: DType = F32, result_type: DType | None = None, **options: Any) -> Make:
    return made(kind, [_X, (3,)], _X, dtype, result_type, **options)


REAL = ("EXP", "LOG", "SIN", "COS", "SQRT", "SQUARE", "CEIL", "FLOOR", "ROUND", "NEG")
COMPARED = ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")
_TILES = _ints([0, 0], [0, 0])

REFUSED: list[tuple[Make, Change, str]] = [
    *((_unary(k), tensor(0, dtype=I8), "input is float32; found int8") for k in REAL),
    *((_pair(k, I8, BOOL), tensor(2, dtype=I8), "output is bool; found int8") for k in COMPARED),
    (_pair("EQUAL", I8, BOOL), tensor(0, quantization=q(3.0)),
     "for int8 first input: first input has a scale below 1; found 3"),
    (_pair("GREATER", I8, BOOL), tensor(0, dtype=I16),
     "first input is float32, int8, int32 or int64; found int16"),
    *((_pair(k, BOOL), tensor(0, dtype=I8), "first input is bool; found int8")
      for k in ("LOGICAL_AND", "LOGICAL_OR")),
    (_unary("LOGICAL_NOT", BOOL), tensor(1, shape=(3, 2)),
     "input and output have the same shape; found 2x3 and 3x2"),
    (_pair("SUB", I16), tensor(1, quantization=q(0.5, 7)),
     "for int16 first input: second input has the zero point 0; found 7"),
    (_pair("SUB", I32), tensor(0, quantization=q(0.5)),
     "for int32 first input: no tensor is quantised; found first input with scale 0.5"),
    (_pair("MUL", I8), tensor(2, quantization=q(1e-12)),
     "for int8 or int16 first input: first scale * second scale / output scale is below 2^30; "
     "found 2.5e+11"),
    (_pair("MUL", I8), tensor(1, dtype=I16),
     "second input has the type of first input; found int16 and int8"),
    (_pair("DIV"), tensor(0, dtype=I8),
     "inputs are not int8, whose quotients TFLM leaves undefined; found int8"),
    (_pair("DIV", I32), tensor(1, shape=(2,)), f"{_WHOLE}; found 2x3 + 2 = 2x3"),
    (_pair("SQUARED_DIFFERENCE", I8), tensor(2, quantization=q(1e-15)),
     "for int8 or int16 first input: twice the larger input scale, squared, is below 2^30 output "
     "scales; found 6.10352e+10"),
    *((_pair(k, I64), tensor(2, dtype=I32),
       "output has the type of first input; found int32 and int64")
      for k in ("MAXIMUM", "MINIMUM")),
    *((_pair(k), tensor(0, shape=(1,) * 7),
       "first input has 0 to 6 dimensions; found 7 (1x1x1x1x1x1x1)")
      for k in ("FLOOR_DIV", "FLOOR_MOD")),
    (_unary("RELU", I8), tensor(1, quantization=q(1e-10)),
     "for int8 or int16 input: input scale / output scale is below 2^30; found 5e+09"),
    (_unary("RELU", I16), tensor(0, quantization=q(0.5, 3)),
     "for int16 input: input has the zero point 0; found 3"),
    (_unary("RELU6", I8), tensor(1, quantization=None),
     "output has one scale, finite and above 0, and one zero point within its type; "
     "found no quantisation"),
    (_unary("LEAKY_RELU", I8, alpha=0.1), option("alpha", float("nan")),
     "alpha is finite; found nan"),
    (_unary("LEAKY_RELU", I8, alpha=0.1), option("alpha", 1e12),
     "for int8 or int16 input: input scale * alpha / output scale is below 2^30; found 1e+12"),
    (_unary("ABS", I16), tensor(1, quantization=q(0.5, 3)),
     "for int16 output: output has the zero point 0; found 3"),
    (_unary("LOGISTIC", I8, zero_point=-128), tensor(1, quantization=q(1 / 256)),
     "for int8 output: output has the zero point -128; found 0"),
    (_unary("LOGISTIC", I16, scale=1 / 32768), tensor(1, quantization=q(1 / 256)),
     "for int16 output: output scale is 2^-15; found 0.00390625"),
    (_unary("TANH", I16, scale=1 / 32768), tensor(0, quantization=q(2e5)),
     "for int16 input: input scale is below 174,763; found 200000"),
    (_unary("HARD_SWISH", I8), tensor(1, quantization=q(1e-4)),
     "for int8 input: input scale / (128 * output scale) is below 1; found 39.0625"),
    (_unary("ELU", I8), tensor(0, dtype=I16), "input is float32 or int8; found int16"),
    (_unary("RSQRT", I8), tensor(1, quantization=q(1e-12)),
     "for int8 or int16 input: 1 / (sqrt(input scale) * output scale) is below 2^30; "
     "found 1.41421e+12"),
    (made("PRELU", [_X, np.ones(3, np.int8)], _X), tensor(1, shape=(2,)),
     "alpha broadcasts to the shape of input; found 2 to 2x3"),
    (made("ADD_N", [_X, _X], _X), tensor(1, quantization=q(0.25)),
     "for int8 input: inputs have the same quantisation; found another for input 1"),
    (made("ADD_N", [_X, _X], _X), operator(inputs=(0,)),
     "there are at least 2 inputs, and one output; found 1 inputs and 1 outputs"),
    (made("CAST", [_X], _X, I8, F32), tensor(1, dtype=BOOL),
     "output is float32, int8, int16, int32 or uint32; found bool"),
    # shapes and places
    (made("CONCATENATION", [_X, _X], (4, 3), axis=0), tensor(1, quantization=q(0.25)),
     "for int8 output: inputs have the scale and zero point of output; found input 1 with "
     "scale 0.25 and zero point 0, output with scale 0.5 and 0"),
    (made("CONCATENATION", [_X, _X], (4, 3), U8, axis=0), tensor(1, quantization=q(0.25, 3)),
     "for uint8 output: inputs have the scale and zero point of output; "
     "found no quantisation"),
    (made("CONCATENATION", [_X, _X], (4, 3), U8, axis=0),
     both(tensor(1, quantization=q(0.25, 3)), tensor(2, quantization=q(0.5))),
     "for uint8 output: inputs have the scale and zero point of output; found input 0 with "
     "scale 0 and zero point 0, output with scale 0.5 and 0"),
    (made("CONCATENATION", [_X, _X], (4, 3), axis=0), tensor(1, shape=(2, 4)),
     "inputs have output's shape, and add up to it along axis; found 2x3, 2x4 and 4x3"),
    (made("CONCATENATION", [_X, _X], (4, 3), axis=0), option("axis", 2),
     "axis is a dimension; found axis 2 for 2 dimensions"),
    (made("CONCATENATION", [_X, _X], (4, 3), axis=0), operator(inputs=(0, -1)),
     "there are at least 1 inputs, and one output; "
     "found 2 inputs, 1 of them absent and 1 outputs"),
    (made("PACK", [_X, _X], (2, 2, 3), axis=0), tensor(1, dtype=I16),
     "inputs have the type of output; found int16 and int8"),
    (made("PACK", [_X, _X], (2, 2, 3), axis=0), tensor(2, shape=(3, 2, 3)),
     "output is all inputs along axis, which they do not have; found 2 of 2x3 and 3x2x3"),
    (made("UNPACK", [_X], [(3,), (3,)], axis=0), tensor(1, shape=(2,)),
     "input is all outputs along axis, which they do not have; found 2 of 2 and 2x3"),
    (made("UNPACK", [_X], [(3,), (3,)], axis=0), tensor(2, dtype=I16),
     "outputs have the type of input; found int16 and int8"),
    (made("SPLIT", [_ints(1), (2, 4)], [(2, 2), (2, 2)]), values(0, _ints(-3)),
     "axis is a dimension; found axis -3 for 2 dimensions"),
    (made("SPLIT", [_ints(1), (2, 4)], [(2, 2), (2, 2)]), tensor(2, shape=(2, 1)),
     "outputs have input's shape, and add up to it along axis; found 2x1, 2x2 and 2x4"),
    (made("SPLIT", [_ints(1), (2, 4)], [(2, 2), (2, 2)]),
     both(tensor(2, shape=(2, 1)), tensor(3, shape=(2, 3))),
     "outputs are alike; found 2x1, 2x3"),
    (made("SPLIT_V", [(2, 4), _ints(1, 3), _ints(1)], [(2, 1), (2, 3)]), values(2, _ints(0, 1)),
     "axis tensor has one value; found 2"),
    (made("SLICE", [_X, _ints(0, 1), _ints(2, -1)], (2, 2)), values(1, _ints(0, 2)),
     "the box lies inside input and is the output; found 0+2 of 2, 2+1 of 3"),
    (made("SLICE", [_X, _ints(0, 1), _ints(2, -1)], (2, 2)), values(1, _ints(-1, 1)),
     "the box lies inside input and is the output; found -1+2 of 2, 1+2 of 3"),
    (made("SLICE", [_X, _ints(0, 1), _ints(2, -1)], (2, 2)), values(2, _ints(2)),
     "begin and size have a number for each dimension; found 2 and 1 for 2"),
    (made("STRIDED_SLICE", [_X, _ints(0, 0), _ints(2, 3), _ints(1, 2)], (2, 2)),
     option("ellipsis_mask", 1), "ellipsis mask is 0; found 1"),
    (made("STRIDED_SLICE", [_X, _ints(0, 0), _ints(2, 3), _ints(1, 2)], (2, 2)),
     values(3, _ints(1, 0)), "strides are not 0; found 0"),
    (made("STRIDED_SLICE", [_X, _ints(0, 0), _ints(2, 3), _ints(1, 2)], (2, 2)),
     values(1, _ints(0, 3)),
     "the range along each dimension has an element; "
     "found 0 elements from 3 on of 3 along dimension 1"),
    (made("STRIDED_SLICE", [_X, _ints(0, 0), _ints(2, 3), _ints(1, 2)], (2, 2)),
     values(2, _ints(1, 3)),
     "output has the shape that input, begin, end, strides and masks give; found 2x2, not 1x2"),
    (made("REVERSE_V2", [_X, _ints(1)], _X), values(1, _ints(0, 0)),
     "axes are different dimensions of input; found 0, 0 for 2 dimensions"),
    (made("SQUEEZE", [(2, 1, 3)], _X), tensor(1, shape=(2, 2)),
     "input and output have as many elements; found 2x1x3 and 2x2"),
    (made("SQUEEZE", [(2, 1, 3)], _X, squeeze_dims=(1,)), option("squeeze_dims", (-3,)),
     "axes in squeeze_dims are dimensions of 1; found -3 of 2x1x3"),
    (made("SQUEEZE", [(2, 1, 3)], _X, squeeze_dims=(1,)), option("squeeze_dims", (1, 3)),
     "axes in squeeze_dims are dimensions of 1; found 1, 3 of 2x1x3"),
    (made("EXPAND_DIMS", [_X, _ints(0)], (1, 2, 3)), values(1, _ints(3)),
     "axis is a dimension; found axis 3 for 3 dimensions"),
    (made("EXPAND_DIMS", [_X, _ints(0)], (1, 2, 3)), values(1, _ints(-4)),
     "axis is a dimension; found axis -4 for 3 dimensions"),
    (made("EXPAND_DIMS", [_X, _ints(0)], (1, 2, 3)), tensor(1, data=None),
     "axis tensor is constant; found a tensor known at run time only"),
    (made("PADV2", [_X, _TILES, np.array(5, np.int8)], _X), tensor(2, quantization=q(0.25)),
     "for int8 input: value and output have the same quantisation; "
     "found scale 0.25 with zero point 0 and scale 0.5 with zero point 0"),
    (made("MIRROR_PAD", [_X, _TILES], _X, mode="REFLECT"), values(1, _ints([0, 0], [3, 0])),
     "margins are no wider than what they mirror; found 3 for a dimension of 3"),
    (made("GATHER", [_X, _ints(1, 0)], (2, 2), axis=1), values(1, _ints(1, 3)),
     "constant indices lie inside the dimension; found 3 of 3"),
    (made("GATHER", [_X, _ints(1, 0)], (2, 2), axis=1), option("batch_dims", 2),
     "batch_dims are dimensions before axis, equal in input and indices; "
     "found 2 for input 2x3 and indices 2"),
    (made("GATHER_ND", [_X, _ints([1, 2], [0, 0])], (2,)), values(1, _ints([1, 2], [0, -1])),
     "constant indices lie inside their dimensions; found 0, -1 for input 2x3"),
    (made("GATHER_ND", [_X, _ints([1], [0])], (2, 3)), values(1, _ints([1, 2, 0])),
     "indices name at most all dimensions of input; found 3 for 2 dimensions"),
    (made("EMBEDDING_LOOKUP", [_ints(1, 0), np.ones((4, 3), np.int8)], (2, 3)),
     tensor(2, dtype=I16), "table and output are float32 and float32; or int8 and int8/float32; "
     "found int8 and int16"),
    (made("DYNAMIC_UPDATE_SLICE", [_X, (1, 2), _ints(0, 0)], _X), tensor(1, shape=(1, 4)),
     "update fits into input; found 1x4 in 2x3"),
    (made("DYNAMIC_UPDATE_SLICE", [_X, (1, 2), _ints(0, 0)], _X), values(2, _ints(0)),
     "starts have a number for each dimension; found 1 for 2 dimensions"),
    (made("SELECT_V2", [np.ones(3, np.bool_), _X, _X], _X), tensor(0, shape=(2,)),
     f"{_WHOLE}; found 2, 2x3, 2x3 and 2x3"),
    (made("FILL", [_ints(2, 3), np.array(5, np.int8)], _X), tensor(1, shape=(2,)),
     "value has one value; found 2"),
    (made("BROADCAST_TO", [(1, 3), _ints(2, 3)], _X), tensor(0, shape=(2,)),
     "input broadcasts to the shape of output; found 2 and 2x3"),
    (made("BROADCAST_ARGS", [(2,), (1,)], (2,), I32), tensor(2, shape=(1,)),
     "output has as many elements as the longer input; found 1 for 2 and 1"),
    (made("ZEROS_LIKE", [_X], _X), tensor(1, dtype=I16), f"{_TYPE}; found int16 and int8"),
    (made("SHAPE", [_X], (2,), I8, I32), tensor(1, shape=(3,)),
     "output has the shape that the dimensions of input give; found 3, not 2"),
    (made("SPACE_TO_BATCH_ND", [_IMAGE, _ints(2, 2), _TILES], (4, 2, 2, 2)),
     values(2, _ints([0, 1], [0, 0])),
     "padded height and width are multiples of the block's; found 5x4 in blocks of 2x2"),
    (made("SPACE_TO_BATCH_ND", [_IMAGE, _ints(2, 2), _TILES], (4, 2, 2, 2)),
     values(1, _ints(2, 0)),
     "block shape has a number from 1, paddings tensor two from 0, for each inner dimension; "
     "found 0 and 0"),
    (made("BATCH_TO_SPACE_ND", [(4, 2, 2, 2), _ints(2, 2), _TILES], _IMAGE),
     tensor(0, shape=(6, 2, 2, 2)), "batches are a multiple of the block's pixels; found 6"),
    (made("SPACE_TO_DEPTH", [_IMAGE], (1, 2, 2, 8), block_size=2), option("block_size", 0),
     "block size is at least 1; found 0"),
    (made("DEPTH_TO_SPACE", [(1, 2, 2, 8)], _IMAGE, block_size=2), option("block_size", 3),
     "channels are a multiple of block size squared; found 8 for blocks of 3"),
    (made("RESIZE_NEAREST_NEIGHBOR", [_IMAGE, _ints(8, 6)], (1, 8, 6, 2)),
     values(1, _ints(8, 7)),
     "output has the shape that input and size give; found 1x8x6x2, not 1x8x7x2"),
    (made("RESIZE_BILINEAR", [_IMAGE, _ints(8, 6)], (1, 8, 6, 2), align_corners=True),
     option("half_pixel_centers", True),
     "at most one of align_corners and half_pixel_centers is set; found both"),
    # along dimensions
    (made("SUM", [_X, _ints(1)], (2,)), tensor(1, data=None),
     "axes tensor is constant; found a tensor known at run time only"),
    (made("REDUCE_MAX", [_X, _ints(1)], (2,)), tensor(2, quantization=q(0.25)),
     "for int8 input: input and output have the same quantisation; "
     "found scale 0.5 with zero point 0 and scale 0.25 with zero point 0"),
    (made("REDUCE_MIN", [_X, _ints(1)], (2,)), values(1, _ints(2)),
     "axes are dimensions of input; found 2 for 2 dimensions"),
    (made("REDUCE_ALL", [_X, _ints(1)], (2,), BOOL), tensor(0, dtype=I8),
     "input is bool; found int8"),
    *((made(k, [_X, _ints(1)], (2,), I8, I32), values(1, _ints(5)),
       "axis is a dimension; found axis 5 for 2 dimensions") for k in ("ARG_MAX", "ARG_MIN")),
    (made("ARG_MAX", [_X, _ints(1)], (2,), I8, I32), tensor(2, dtype=I64),
     "output is int32; found int64"),
    (made("CUMSUM", [_X, _ints(1)], _X), tensor(2, quantization=q(1e-7)),
     "for int8 input: twice the input scale is less than 2^20 output scales; found 9.53674"),
    (made("LOG_SOFTMAX", [_X], _X, scale=1 / 16, zero_point=127), tensor(1, quantization=q(0.5)),
     "for int8 input: output scale is 1/16 and its zero point 127; "
     "found scale 0.5 and zero point 0"),
    (made("L2_NORMALIZATION", [_X], _X), option("fused_activation_function", "RELU"),
     "there is no fused activation; found RELU"),
    (made("L2_POOL_2D", [_IMAGE], (1, 2, 2, 2), F32, padding="VALID", stride_h=2, stride_w=2,
          filter_height=2, filter_width=2), tensor(0, dtype=I8), "input is float32; found int8"),
    (made("BATCH_MATMUL", [(1, 2, 3), (1, 3, 4)], (1, 2, 4)), option("adj_y", True),
     "matrices go together and give the output; found 1x2x3 * 1x3x4 = 1x2x4"),
    (made("BATCH_MATMUL", [(1, 2, 3), (1, 3, 4)], (1, 2, 4), I16), tensor(2, quantization=q(1e-4)),
     "first scale * second scale / output scale is below 2^30, for int16 below 2^7; found 2500"),
    (made("TRANSPOSE_CONV", [_ints(1, 8, 8, 3), np.ones((3, 2, 2, 2), np.int8), _IMAGE],
          (1, 8, 8, 3), padding="SAME", stride_h=2, stride_w=2), values(0, _ints(1, 8, 9, 3)),
     "a constant shape is that of the output; found 1x8x9x3, not 1x8x8x3"),
    (made("TRANSPOSE_CONV", [_ints(1, 8, 8, 3), np.ones((3, 2, 2, 2), np.int8), _IMAGE],
          (1, 8, 8, 3), padding="SAME", stride_h=2, stride_w=2), tensor(2, shape=(1, 4, 4, 3)),
     "filter is output channels x height x width x input channels; "
     "found input 1x4x4x3, filter 3x2x2x2, output 1x8x8x3"),
]  # fmt: skip

_KINDS = {make().operators[0].kind: make for make, *_ in REFUSED}


@pytest.mark.parametrize("make", _KINDS.values(), ids=list(_KINDS))
def test_the_unchanged_operator_is_taken(make: Make) -> None:
    graph = make().finish().graphs[0]
    assert violation(graph) is None


@pytest.mark.parametrize(
    ("make", "change", "message"),
    REFUSED,
    ids=[f"{make().operators[0].kind}-{i}" for i, (make, *_) in enumerate(REFUSED)],
)
def test_refused(make: Make, change: Change, message: str) -> None:
    assert violation(change(make().finish().graphs[0])) == message
