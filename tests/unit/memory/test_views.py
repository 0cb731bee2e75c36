"""Which tensors share bytes, and which must not."""

from __future__ import annotations

from typing import Any

import numpy as np

from mcucomp.ir import Graph
from mcucomp.memory import MemoryModel, memory_model, uses_of
from mcucomp.rules import Rules
from tests.support.models import ModelBuilder

Q: dict[str, Any] = {"scale": 0.1}


def modelled(b: ModelBuilder, outputs: tuple[int, ...] | None = None) -> tuple[Graph, MemoryModel]:
    model = b.finish(outputs)
    return model.graphs[0], memory_model(
        model.graphs[0], uses_of(model), 4, rules=Rules(views=True)
    )


def kinds(model: MemoryModel) -> list[str]:
    return [step.kind for step in model.step_graph.steps]


def place(model: MemoryModel, tensor: int) -> tuple[int, int]:
    return model.buffer_of_tensor[tensor], model.place_in_buffer[tensor]


def add(b: ModelBuilder, *inputs: int, shape: tuple[int, ...]) -> int:
    return b.operator("ADD", inputs, shape, **Q)


def reshape(b: ModelBuilder, x: int, shape: tuple[int, ...]) -> int:
    return b.operator("RESHAPE", (x, b.constant(np.array(shape, np.int32))), shape, **Q)


def joined(b: ModelBuilder, *inputs: int, shape: tuple[int, ...], axis: int = 0) -> int:
    return b.operator("CONCATENATION", inputs, shape, **Q, axis=axis)


def test_a_reshape_is_no_step_and_both_shapes_have_one_place() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    y = add(b, x, x, shape=(2, 6))
    z = reshape(b, y, (12,))
    add(b, z, z, shape=(12,))
    _, model = modelled(b)
    assert kinds(model) == ["ADD", "ADD"]
    assert model.operators == (0, 2)
    assert place(model, y) == place(model, z)


def test_an_input_that_is_also_an_output_under_another_shape() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    y = reshape(b, x, (12,))
    _, model = modelled(b)
    assert model.step_graph.steps == ()
    assert place(model, x) == place(model, y) == (0, 0)
    (buffer,) = model.step_graph.buffers
    assert buffer.held


def test_without_the_rule_a_reshape_copies() -> None:
    b = ModelBuilder()
    reshape(b, b.input((2, 6), **Q), (12,))
    model = b.finish()
    assert kinds(memory_model(model.graphs[0], uses_of(model), 4)) == ["RESHAPE"]


def test_parts_of_a_concatenation_are_written_in_place() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    parts = [add(b, x, x, shape=(2, 6)) for _ in range(3)]
    whole = joined(b, *parts, shape=(6, 6))
    add(b, whole, whole, shape=(6, 6))
    _, model = modelled(b)
    assert kinds(model) == ["ADD"] * 4
    buffer, start = place(model, whole)
    assert start == 0
    assert [place(model, p) for p in parts] == [(buffer, 0), (buffer, 12), (buffer, 24)]
    assert model.step_graph.buffers[buffer].size_bytes == 36
    # The last step reads what the others write, which no buffer-wide rule says any more.
    assert set(model.step_graph.precedence) == {(0, 3), (1, 3), (2, 3)}


def test_a_part_may_be_read_before_its_neighbour_is_written() -> None:
    b = ModelBuilder()
    x = b.input((2, 6), **Q)
    first = add(b, x, x, shape=(2, 6))
    between = add(b, first, x, shape=(2, 6))
    second = add(b, between, x, shape=(2, 6))
    joined(b, first, second, shape=(4, 6))
    _, model = modelled(b)
    assert kinds(model) == ["ADD"] * 3
    assert model.step_graph.precedence == ((0, 1),)


def test_along_an_inner_dimension_a_concatenation_copies() -> None:
    b = ModelBuilder()
    x = b.input((2, 4), **Q)
    y = add(b, x, x, shape=(2, 4))
    joined(b, x, y, shape=(2, 8), axis=1)
    assert kinds(modelled(b)[1]) == ["ADD", "CONCATENATION"]


def test_a_tensor_has_one_place_alone() -> None:
    b = ModelBuilder()
    x = b.input((2, 4), **Q)
    y, z = (add(b, x, x, shape=(2, 4)) for _ in range(2))
    first = joined(b, x, y, shape=(4, 4))
    second = joined(b, x, z, shape=(4, 4))
    twice = joined(b, y, y, shape=(4, 4))
    _, model = modelled(b, (first, second, twice))
    assert kinds(model) == ["ADD", "ADD", "CONCATENATION", "CONCATENATION"]
    assert place(model, first) == place(model, x)


def test_constants_and_parts_between_the_multiples_of_the_alignment_are_copied() -> None:
    b = ModelBuilder()
    x = b.input((2, 4), **Q)
    joined(b, x, b.constant(np.zeros((2, 4), np.int8), [0.1]), shape=(4, 4))
    assert kinds(modelled(b)[1]) == ["CONCATENATION"]
    b = ModelBuilder()
    y = b.input((1, 3), **Q)
    joined(b, y, add(b, y, y, shape=(1, 3)), shape=(2, 3))
    assert kinds(modelled(b)[1]) == ["ADD", "CONCATENATION"]


def test_parts_of_a_split_stay_where_they_are() -> None:
    b = ModelBuilder()
    x = b.input((4, 4), **Q)
    y = add(b, x, x, shape=(4, 4))
    low, high = (b.tensor((2, 4), scale=0.1) for _ in range(2))
    axis = b.constant(np.array(0, np.int32))
    b.operator_into("SPLIT", (axis, y), (low, high), num_splits=2)
    add(b, low, high, shape=(2, 4))
    _, model = modelled(b)
    assert kinds(model) == ["ADD", "ADD"]
    buffer, _ = place(model, y)
    assert place(model, low) == (buffer, 0)
    assert place(model, high) == (buffer, 8)
