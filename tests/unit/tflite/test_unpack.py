"""All that a file holds, unpacked and packed again."""

from __future__ import annotations

import flatbuffers
import numpy as np
import pytest
import tflite as schema

from mcucomp.errors import InvalidModel, UnsupportedModel
from mcucomp.tflite import read, repack, unpack
from tests.support.files import file_of, minimal_values


def test_what_the_reader_ignores_survives() -> None:
    values = minimal_values()
    values["signature_defs"] = [
        {
            "signature_key": "serving",
            "inputs": [{"name": "a", "tensor_index": 0}],
            "outputs": [{"name": "b", "tensor_index": 1}],
            "subgraph_index": 0,
        }
    ]
    operator = values["subgraphs"][0]["operators"][0]
    operator["mutating_variable_inputs"] = [True]
    operator["intermediates"] = []
    operator["custom_options"] = b"\x01\x02"
    tensor = values["subgraphs"][0]["tensors"][0]
    tensor["shape_signature"] = [-1, 4]
    tensor["has_rank"] = True
    tensor["quantization"] = {"min": [0.5], "max": [1.5], "zero_point": [2**40], "scale": []}
    values["metadata_buffer"] = [0]
    found = unpack(file_of(values), "x.tflite")
    assert found["signature_defs"][0]["signature_key"] == b"serving"
    assert found["signature_defs"][0]["outputs"] == [{"name": b"b", "tensor_index": 1}]
    (got,) = found["subgraphs"][0]["operators"]
    assert got["mutating_variable_inputs"].tolist() == [True]
    assert got["intermediates"].tolist() == []
    assert got["custom_options"] == b"\x01\x02"
    got_tensor = found["subgraphs"][0]["tensors"][0]
    assert got_tensor["shape_signature"].tolist() == [-1, 4]
    assert got_tensor["has_rank"] is True
    assert got_tensor["quantization"]["zero_point"].tolist() == [2**40]
    assert got_tensor["quantization"]["scale"].dtype == np.float32
    assert repack(unpack(repack(found), "x.tflite")) == repack(found)


def test_absent_and_empty_stay_apart_and_defaults_stay_stated() -> None:
    values = minimal_values()
    values["subgraphs"][0]["name"] = ""
    del values["subgraphs"][0]["outputs"]
    once = unpack(repack(values), "x.tflite")
    assert once["subgraphs"][0]["name"] == b""
    assert "outputs" not in once["subgraphs"][0]
    assert once["subgraphs"][0]["operators"][0]["opcode_index"] == 0


def test_names_that_are_no_text_survive() -> None:
    values = minimal_values()
    values["subgraphs"][0]["tensors"][0]["name"] = b"\xff\xfe"
    found = unpack(file_of(values), "x.tflite")
    assert found["subgraphs"][0]["tensors"][0]["name"] == b"\xff\xfe"


def test_a_field_that_the_schema_lacks_is_refused() -> None:
    builder = flatbuffers.Builder(64)
    builder.StartObject(12)
    builder.PrependUint32Slot(0, 3, 0)
    builder.PrependUint32Slot(11, 7, 0)
    builder.Finish(builder.EndObject(), file_identifier=b"TFL3")
    with pytest.raises(UnsupportedModel) as caught:
        unpack(bytes(builder.Output()), "x.tflite")
    assert str(caught.value) == (
        "x.tflite: a table Model has a field number 11; known are 8, so that it would be lost\n"
        "  fix: convert the model with the schema of TensorFlow Lite Micro's time"
    )


def test_what_only_unpacking_touches_is_verified() -> None:
    """The reader passes over signatures; damage in them is found when all is unpacked."""
    values = minimal_values()
    values["signature_defs"] = [{"signature_key": "k" * 40}]
    data = bytearray(file_of(values))
    at = data.index(b"k" * 40) - 4
    data[at : at + 4] = (2**31).to_bytes(4, "little")
    read(bytes(data), "x.tflite")
    with pytest.raises(InvalidModel, match="cut short or damaged: signature_key of the table"):
        unpack(bytes(data), "x.tflite")


def test_constants_start_at_multiples_of_16() -> None:
    values = minimal_values()
    values["buffers"] = [{}, *({"data": bytes(range(1, n))} for n in range(2, 40))]
    file = schema.Model.GetRootAs(repack(values), 0)
    for index in range(1, file.BuffersLength()):
        at = file.Buffers(index)._tab
        assert at.Vector(at.Offset(4)) % 16 == 0
