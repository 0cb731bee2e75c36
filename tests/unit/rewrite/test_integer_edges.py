"""Conversions at the edges go where they are all that stands there, and nowhere else."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Graph
from mcucomp.rewrite import integer_edges, quantize_edges
from tests.support.models import ModelBuilder
from tests.support.state_models import float_memory


def _between(dtype: DType, outer: dict[str, object], back: str = "DEQUANTIZE") -> ModelBuilder:
    """ABS between a QUANTIZE and what takes its result back to `dtype`."""
    b = ModelBuilder()
    x = b.input((1, 4), dtype, **outer)  # type: ignore[arg-type]
    x = b.operator("QUANTIZE", (x,), (1, 4), scale=0.5, zero_point=-3)
    x = b.operator("ABS", (x,), (1, 4), scale=0.5, zero_point=-3)
    b.operator(back, (x,), (1, 4), dtype, **outer)  # type: ignore[arg-type]
    return b


def _kinds(graph: Graph) -> list[str]:
    return [operator.kind for operator in graph.operators]


def _edges(graph: Graph) -> list[DType]:
    return [graph.tensors[t].dtype for t in (*graph.inputs, *graph.outputs)]


def test_floats_go() -> None:
    found = integer_edges.apply(_between(DType.FLOAT32, {}).finish().graphs[0])
    assert _kinds(found) == ["ABS"]
    assert _edges(found) == [DType.INT8, DType.INT8]


def test_uint8_goes_where_its_zero_point_is_128_further() -> None:
    q = {"scale": 0.5, "zero_point": 125}
    found = integer_edges.apply(_between(DType.UINT8, q, "QUANTIZE").finish().graphs[0])
    assert _kinds(found) == ["ABS"]
    assert _edges(found) == [DType.INT8, DType.INT8]


def test_other_uint8_stays() -> None:
    for q in ({"scale": 0.5, "zero_point": 124}, {"scale": 0.25, "zero_point": 125}):
        found = integer_edges.apply(_between(DType.UINT8, q, "QUANTIZE").finish().graphs[0])
        assert _kinds(found) == ["QUANTIZE", "ABS", "QUANTIZE"]


def test_an_input_with_another_reader_stays() -> None:
    b = ModelBuilder()
    x = b.input((1, 4), DType.FLOAT32)
    b.operator("QUANTIZE", (x,), (1, 4), scale=0.5)
    b.operator("ABS", (x,), (1, 4), DType.FLOAT32)
    assert _kinds(integer_edges.apply(b.finish().graphs[0])) == ["QUANTIZE", "ABS"]


def test_an_output_that_somebody_reads_stays() -> None:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    y = b.operator("ABS", (x,), (1, 4), scale=0.5)
    z = b.operator("DEQUANTIZE", (y,), (1, 4), DType.FLOAT32)
    w = b.operator("ABS", (z,), (1, 4), DType.FLOAT32)
    assert _kinds(integer_edges.apply(b.finish((z, w)).graphs[0])) == ["ABS", "DEQUANTIZE", "ABS"]


def test_an_input_that_is_given_back_stays() -> None:
    """The graph's input would be its output, which no step writes."""
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.operator("DEQUANTIZE", (x,), (1, 4), DType.FLOAT32)
    assert _kinds(integer_edges.apply(b.finish().graphs[0])) == ["DEQUANTIZE"]


def test_a_constant_stays() -> None:
    b = ModelBuilder()
    b.input((1, 4), scale=0.5)
    c = b.constant(np.zeros((1, 4), np.int8), (0.5,))
    b.operator("DEQUANTIZE", (c,), (1, 4), DType.FLOAT32)
    assert _kinds(integer_edges.apply(b.finish().graphs[0])) == ["DEQUANTIZE"]


def test_what_is_read_by_an_operator_without_outputs_stays() -> None:
    graph = float_memory().graphs[0]
    assert integer_edges.apply(graph) == graph
    assert quantize_edges.apply(graph) == graph
