"""Files that the writer makes: their form, and that TensorFlow Lite Micro runs them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import tflite

from mcucomp.tflite import read, write
from tests.support.models import ModelBuilder, residual_network
from tests.support.shared import shared_model


def accessors(data: bytes) -> tflite.Model:
    return tflite.Model.GetRootAs(data, 0)


def test_the_same_model_gives_the_same_bytes() -> None:
    assert residual_network().bytes() == residual_network().bytes()


def test_head_of_the_file() -> None:
    data = residual_network().bytes()
    assert data[4:8] == b"TFL3"
    assert accessors(data).Version() == 3


def test_constants_are_aligned_and_buffer_0_is_empty() -> None:
    file = accessors(residual_network().bytes())
    assert file.Buffers(0).DataLength() == 0
    constants = [file.Buffers(i) for i in range(1, file.BuffersLength())]
    assert len(constants) == 7
    assert all(c.DataLength() > 0 for c in constants)
    assert [c._tab.Vector(c._tab.Offset(4)) % 16 for c in constants] == [0] * 7


def test_equal_constants_share_a_buffer() -> None:
    b = ModelBuilder()
    x = b.input((1, 2))
    same = [b.constant(np.array([[1, 2]], np.int8)) for _ in range(2)]
    b.operator("CONCATENATION", (x, *same), (3, 2), axis=0)
    data = b.bytes()
    assert accessors(data).BuffersLength() == 2
    assert read(data, b.source) == b.finish()


@pytest.mark.parametrize(
    ("kind", "old", "new"), [("RELU", 19, 19), ("DELEGATE", 51, 51), ("BROADCAST_ARGS", 127, 145)]
)
def test_operator_codes_stand_in_both_fields(kind: str, old: int, new: int) -> None:
    b = ModelBuilder()
    b.operator(kind, (b.input((2,)),), (2,))
    code = accessors(b.bytes()).OperatorCodes(0)
    assert code.DeprecatedBuiltinCode() == old
    assert code.BuiltinCode() == new


def test_one_operator_code_for_each_kind_name_and_version() -> None:
    b = ModelBuilder()
    x = b.input((2,))
    for version, name in ((1, "a"), (1, "b"), (2, "a"), (1, "a")):
        y = b.tensor((2,))
        b.operator_into("CUSTOM", (x,), (y,), version=version, custom_code=name)
        x = y
    file = accessors(b.bytes())
    codes = [file.OperatorCodes(i) for i in range(file.OperatorCodesLength())]
    assert [(c.CustomCode(), c.Version()) for c in codes] == [(b"a", 1), (b"b", 1), (b"a", 2)]


def test_options_of_the_second_union() -> None:
    b = ModelBuilder()
    shape = b.constant(np.array([2], np.int32))
    b.operator("STABLEHLO_IOTA", (shape,), (2,), iota_dimension=5)
    data = b.bytes()
    operator = accessors(data).Subgraphs(0).Operators(0)
    assert operator.BuiltinOptions2Type() == tflite.BuiltinOptions2.StablehloIotaOptions
    assert read(data, b.source).graphs[0].operators[0].options == {"iota_dimension": 5}


def test_a_kind_that_the_schema_does_not_have() -> None:
    model = residual_network().finish()
    graph = model.graphs[0]
    wrong = dataclasses.replace(graph.operators[0], kind="CONV_9D")
    graph = dataclasses.replace(graph, operators=(wrong,))
    with pytest.raises(ValueError, match=r"^CONV_9D is no builtin operator$"):
        write(dataclasses.replace(model, graphs=(graph,)))


def test_tensorflow_lite_micro_computes_what_was_written() -> None:
    runtime = pytest.importorskip(
        "tflite_micro.python.tflite_micro.runtime", reason="skipped: no tflite-micro"
    )
    b = ModelBuilder()
    x = b.input((1, 2, 2, 1), scale=0.5, zero_point=-1)
    filters = b.constant(np.array([[[[2]]], [[[-3]]]], np.int8), (0.5, 1.0))
    bias = b.constant(np.array([4, 8], np.int32), (0.25, 0.5))
    b.operator(
        "CONV_2D", (x, filters, bias), (1, 2, 2, 2), scale=1.0, zero_point=3,
        padding="VALID", stride_w=1, stride_h=1, fused_activation_function="RELU",
    )  # fmt: skip
    interpreter = runtime.Interpreter.from_bytes(b.bytes())
    stored = np.array([1, 3, -5, 7], np.int8).reshape(1, 2, 2, 1)
    interpreter.set_input(stored, 0)
    interpreter.invoke()
    real = (stored.astype(float) + 1) * 0.5
    expected = np.concatenate([real * 1.0 + 1.0, real * -3.0 + 4.0], axis=-1)
    assert interpreter.get_output(0).tolist() == (np.maximum(expected, 0) + 3).tolist()


def test_tensorflow_lite_micro_runs_the_network_of_the_tests() -> None:
    runtime = pytest.importorskip(
        "tflite_micro.python.tflite_micro.runtime", reason="skipped: no tflite-micro"
    )
    interpreter = runtime.Interpreter.from_bytes(residual_network().bytes())
    outputs = []
    for seed in range(3):
        image = np.random.default_rng(seed).normal(0, 3, (1, 6, 6, 3)).astype(np.float32)
        interpreter.set_input(image, 0)
        interpreter.invoke()
        outputs.append(interpreter.get_output(0))
    assert all(abs(float(o.sum()) - 1) < 0.02 for o in outputs)
    assert not np.array_equal(outputs[0], outputs[2])


@pytest.mark.parametrize(
    "name",
    [
        "mlperf-kws-dscnn-int8",
        "mlperf-sww-streaming-int8",
        "silabs-magic-wand-int8",
        "tflm-hello-world-int8",
        "tflm-mnist-lstm-int8",
        "odd-nested-while",
    ],
)
def test_shared_models_compute_the_same_after_reading_and_writing(name: str) -> None:
    runtime = pytest.importorskip(
        "tflite_micro.python.tflite_micro.runtime", reason="skipped: no tflite-micro"
    )
    original = shared_model(name).read_bytes()
    answers = []
    for data in (original, write(read(original, name))):
        interpreter = runtime.Interpreter.from_bytes(data)
        details = interpreter.get_input_details(0)
        count = int(np.prod(details["shape"]))
        values = np.random.default_rng(1).integers(-128, 128, count).astype(details["dtype"])
        interpreter.set_input(values.reshape(details["shape"]), 0)
        interpreter.invoke()
        answers.append(interpreter.get_output(0))
    assert answers[0].tobytes() == answers[1].tobytes()
