"""What is not known to the analysis may give anything, and stays; it never ends the analysis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mcucomp import explaining, ir, tflite
from mcucomp.ir import DType, Graph, Operator, Tensor
from mcucomp.rewrite import drop_by_values, rewrite
from mcucomp.rules import Rules
from mcucomp.values import Values, analyse
from mcucomp.values.interval import LIMITS
from tests.oracle.cases import Draw
from tests.oracle.test_recurrent import Lstm
from tests.support import state_models
from tests.support.models import ModelBuilder, model_of
from tests.support.shared import shared_model
from tests.unit.values.test_rounding import layer_output, ties

I8, I16, U8 = DType.INT8, DType.INT16, DType.UINT8
NOT_FOLLOWED = (
    "CUSTOM", "IF", "READ_VARIABLE", "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM", "WHILE",
)  # fmt: skip


def is_whole(values: Values, index: int) -> bool:
    """Whether nothing is claimed of a tensor."""
    low, high = values.channels(index)
    lowest, highest = LIMITS[values.graph.tensors[index].dtype]
    return bool((low == lowest).all() and (high == highest).all())


def claims_nothing(values: Values, operator: Operator) -> bool:
    return all(is_whole(values, i) for i in operator.outputs if i in values.tensors)


def with_first(graph: Graph, **changes: object) -> Graph:
    first, *others = graph.operators
    return replace(graph, operators=(replace(first, **changes), *others))  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [I8, I16], ids=lambda d: d.value)
def test_an_activation_that_is_no_clamp_is_left_alone(dtype: DType) -> None:
    lstm = Lstm(Draw(1), dtype)
    lstm.grow()
    graph = lstm.builder.finish().graphs[0]
    assert graph.operators[0].options["fused_activation_function"] == "TANH"
    assert is_whole(analyse(graph), graph.outputs[0])
    assert drop_by_values(graph, 1) == graph


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "OF_A_LATER_VERSION"},
        {"kind": "CUSTOM", "custom_code": "of_a_user"},
        {"options": {}},
        *(
            {"options": {**ties().operators[0].options, "fused_activation_function": name}}
            for name in ("TANH", "SIGN_BIT", "OF_A_LATER_VERSION")
        ),
    ],
    ids=["unknown", "custom", "no options", "TANH", "SIGN_BIT", "unknown activation"],
)
def test_what_cannot_be_compiled_may_give_anything(changes: dict[str, object]) -> None:
    graph = ties().finish().graphs[0]
    made = layer_output(graph)
    assert not is_whole(analyse(graph), made)
    odd = with_first(graph, **changes)
    values = analyse(odd)
    assert is_whole(values, made)
    assert "not followed" in values.tensors[made].why
    narrow = drop_by_values(odd, 1)
    assert narrow.operators[0] == odd.operators[0]
    assert narrow.tensors[made] == odd.tensors[made]


def variable_after(graph: Graph, index: int) -> Graph:
    changed: Tensor = replace(graph.tensors[index], is_variable=True)
    tensors = (*graph.tensors[:index], changed, *graph.tensors[index + 1 :])
    return replace(graph, tensors=tensors)


def test_variables_may_hold_anything_whatever_writes_them_or_they_start_with() -> None:
    graph = ties().finish().graphs[0]
    made = layer_output(graph)
    assert is_whole(analyse(variable_after(graph, made)), made)
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    start = b.constant(np.array([[1, 2, 3, 4]], np.int8), (0.5,))
    b.operator("ADD", (x, start), (1, 4), scale=4.0)
    graph = b.finish().graphs[0]
    assert analyse(graph).constant_channels(start).all()
    assert is_whole(analyse(variable_after(graph, start)), start)


def test_state_and_graphs_that_are_called_are_not_followed() -> None:
    for make in state_models.MODELS.values():
        model = make()
        for before, after in zip(
            model.graphs, rewrite(model, Rules(values=True)).graphs, strict=True
        ):
            values = analyse(before)
            for operator in before.operators:
                if operator.kind in NOT_FOLLOWED:
                    assert claims_nothing(values, operator)
            for index in (*before.inputs, *before.outputs):
                assert after.tensors[index] == before.tensors[index]


def test_a_graph_that_is_called_may_be_given_anything() -> None:
    """The caller gives one value alone; the other graph is analysed as if for itself."""
    called = ties()
    b = ModelBuilder()
    goes = b.input((1,), DType.BOOL)
    fixed = b.constant(np.full((1, 2, 2, 1), -128, np.int8), (0.5,), (-128,))
    result = b.tensor((1, 2, 2, 1), scale=1.0, zero_point=3)
    b.operator_into("IF", (goes, fixed), (result,), then_subgraph_index=1, else_subgraph_index=1)
    model = model_of(b.finish((result,)).graphs[0], called.finish().graphs[0])
    narrow = rewrite(model, Rules(values=True))
    assert narrow.graphs[0] == model.graphs[0]
    assert narrow.graphs[1] == drop_by_values(called.finish().graphs[0])
    assert is_whole(analyse(model.graphs[1]), model.graphs[1].inputs[0])


def test_uint8_is_analysed_as_the_int8_that_it_becomes() -> None:
    b = ModelBuilder()
    x = b.input((1, 4), U8, 0.5, 128)
    w = b.constant(np.full((3, 4), 128, np.uint8), (0.25,), (128,))
    v = b.constant(np.array([0, 8, -8], np.int32), (0.125,))
    made = b.operator("FULLY_CONNECTED", (x, w, v), (1, 3), U8, 1.0, 100)
    model = b.finish()
    assert made not in analyse(model.graphs[0]).tensors  # as it is in the file
    shifted = rewrite(model, Rules()).graphs[0]
    layer = next(o for o in shifted.operators if o.kind == "FULLY_CONNECTED")
    low, high = analyse(shifted).channels(layer.outputs[0])
    assert low.tolist() == high.tolist() == [-28, -27, -29]


@pytest.mark.parametrize(
    "name",
    [
        "mww-okay-nabu-v2-int8", "odd-call-once-mul", "odd-nested-while",
        "tflm-audio-preprocessor-int8", "tflm-keyword-scrambled-int8", "tflm-mnist-lstm-int8",
    ],
)  # fmt: skip
def test_models_with_state_custom_operators_and_control_flow(name: str) -> None:
    model = tflite.load(shared_model(name))
    ir.verify(model)
    found = explaining.without_arena(model)
    for step in found.steps:
        if step.operator.kind in NOT_FOLLOWED:
            assert claims_nothing(found.values[step.graph], step.operator)
