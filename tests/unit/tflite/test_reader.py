"""What the reader makes of files, and what it says of those that it refuses."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mcucomp.errors import InvalidInput, InvalidModel, McucompError, UnsupportedModel
from mcucomp.ir import DType, Quantization
from mcucomp.ir.verify import verify as verify_model
from mcucomp.tflite import load, read
from tests.support.files import RELU, file_of, minimal_values
from tests.support.models import residual_network
from tests.support.shared import shared_models

AGAIN = "  fix: download or convert the file again"


def refused(values: dict[str, Any], error: type[McucompError] = InvalidModel) -> str:
    """The whole message with which a file of these tables is refused."""
    with pytest.raises(error) as caught:
        read(file_of(values), "m.tflite")
    assert type(caught.value) is error
    return str(caught.value)


def lines(*parts: str) -> str:
    return "\n".join(parts)


def graph_of(values: dict[str, Any]) -> dict[str, Any]:
    graph: dict[str, Any] = values["subgraphs"][0]
    return graph


def test_reads_what_the_file_says() -> None:
    network = residual_network()
    model = network.finish()
    found = read(network.bytes(), model.source)
    assert found == model
    conv = found.graphs[0].operators[1]
    assert conv.kind == "CONV_2D"
    assert conv.options["padding"] == "SAME"
    assert conv.options["fused_activation_function"] == "RELU"
    assert conv.options["dilation_w_factor"] == 1


def test_other_schema_version() -> None:
    assert refused({**minimal_values(), "version": 2}) == lines(
        "m.tflite: the file has schema version 2; only 3 is known",
        "  fix: convert the model again with a current TensorFlow",
    )


@pytest.mark.parametrize("subgraphs", [{"subgraphs": []}, {}])
def test_no_graph(subgraphs: dict[str, Any]) -> None:
    values = minimal_values()
    del values["subgraphs"]
    assert refused({**values, **subgraphs}) == lines("m.tflite: the file holds no graph", AGAIN)


def test_tensors_that_do_not_exist_are_all_named() -> None:
    values = minimal_values()
    graph_of(values).update(
        inputs=[0, -1],
        outputs=[7],
        operators=[
            {"opcode_index": 0, "inputs": [-1, 0], "outputs": [1]},
            {"opcode_index": 0, "inputs": [-2], "outputs": [2]},
        ],
    )
    assert refused(values) == lines(
        "m.tflite: refers to tensors that it does not have; it has 2",
        "  the graph's inputs have tensor -1",
        "  the graph's outputs have tensor 7",
        "  operator 1 RELU reads tensor -2",
        "  operator 1 RELU writes tensor 2",
        AGAIN,
    )


def test_many_violations_are_cut() -> None:
    values = minimal_values()
    graph_of(values)["operators"] = [{"opcode_index": 0, "inputs": [9] * 25, "outputs": [1]}]
    message = refused(values).split("\n")
    assert len(message) == 23
    assert message[-2] == "  and 5 more"


def test_buffer_that_does_not_exist() -> None:
    values = minimal_values()
    graph_of(values)["tensors"][1]["buffer"] = 3
    assert refused(values) == lines(
        "m.tflite: tensor 1 y: refers to buffer 3; the file has 1 buffers", AGAIN
    )


def test_metadata_buffer_that_does_not_exist() -> None:
    values = {**minimal_values(), "metadata": [{"name": "plan", "buffer": 9}]}
    assert refused(values) == lines(
        "m.tflite: metadata plan: refers to buffer 9; the file has 1 buffers", AGAIN
    )


def test_operator_code_that_does_not_exist() -> None:
    values = minimal_values()
    graph_of(values)["operators"][0]["opcode_index"] = 1
    assert refused(values) == lines(
        "m.tflite: operator 0: refers to operator code 1; the file has 1", AGAIN
    )


def test_operator_newer_than_the_schema() -> None:
    values = {**minimal_values(), "operator_codes": [{"builtin_code": 999}]}
    assert refused(values, UnsupportedModel) == lines(
        "m.tflite: operator 0: its operator code is 999; known are 0 to 208",
        "  fix: convert it with operators and types that TensorFlow Lite Micro has",
    )


def test_negative_operator_code() -> None:
    codes = [{"builtin_code": -5, "deprecated_builtin_code": -1}]
    assert refused({**minimal_values(), "operator_codes": codes}) == lines(
        "m.tflite: operator 0: its operator code is -1", AGAIN
    )


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [(RELU, 0, "RELU"), (0, RELU, "RELU"), (RELU, RELU, "RELU"), (127, 145, "BROADCAST_ARGS")],
)
def test_the_greater_code_counts(old: int, new: int, kind: str) -> None:
    codes = [{"deprecated_builtin_code": old, "builtin_code": new}]
    model = read(file_of({**minimal_values(), "operator_codes": codes}), "m")
    assert model.graphs[0].operators[0].kind == kind


def test_element_type_newer_than_the_schema() -> None:
    values = minimal_values()
    graph_of(values)["tensors"][0]["type"] = 20
    assert refused(values, UnsupportedModel) == lines(
        "m.tflite: tensor 0 x: its element type has number 20; known are 0 to 19",
        "  fix: convert it with operators and types that TensorFlow Lite Micro has",
    )


def test_number_that_an_enumeration_does_not_have() -> None:
    values = minimal_values()
    values["operator_codes"] = [{"deprecated_builtin_code": 1, "builtin_code": 1}]
    graph_of(values)["operators"][0]["builtin_options"] = ("Pool2DOptions", {"padding": 5})
    assert refused(values) == lines(
        "m.tflite: operator 0 AVERAGE_POOL_2D: padding is 5; known are SAME, VALID", AGAIN
    )


def constant_of(data: bytes, **tensor: Any) -> dict[str, Any]:
    """A file whose RELU reads a constant instead of an input."""
    values = minimal_values()
    values["buffers"] = [{}, {"data": data}]
    graph_of(values)["tensors"][0].update(buffer=1, **tensor)
    graph_of(values)["inputs"] = []
    return values


@pytest.mark.parametrize("size", [3, 5])
def test_constant_of_another_size_than_its_shape(size: int) -> None:
    assert refused(constant_of(bytes(size))) == lines(
        f"m.tflite: tensor 0 x: its constant has {size} bytes; its shape [1, 4] of int8 needs 4",
        AGAIN,
    )


@pytest.mark.parametrize(
    ("type_number", "shape", "size"), [(17, [3, 3], 5), (17, [4], 2), (19, [5], 2), (2, [2], 8)]
)
def test_constants_smaller_than_a_byte_are_packed(
    type_number: int, shape: list[int], size: int
) -> None:
    values = constant_of(bytes(size), type=type_number, shape=shape)
    assert read(file_of(values), "m").graphs[0].tensors[0].data == bytes(size)
    with pytest.raises(InvalidModel):
        read(file_of(constant_of(bytes(size + 1), type=type_number, shape=shape)), "m")


def test_a_leftover_constant_of_any_size_is_let_be() -> None:
    values = constant_of(bytes(3))
    graph_of(values).update(operators=[], outputs=[])
    assert read(file_of(values), "m").graphs[0].tensors[0].data == bytes(3)


def test_tensor_without_shape_is_a_scalar() -> None:
    values = constant_of(b"\x07")
    del graph_of(values)["tensors"][0]["shape"]
    tensor = read(file_of(values), "m").graphs[0].tensors[0]
    assert (tensor.shape, tensor.elements, tensor.data) == ((), 1, b"\x07")


def test_constant_without_elements() -> None:
    values = minimal_values()
    graph_of(values)["inputs"] = []
    graph_of(values)["tensors"][0]["shape"] = [0]
    assert read(file_of(values), "m").graphs[0].tensors[0].data == b""


def test_sparse_weights() -> None:
    """Blocks and indices are no elements: nothing is asked of their number, and all are known."""
    values = constant_of(bytes(3), sparsity={"traversal_order": [0]})
    sparse = read(file_of(values), "m").graphs[0].tensors[0]
    assert (sparse.is_sparse, sparse.data) == (True, bytes(3))
    assert not read(file_of(constant_of(bytes(4))), "m").graphs[0].tensors[0].is_sparse


def test_constant_outside_of_the_flatbuffer() -> None:
    values = constant_of(b"")
    values["buffers"][1] = {"offset": 4096, "size": 4}
    assert refused(values) == lines(
        "m.tflite: tensor 0 x: its data lies outside of the flatbuffer (4 B at byte 4096 of the"
        " file)",
        "  fix: convert the model with its constants in the flatbuffer",
    )


def test_custom_options_outside_of_the_flatbuffer() -> None:
    values = minimal_values()
    values["operator_codes"] = [
        {"deprecated_builtin_code": 32, "builtin_code": 32, "custom_code": "own"}
    ]
    graph_of(values)["operators"][0]["large_custom_options_offset"] = 4096
    assert refused(values) == lines(
        "m.tflite: operator 0 CUSTOM: its options lie outside of the flatbuffer",
        "  fix: convert the model with its constants in the flatbuffer",
    )


def test_shape_of_absurd_rank() -> None:
    values = minimal_values()
    graph_of(values)["tensors"][0]["shape"] = [2] * 33
    assert refused(values, UnsupportedModel) == lines(
        "m.tflite: tensor 0 x: it has 33 dimensions; at most 32 are read",
        "  fix: convert it with operators and types that TensorFlow Lite Micro has",
    )


def test_the_graph_is_named_where_there_are_several() -> None:
    values = minimal_values()
    values["subgraphs"].append(minimal_values()["subgraphs"][0])
    values["subgraphs"][1]["inputs"] = [5]
    assert refused(values) == lines(
        "m.tflite: graph 1: refers to tensors that it does not have; it has 2",
        "  the graph's inputs have tensor 5",
        AGAIN,
    )


def test_names_cannot_steer_a_terminal() -> None:
    values = minimal_values()
    graph_of(values)["tensors"][1].update(buffer=3, name="a\x1b[31m\nb")
    assert refused(values).split("\n")[0] == (
        "m.tflite: tensor 1 a\\x1b[31m\\nb: refers to buffer 3; the file has 1 buffers"
    )


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ({}, None),
        ({"scale": [0.1]}, None),
        ({"zero_point": [3]}, None),
        ({"scale": [], "zero_point": []}, None),
        (
            {"scale": [0.1], "zero_point": [-3], "quantized_dimension": 2},
            Quantization((float(np.float32(0.1)),), (-3,), 2),
        ),
    ],
)
def test_quantization(stored: dict[str, Any], expected: Quantization | None) -> None:
    values = minimal_values()
    graph_of(values)["tensors"][0]["quantization"] = stored
    assert read(file_of(values), "m").graphs[0].tensors[0].quantization == expected


def test_options_of_another_kind_count_as_absent() -> None:
    values = minimal_values()
    values["operator_codes"] = [{}]
    graph_of(values)["operators"][0]["builtin_options"] = ("HardSwishOptions", {})
    options = read(file_of(values), "m").graphs[0].operators[0].options
    assert options == {"fused_activation_function": "NONE", "pot_scale_int16": True}


def test_variable_and_types_in_options() -> None:
    values = minimal_values()
    graph_of(values)["tensors"][0]["is_variable"] = True
    values["operator_codes"] = [{"deprecated_builtin_code": 53, "builtin_code": 53}]
    cast = ("CastOptions", {"in_data_type": 9, "out_data_type": 2})
    graph_of(values)["operators"][0]["builtin_options"] = cast
    graph = read(file_of(values), "m").graphs[0]
    assert graph.tensors[0].is_variable
    assert graph.operators[0].options == {"in_data_type": "int8", "out_data_type": "int32"}


def test_load_names_the_file_by_its_base_name(tmp_path: Path) -> None:
    path = tmp_path / "small.tflite"
    path.write_bytes(residual_network().bytes())
    assert load(path) == dataclasses.replace(residual_network().finish(), source="small.tflite")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("absent.tflite", "no such file or directory"), ("folder", "is a directory")],
)
def test_load_without_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidInput) as caught:
        load(name)
    assert str(caught.value) == lines(
        f"{name}: cannot be read: {reason}",
        "  fix: give the path of a .tflite file that you may read",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="skipped: root may read every file")
def test_load_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(b"")
    path.chmod(0)
    with pytest.raises(InvalidInput, match="cannot be read: permission denied"):
        load(path)


def test_load_with_a_name_that_no_file_has() -> None:
    with pytest.raises(InvalidInput) as caught:
        load("a\0b")
    assert str(caught.value) == lines(
        "a\\x00b: is no path that a file can have",
        "  fix: give the path of a .tflite file that you may read",
    )


def test_load_of_a_device() -> None:
    with pytest.raises(InvalidInput) as caught:
        load("/dev/zero")
    assert str(caught.value) == lines(
        "/dev/zero: is a device, not a file",
        "  fix: give the path of a .tflite file that you may read",
    )


def test_load_of_a_file_beyond_all_offsets(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    with path.open("wb") as file:
        file.truncate(2**31)  # takes no room on the disk
    with pytest.raises(InvalidInput) as caught:
        load(path)
    assert caught.value.what == "has 2147483648 B; offsets in a TFLite file reach 2147483647 B"


def test_load_of_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(b"")
    with pytest.raises(InvalidModel) as caught:
        load(path)
    assert str(caught.value) == lines("m.tflite: the file is empty", AGAIN)


# What of the shared models is refused before any operator is looked at.
REFUSED = {
    "odd-custom-ops-string.tflite": lines(
        "odd-custom-ops-string.tflite: tensors have types that cannot be compiled",
        "  tensor 0 INPUT is string",
        "  tensor 3 LABELS is string",
        "  fix: keep strings and variants out of the part of the model that runs on the device",
    ),
    "odd-string-input.tflite": lines(
        "odd-string-input.tflite: tensors have types that cannot be compiled",
        "  tensor 0 Identity is string",
        "  tensor 2 input_52 is string",
        "  fix: keep strings and variants out of the part of the model that runs on the device",
    ),
}


def test_shared_models_are_read() -> None:
    refusals = {}
    for path in shared_models():
        try:
            verify_model(load(path))
        except McucompError as error:
            refusals[path.name] = str(error)
    assert refusals == REFUSED


def test_types_are_numbered_as_in_the_schema() -> None:
    import tflite

    numbers = {k.lower(): v for k, v in vars(tflite.TensorType).items() if isinstance(v, int)}
    assert {d.value: i for i, d in enumerate(DType) if d.value in numbers} == numbers
