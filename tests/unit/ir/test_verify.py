"""What a model must keep before later rooms see it, and the whole message where it does not."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mcucomp.errors import InvalidModel, McucompError, UnsupportedModel
from mcucomp.ir import DType, Graph, Model, Quantization
from mcucomp.ir.verify import verify
from tests.support.models import ABSENT, ModelBuilder, model_of, residual_network

DAMAGED = "  fix: the file is damaged or was edited badly; convert the model again"


def refused(model: Model, error: type[McucompError] = InvalidModel) -> list[str]:
    with pytest.raises(McucompError) as caught:
        verify(model)
    assert type(caught.value) is error
    return str(caught.value).split("\n")


def chain(*, shape: tuple[int, ...] = (1, 4), dtype: DType = DType.INT8) -> ModelBuilder:
    """A RELU and a second one: tensors 0, 1, 2."""
    b = ModelBuilder("m.tflite")
    x = b.input(shape, dtype, name="x")
    y = b.operator("RELU", (x,), shape, dtype)
    b.operator("RELU", (y,), shape, dtype)
    return b


def changed(model: Model, **changes: Any) -> Model:
    return dataclasses.replace(model, graphs=(dataclasses.replace(model.graphs[0], **changes),))


def with_quantization(quantization: Quantization, dtype: DType = DType.INT8) -> Model:
    b = chain(shape=(1, 2, 3), dtype=dtype)
    b.tensors[1] = dataclasses.replace(b.tensors[1], quantization=quantization)
    return b.finish()


def test_a_sound_model_passes() -> None:
    verify(residual_network().finish())
    verify(chain().finish())


def test_parts_that_are_numbered_wrongly() -> None:
    model = chain().finish()
    graph = model.graphs[0]
    swapped = (graph.tensors[1], graph.tensors[0], graph.tensors[2])
    operators = (graph.operators[0], dataclasses.replace(graph.operators[1], index=7))
    assert refused(changed(model, tensors=swapped, operators=operators)) == [
        "m.tflite: parts are not numbered by position",
        "  tensor 1 stands at position 0",
        "  tensor 0 stands at position 1",
        "  operator 7 stands at position 1",
        DAMAGED,
    ]


def test_tensors_that_do_not_exist() -> None:
    b = chain()
    b.inputs.append(-1)
    b.operator_into("ADD", (ABSENT, 9), (-1,))
    assert refused(b.finish(outputs=(5,))) == [
        "m.tflite: tensors are used that do not exist",
        "  the graph's inputs have tensor -1",
        "  the graph's outputs have tensor 5",
        "  operator 2 ADD reads tensor 9",
        "  operator 2 ADD writes tensor -1",
        DAMAGED,
    ]


def test_graphs_that_do_not_exist() -> None:
    b = chain()
    b.operator_into("CALL_ONCE", (), (), init_subgraph_index=2)
    assert refused(b.finish()) == [
        "m.tflite: graphs are called that do not exist",
        "  operator 2 CALL_ONCE calls graph 2",
        DAMAGED,
    ]


def test_graphs_that_call_each_other() -> None:
    def calling(index: int) -> Graph:
        b = chain()
        b.operator_into("CALL_ONCE", (), (), init_subgraph_index=index)
        return b.finish().graphs[0]

    assert refused(model_of(calling(1), calling(0), source="m.tflite")) == [
        "m.tflite: graphs call each other without end: graph 0, graph 1, graph 0",
        DAMAGED,
    ]
    verify(model_of(calling(1), chain().finish().graphs[0]))


def test_types_without_a_size_are_all_named() -> None:
    b = chain(dtype=DType.STRING)
    assert refused(b.finish(), UnsupportedModel) == [
        "m.tflite: tensors have types that cannot be compiled",
        "  tensor 0 x is string",
        "  tensor 1 out_0 is string",
        "  tensor 2 out_1 is string",
        "  fix: keep strings and variants out of the part of the model that runs on the device",
    ]


def test_dynamic_shapes_are_all_named() -> None:
    b = ModelBuilder("m.tflite")
    x = b.input((-1, 4), name="x")
    y = b.operator("RELU", (x,), (-1, 4))
    y = b.operator("RELU", (y,), (1, 0))
    b.operator("RELU", (y,), (1, 4))
    assert refused(b.finish(), UnsupportedModel) == [
        "m.tflite: tensors have dynamic shapes",
        "  tensor 0 x has shape [-1, 4]",
        "  tensor 1 out_0 has shape [-1, 4]",
        "  tensor 2 out_1 has shape [1, 0]",
        "  fix: convert the model with a fixed batch size and input shape",
    ]


def test_nothing_is_allowed_where_there_is_nothing_to_read() -> None:
    b = ModelBuilder()
    x = b.input((1,))
    empty_constant = b.constant(np.zeros((0, 3), np.int32))
    old_scalar = b.tensor((0,))
    b.operator("RESHAPE", (x, empty_constant, old_scalar), (1,))
    verify(b.finish())


def test_tensors_too_large_for_any_device() -> None:
    b = chain(shape=(65536, 65536, 2))
    assert refused(b.finish())[:3] == [
        "m.tflite: tensors have more than 2147483647 B",
        "  tensor 0 x of int8 [65536, 65536, 2] has 8589934592 B",
        "  tensor 1 out_0 of int8 [65536, 65536, 2] has 8589934592 B",
    ]
    verify(chain(shape=(2**31 - 1,)).finish())
    with pytest.raises(InvalidModel):
        verify(chain(shape=(2**29,), dtype=DType.FLOAT32).finish())


def test_constants_of_another_size_than_their_shape() -> None:
    b = chain()
    b.operator("ADD", (2, b.constant(np.zeros((1, 4), np.int8), name="c")), (1, 4))
    b.tensors[3] = dataclasses.replace(b.tensors[3], shape=(1, 5))
    assert refused(b.finish()) == [
        "m.tflite: constants do not fit their shapes",
        "  tensor 3 c has 4 bytes; its shape needs 5",
        DAMAGED,
    ]


def test_tensors_with_more_than_one_writer() -> None:
    b = chain()
    constant = b.constant(np.zeros((1, 4), np.int8), name="c")
    variable = b.tensor((1, 4), name="v", is_variable=True)
    for output in (0, 1, constant, variable):
        b.operator_into("RELU", (0,), (output,))
    b.operator_into("SPLIT", (0,), (5, 5))
    b.tensor((1, 4), name="s")
    assert refused(b.finish(outputs=(2,))) == [
        "m.tflite: tensors have more than one writer",
        "  tensor 0 x is written by the graph's input and by operator 2 RELU",
        "  tensor 1 out_0 is written by operator 0 RELU and by operator 3 RELU",
        "  tensor 3 c is written by its constant and by operator 4 RELU",
        "  tensor 4 v is written by its variable and by operator 5 RELU",
        "  tensor 5 s is written by operator 6 SPLIT and by operator 6 SPLIT",
        DAMAGED,
    ]


def test_reads_before_writes() -> None:
    model = chain().finish()
    first, second = model.graphs[0].operators
    operators = (dataclasses.replace(second, index=0), dataclasses.replace(first, index=1))
    assert refused(changed(model, operators=operators)) == [
        "m.tflite: tensors are read before anything has written them",
        "  operator 0 RELU reads tensor 1 out_0",
        "  fix: convert the model again; operators must stand in an order in which they can run,"
        " and constants have their values",
    ]


def test_an_operator_cannot_read_what_it_writes() -> None:
    b = chain()
    b.tensor((1, 4), name="loop")
    b.operator_into("ADD", (2, 3), (3,))
    assert refused(b.finish(outputs=(3,)))[1] == "  operator 2 ADD reads tensor 3 loop"


def test_an_output_that_nothing_writes() -> None:
    b = chain()
    b.tensor((1, 4), name="forgotten")
    assert refused(b.finish(outputs=(2, 3)))[1] == (
        "  the graph gives out tensor 3 forgotten, which nothing writes; its buffer holds no data"
    )


def test_weights_that_are_not_there() -> None:
    b = chain()
    b.tensor((1, 4), name="weights")
    b.operator("ADD", (2, 3), (1, 4))
    assert refused(b.finish())[1] == (
        "  operator 2 ADD reads tensor 3 weights, which nothing writes; its buffer holds no data"
    )


def test_outputs_may_be_inputs_constants_or_variables() -> None:
    b = chain()
    constant = b.constant(np.zeros((1, 4), np.int8))
    variable = b.tensor((1, 4), is_variable=True)
    b.operator("ADD", (2, variable), (1, 4))
    verify(b.finish(outputs=(0, 2, 2, constant, variable)))


@pytest.mark.parametrize(
    ("scale", "shown"), [(0.0, "0"), (-0.5, "-0.5"), (np.inf, "inf"), (np.nan, "nan")]
)
def test_scales_that_are_no_positive_number(scale: float, shown: str) -> None:
    assert refused(with_quantization(Quantization((scale,), (0,)))) == [
        "m.tflite: quantization scales are no positive numbers",
        f"  tensor 1 out_0: scale is {shown}",
        DAMAGED,
    ]
    verify(with_quantization(Quantization((scale,), (0,)), DType.FLOAT32))


def test_several_scales_that_are_no_positive_numbers() -> None:
    found = refused(with_quantization(Quantization((0.5, 0.0, -1.0), (0,), 2)))
    assert found[1] == "  tensor 1 out_0: scale is 0 (and 1 more of its scales)"


@pytest.mark.parametrize(
    ("scales", "axis", "message"),
    [
        ((0.5, 0.5), 2, "tensor 1 out_0 has 2 scales along axis 2 of shape [1, 2, 3]"),
        ((0.5, 0.5), 3, "tensor 1 out_0 has 2 scales along axis 3 of shape [1, 2, 3]"),
        ((0.5, 0.5), -1, "tensor 1 out_0 has 2 scales along axis -1 of shape [1, 2, 3]"),
    ],
)
def test_scales_that_do_not_fit_the_axis(
    scales: tuple[float, ...], axis: int, message: str
) -> None:
    assert refused(with_quantization(Quantization(scales, (0,), axis))) == [
        "m.tflite: quantization parameters do not fit their tensors",
        f"  {message}",
        DAMAGED,
    ]


def test_scales_that_fit_the_axis() -> None:
    verify(with_quantization(Quantization((0.5, 0.5), (0,), 1)))
    verify(with_quantization(Quantization((0.5, 0.5, 0.5), (1, 2, 3), 2)))


def test_any_axis_will_do_for_one_dimension() -> None:
    """Public files have such biases."""
    b = ModelBuilder()
    bias = b.constant(np.zeros(3, np.int32), (0.1, 0.2, 0.3), axis=3)
    b.operator("ADD", (b.input((3,), DType.INT32), bias), (3,), DType.INT32)
    verify(b.finish())


def test_biases_may_have_any_quantization() -> None:
    """Nobody reads it: their scale is that of the products that they are added to."""
    verify(with_quantization(Quantization((0.0, np.nan), (2**40, 1, 2), 7), DType.INT32))
    verify(with_quantization(Quantization((-1.0,), (0,)), DType.INT64))


def test_constants_that_are_variables() -> None:
    b = chain()
    b.tensors[0] = dataclasses.replace(b.tensors[0], data=bytes(4), is_variable=True)
    b.inputs.clear()
    assert refused(b.finish())[:2] == [
        "m.tflite: tensors are constant and variable",
        "  tensor 0 x",
    ]


def test_zero_points_that_do_not_fit_the_scales() -> None:
    found = refused(with_quantization(Quantization((0.5, 0.5, 0.5), (1, 2), 2)))
    assert found[1] == "  tensor 1 out_0 has 2 zero points, 3 scales"


@pytest.mark.parametrize(
    ("dtype", "zero_point"),
    [(DType.INT8, 128), (DType.INT8, -129), (DType.UINT8, -1), (DType.INT16, 2**15)],
)
def test_zero_points_outside_of_the_type(dtype: DType, zero_point: int) -> None:
    assert refused(with_quantization(Quantization((0.5,), (zero_point,)), dtype)) == [
        "m.tflite: zero points are outside of their tensors' types",
        f"  tensor 1 out_0 is {dtype.value}; its zero point is {zero_point}",
        DAMAGED,
    ]


def test_unused_tensors_may_be_anything() -> None:
    b = chain()
    b.tensor((-1, 0), DType.STRING, np.nan)
    verify(b.finish())


def test_the_graph_is_named_where_there_are_several() -> None:
    good, bad = chain(), chain(shape=(-1,))
    model = model_of(good.finish().graphs[0], bad.finish().graphs[0], source="m.tflite")
    assert refused(model, UnsupportedModel)[:2] == [
        "m.tflite: tensors have dynamic shapes",
        "  graph 1: tensor 0 x has shape [-1]",
    ]
