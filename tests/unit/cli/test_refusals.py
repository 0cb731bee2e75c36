"""What cannot be compiled is refused in one message: all that stands in the way, and what to do."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from mcucomp import cli, tflite
from mcucomp.errors import UnsupportedModel
from mcucomp.ir import DType
from mcucomp.ops import verify
from tests.support.files import file_of
from tests.support.models import ModelBuilder, model_of

STRINGS = "keep strings and variants out of the part of the model that runs on the device"
CUSTOM = "define each custom operator with --custom FILE"
KNOWN = "'mcucomp ops' lists what can be compiled, with its conditions"


def refused(data: bytes, folder: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of the message; nothing is written beside the model."""
    path = folder / "m.tflite"
    path.write_bytes(data)
    status = cli.run(["build", str(path), "--board", "host", "-o", str(folder / "out")])
    said = capfd.readouterr()
    assert (status, said.out) == (2, "")
    assert [p.name for p in folder.iterdir()] == ["m.tflite"]
    return said.err.rstrip("\n").split("\n")


def unknown_customs(b: ModelBuilder, x: int, *names: str) -> None:
    """A chain of custom operators behind tensor `x`."""
    for name in names:
        y = b.tensor((1, 4), scale=0.5)
        b.operator_into("CUSTOM", (x,), (y,), custom_code=name)
        x = y


def test_custom_operators_without_a_definition_are_all_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    b = ModelBuilder()
    unknown_customs(b, b.input((1, 4), scale=0.5), "Own", "Other", "Own")
    assert refused(b.bytes(), tmp_path, capfd) == [
        "m.tflite: 3 operators cannot be compiled",
        "  operators 0, 2 CUSTOM Own: this operator is not supported",
        "  operator 1 CUSTOM Other: this operator is not supported",
        f"  fix: {CUSTOM}",
    ]


def test_names_of_custom_operators_cannot_steer_a_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    b = ModelBuilder()
    unknown_customs(b, b.input((1, 4), scale=0.5), "\x1b[2J\nOwn")
    assert refused(b.bytes(), tmp_path, capfd)[0] == (
        "m.tflite: operator 0 CUSTOM \\x1b[2J\\nOwn: this operator is not supported"
    )


def test_strings_shapes_and_operators_are_told_together(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    b = ModelBuilder()
    text = b.input((1,), DType.STRING, name="text")
    open_shape = b.tensor((-1, 4), scale=0.5, name="words")
    b.operator_into("CUSTOM", (text,), (open_shape,), custom_code="Split")
    b.operator("WHERE", (open_shape,), (1, 4), scale=0.5)
    assert refused(b.bytes(), tmp_path, capfd) == [
        "m.tflite: tensors have types that cannot be compiled; tensors have dynamic shapes;"
        " operators are not supported",
        "  tensor 0 text is string",
        "  tensor 1 words has shape [-1, 4]",
        "  operator 0 CUSTOM Split: this operator is not supported",
        "  operator 1 WHERE: this operator is not supported",
        f"  fix: {STRINGS}; convert the model with a fixed batch size and input shape;"
        f" {CUSTOM}; {KNOWN}",
    ]


def test_sparse_weights_are_all_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    for width in (4, 4):
        weights = b.constant(np.ones((width, 4), np.int8), (0.1,))
        x = b.operator("FULLY_CONNECTED", (x, weights, -1), (1, width), scale=0.5)
    values = tflite.unpack(b.bytes(), "m")
    for index in (1, 3):
        values["subgraphs"][0]["tensors"][index]["sparsity"] = {"traversal_order": [0]}
    assert refused(file_of(values), tmp_path, capfd) == [
        "m.tflite: tensors are sparse",
        "  tensor 1 tensor_1 has sparsity parameters",
        "  tensor 3 tensor_3 has sparsity parameters",
        "  fix: convert the model without sparsity, or densify its weights",
    ]


def test_hybrid_layers_are_told_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    b = ModelBuilder()
    x = b.input((1, 4), DType.FLOAT32)
    for _ in range(3):
        weights = b.constant(np.ones((4, 4), np.int8), (0.1,))
        x = b.operator("FULLY_CONNECTED", (x, weights, -1), (1, 4), DType.FLOAT32)
    count, layers, fix = refused(b.bytes(), tmp_path, capfd)
    assert count == "m.tflite: 3 operators cannot be compiled"
    assert layers.startswith("  operators 0, 1, 2 FULLY_CONNECTED: ")
    assert layers.endswith("; found float32, int8 and float32")
    assert fix == (
        "  fix: weights are int8 and activations float32 (dynamic-range quantization): convert"
        " with full-integer quantization, or without any"
    )


@pytest.mark.parametrize("dtype", [DType.FLOAT16, DType.FLOAT64, DType.COMPLEX64])
def test_inputs_of_types_that_c_has_not(
    dtype: DType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Even where no operator reads them."""
    b = ModelBuilder()
    b.input((1, 4), dtype, name="unread")
    b.operator("RELU", (b.input((1, 4), scale=0.5),), (1, 4), scale=0.5)
    assert refused(b.bytes(), tmp_path, capfd) == [
        "m.tflite: inputs and outputs have types that cannot be handed over in C",
        f"  tensor 0 unread is {dtype.value}",
        "  fix: convert the model with inputs and outputs of integers or float32",
    ]


def test_in_several_graphs_each_line_says_which() -> None:
    first, second = ModelBuilder(), ModelBuilder()
    first.operator("RELU", (first.input((1, -1), scale=0.5),), (1, 4), scale=0.5)
    second.operator("RELU", (second.input((1,), DType.STRING),), (1, 4), scale=0.5)
    graphs = [b.finish().graphs[0] for b in (first, second)]
    with pytest.raises(UnsupportedModel) as caught:
        verify(model_of(*graphs, source="m.tflite"))
    assert caught.value.details == (
        "graph 0: tensor 0 tensor_0 has shape [1, -1]",
        "graph 1: tensor 0 tensor_0 is string",
    )


def test_what_nothing_refers_to_may_be_anything() -> None:
    b = ModelBuilder()
    b.operator("RELU", (b.input((1, 4), scale=0.5),), (1, 4), scale=0.5)
    b.tensor((-1,), DType.STRING)
    model = b.finish()
    spare = dataclasses.replace(model.graphs[0].tensors[-1], is_sparse=True)
    graph = dataclasses.replace(model.graphs[0], tensors=(*model.graphs[0].tensors[:-1], spare))
    verify(dataclasses.replace(model, graphs=(graph,)))  # raises nothing: that is the claim
