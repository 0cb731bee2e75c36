"""A model as text."""

from __future__ import annotations

import dataclasses

import numpy as np

from mcucomp.ir import DType
from mcucomp.ir.dump import dump, first_of, operator_name, tensor_name, within_graph
from tests.support.models import ABSENT, ModelBuilder, model_of


def small() -> ModelBuilder:
    b = ModelBuilder("small.tflite")
    x = b.input((1, 4), scale=0.1, zero_point=-3, name="x\x1b[2J")
    weights = b.constant(np.zeros((2, 4), np.int8), (0.1, 0.5), name="weights")
    b.operator("FULLY_CONNECTED", (x, weights, ABSENT), (1, 2), scale=1.0, keep_num_dims=True)
    state = b.tensor((), DType.FLOAT32, name="state", is_variable=True)
    output = b.tensor((1, 2), DType.FLOAT32, name="")
    b.operator_into(
        "CUSTOM", (2, state), (output,), custom_code="own\n", custom_options=bytes(range(9))
    )
    b.metadata = {"plan": b"1234"}
    return b


def test_a_whole_model() -> None:
    model = dataclasses.replace(small().finish(), sha256="0123456789abcdef0000", description="d")
    assert dump(model) == (
        "model small.tflite sha256 0123456789abcdef\n"
        "  description: d\n"
        "  metadata: plan (4 B)\n"
        "graph 0 main: (0) -> (4)\n"
        "  operator 0 FULLY_CONNECTED: (0 1 -) -> (2) asymmetric_quantize_inputs=False"
        " fused_activation_function=NONE keep_num_dims=True quantized_bias_type=float32"
        " weights_format=DEFAULT\n"
        "  operator 1 CUSTOM own\\n: (2 3) -> (4) custom_options=0x0001020304050607...\n"
        "  tensor 0 x\\x1b[2J: int8 1x4, scale 0.100000001 zero point -3\n"
        "  tensor 1 weights: int8 2x4, scale 0.100000001 and 1 more zero point 0 and 1 more,"
        " along 0, constant 8 B\n"
        "  tensor 2 out_0: int8 1x2, scale 1 zero point 0\n"
        "  tensor 3 state: float32 scalar, variable\n"
        "  tensor 4: float32 1x2\n"
    )


def test_an_option_with_several_numbers() -> None:
    b = ModelBuilder()
    b.operator("RESHAPE", (b.input((4,)),), (2, 2), new_shape=(2, 2))
    b.operator("RESHAPE", (1,), (4,))
    text = dump(b.finish())
    assert "(0) -> (1) new_shape=2x2\n" in text
    assert "(1) -> (2) new_shape=none\n" in text


def test_names_in_messages() -> None:
    graph = small().finish().graphs[0]
    assert tensor_name(graph.tensors[0]) == "tensor 0 x\\x1b[2J"
    assert tensor_name(graph.tensors[4]) == "tensor 4"
    assert operator_name(graph.operators[1]) == "operator 1 CUSTOM own\\n"
    one = model_of(graph, source="m\n")
    assert within_graph(one, 0) == "m\\n"
    assert within_graph(one, 0, "operator 1") == "m\\n: operator 1"
    several = model_of(graph, graph, source="m")
    assert within_graph(several, 1) == "m: graph 1"
    assert within_graph(several, 1, "operator 1") == "m: graph 1 operator 1"


def test_long_lists_are_cut() -> None:
    lines = [str(i) for i in range(22)]
    assert first_of(lines[:20]) == lines[:20]
    assert first_of(lines) == [*lines[:20], "and 2 more"]
