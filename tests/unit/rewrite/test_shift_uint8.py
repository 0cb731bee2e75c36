"""uint8 becomes int8: what is shifted, what stays, and where nothing is."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Graph, Quantization
from mcucomp.rewrite import shift_uint8
from tests.support.models import ModelBuilder

U8, I8 = DType.UINT8, DType.INT8


def _dense(weights: list[int], zero_point: int) -> ModelBuilder:
    """A dense layer whose output is both given out and read again."""
    b = ModelBuilder()
    x = b.input((1, 2), U8, 0.5, 130, name="x")
    w = b.constant(np.array([weights], np.uint8), [0.25], [zero_point])
    y = b.operator("FULLY_CONNECTED", (x, w, -1), (1, 1), U8, 1.0, 7)
    b.operator("RESHAPE", (y,), (1, 1, 1), U8, 1.0, 7)
    return b


def _applied(b: ModelBuilder) -> Graph:
    return shift_uint8.apply(b.finish(outputs=(2, 3)).graphs[0])


def test_inputs_and_outputs_get_twins() -> None:
    graph = _applied(_dense([100, 160], 130))
    kinds = [(op.index, op.kind, op.inputs, op.outputs) for op in graph.operators]
    assert kinds == [
        (2, "QUANTIZE", (0,), (4,)),
        (0, "FULLY_CONNECTED", (4, 1, -1), (5,)),
        (1, "RESHAPE", (5,), (6,)),
        (3, "QUANTIZE", (5,), (2,)),
        (4, "QUANTIZE", (6,), (3,)),
    ]
    types = [(t.dtype, t.quantization.zero_points[0]) for t in graph.tensors if t.quantization]
    assert types == [(U8, 130), (I8, 0), (U8, 7), (U8, 7), (I8, 2), (I8, -121), (I8, -121)]
    assert [t.name for t in graph.tensors[4:]] == ["x (int8)", "out_0 (int8)", "out_1 (int8)"]
    assert (graph.inputs, graph.outputs) == ((0,), (2, 3))


def test_weights_become_int8_where_they_fit() -> None:
    fits, wide = (_applied(_dense(w, 130)).tensors[1] for w in ([2, 255], [1, 255]))
    assert (fits.dtype, fits.data, fits.quantization) == (
        I8, np.array([-128, 125], np.int8).tobytes(), Quantization((0.25,), (0,)),
    )  # fmt: skip
    assert (wide.dtype, wide.data) == (U8, bytes([1, 255]))


def test_what_is_not_exact_is_left_alone() -> None:
    b = _dense([100, 160], 130)
    b.operator("LOGISTIC", (3,), (1, 1, 1), U8, 1 / 256, 0)
    graph = b.finish().graphs[0]
    assert shift_uint8.apply(graph) is graph


def test_bytes_without_layers_are_left_alone() -> None:
    b = ModelBuilder()
    b.operator("RESHAPE", (b.input((4,), U8, 0.5),), (2, 2), U8, 0.5)
    graph = b.finish().graphs[0]
    assert shift_uint8.apply(graph) is graph


def test_weights_that_are_more_than_weights_are_left_alone() -> None:
    b = _dense([100, 160], 130)
    b.operator("RESHAPE", (1,), (2, 1), U8, 0.25, 130)
    graph = b.finish().graphs[0]
    assert shift_uint8.apply(graph) is graph
