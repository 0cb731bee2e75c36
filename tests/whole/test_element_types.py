"""A model of many element types, from file to answers, under sanitizers on the host."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mcucomp import cli, pipeline
from mcucomp.ir import DType
from tests.support import tools
from tests.support.models import ModelBuilder

_WIDEST = np.array([-(2**63), 2**63 - 1, -1, 2**32], np.int64)
_ODD = np.array([np.inf, -np.inf, 1.5, -0.0], np.float32)


def many_types() -> ModelBuilder:
    """Constants that C writes in special ways, kernels that take arrays of tensors."""
    b = ModelBuilder("types.tflite")
    wide = b.input((4,), DType.INT64, name="wide")
    b.operator("MAXIMUM", (wide, b.constant(_WIDEST)), (4,), DType.INT64)

    real = b.input((4,), DType.FLOAT32, name="real")
    clipped = b.operator("MINIMUM", (real, b.constant(_ODD)), (4,), DType.FLOAT32)
    parts = [b.tensor((2,), DType.FLOAT32) for _ in range(2)]
    b.operator_into("SPLIT", (b.constant(np.array(0, np.int32)), clipped), parts, num_splits=2)
    b.operator("CONCATENATION", (parts[1], parts[0], b.constant(_ODD)), (8,), DType.FLOAT32, axis=0)
    b.operator("LOGISTIC", (clipped,), (4,), DType.FLOAT32)
    less = b.operator("LESS", (real, clipped), (4,), DType.BOOL)
    b.operator("LOGICAL_NOT", (less,), (4,), DType.BOOL)

    image = b.input((1, 3, 3, 2), DType.INT16, 0.01, name="image")
    weights = b.constant(np.arange(-6, 6, dtype=np.int8).reshape(3, 2, 1, 2), [0.01] * 3)
    bias = b.constant(np.array([2**36, -(2**36), 5], np.int64), [1e-4] * 3)
    b.operator(
        "CONV_2D", (image, weights, bias), (1, 2, 3, 3), DType.INT16, 300.0,
        padding="VALID", stride_h=1, stride_w=1,
    )  # fmt: skip
    return b


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tools.require("gcc")
    folder = tmp_path_factory.mktemp("types")
    (folder / "types.tflite").write_bytes(many_types().bytes())
    options = pipeline.Options(sanitize=True)
    pipeline.build(folder / "types.tflite", "host", folder / "out", options)
    return folder / "out"


def test_answers_are_those_of_tflm(types: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("tflite_micro")
    status = cli.run(["check", str(types), "--inputs", "4"])
    said = capfd.readouterr()
    assert status == 0, said.err
    assert "all equal to TensorFlow Lite Micro's" in said.out


def test_inputs_of_64_bits_are_aligned(types: Path) -> None:
    plan = pipeline.plan_model(many_types().bytes(), "types.tflite").plan
    assert plan.alignment == 8
    text = (types / "model.c").read_text()
    assert "int64_t *mcuc_types_input_0(" in text


def test_constants_that_need_names(types: Path) -> None:
    text = (types / "weights.c").read_text()
    assert "INT64_MIN, 9223372036854775807LL, -1LL, 4294967296LL," in text
    assert "INFINITY, -INFINITY, 1.5f, -0.0f," in text
    assert "#include <math.h>" in (types / "weights.h").read_text()
