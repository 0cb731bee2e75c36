"""What is said about models that cannot be compiled as a whole."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mcucomp.errors import UnsupportedModel
from mcucomp.ops import lower
from tests.support.models import ModelBuilder
from tests.support.state_models import branches


def test_inputs_that_nobody_can_give() -> None:
    b = ModelBuilder()
    x = b.constant(np.ones(2, np.int8), [0.5], name="anchors")
    b.inputs += [x, b.tensor((2,), scale=0.5, name="history", is_variable=True)]
    b.operator("ABS", (x,), (2,), scale=0.5)
    with pytest.raises(UnsupportedModel) as caught:
        lower(b.finish())
    assert str(caught.value) == (
        "test.tflite: inputs that are constant or variable cannot be given\n"
        "  tensor 0 anchors\n"
        "  tensor 1 history\n"
        "  fix: take these inputs out of the model; their values are in the file"
    )


def test_inputs_and_outputs_without_elements() -> None:
    b = ModelBuilder()
    x = b.input((2,), scale=0.5)
    nothing = b.constant(np.zeros(0, np.int8), [0.5], name="nothing")
    y = b.operator("ABS", (x,), (2,), scale=0.5)
    with pytest.raises(UnsupportedModel) as caught:
        lower(b.finish([y, nothing]))
    assert str(caught.value) == (
        "test.tflite: inputs and outputs without elements cannot be handed over in C\n"
        "  tensor 1 nothing has shape [0]\n"
        "  fix: take them out of the model's inputs and outputs"
    )


def test_operators_of_further_graphs_are_told_with_their_graph() -> None:
    model = branches()
    graph = model.graphs[3]
    operator = dataclasses.replace(graph.operators[0], kind="WHERE")
    changed = dataclasses.replace(graph, operators=(operator, *graph.operators[1:]))
    graphs = (*model.graphs[:3], changed, model.graphs[4])
    with pytest.raises(UnsupportedModel) as caught:
        lower(dataclasses.replace(model, graphs=graphs))
    assert str(caught.value) == (
        "branches.tflite: graph 3: operator 0 WHERE: this operator is not supported\n"
        "  fix: 'mcucomp ops' lists what can be compiled, with its conditions"
    )
