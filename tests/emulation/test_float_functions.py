"""How far float32 operators are from TFLM's bytes where the C library is another one.

On the host they are equal (tests/oracle). A board's firmware has newlib's functions instead of
glibc's; docs/float-tolerance.json states how far each operator may be off there, in units in the
last place of the reference, and this test measures it on an emulated Cortex-M4.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mcucomp import build_directory, check, pipeline
from mcucomp.ir import DType
from tests.support import tools
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_outputs

F32 = DType.FLOAT32
BOARD = "mps2-an386"
VALUES = 500
STATED: dict[str, int] = json.loads(
    (Path(__file__).parents[2] / "docs" / "float-tolerance.json").read_text("utf-8")
)
POSITIVE = ("LOG", "RSQRT", "SQRT")
SIGNED = (
    "ABS", "COS", "ELU", "EXP", "HARD_SWISH", "L2_NORMALIZATION", "LOGISTIC", "LOG_SOFTMAX",
    "SIN", "SOFTMAX", "TANH",
)  # fmt: skip


def _model() -> ModelBuilder:
    """Each operator on inputs that they share: one of both signs, one above 0."""
    b = ModelBuilder("functions.tflite")
    signed, positive = (b.input((5, VALUES // 5), F32, name=n) for n in ("signed", "positive"))
    for kind in SIGNED:
        options = {"beta": 1.0} if kind == "SOFTMAX" else {}
        b.operator(kind, (signed,), (5, VALUES // 5), F32, **options)
    for kind in POSITIVE:
        b.operator(kind, (positive,), (5, VALUES // 5), F32)
    return b


def _ulps(ours: np.ndarray, theirs: np.ndarray) -> int:
    """The largest distance, in steps between float32 numbers."""
    a, b = (x.view(np.int32).astype(np.int64) for x in (ours, theirs))
    ordered = [np.where(x < 0, -(2**31) - x, x) for x in (a, b)]
    return int(np.abs(ordered[0] - ordered[1]).max())


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    folder = tmp_path_factory.mktemp("functions")
    data = _model().bytes()
    (folder / "functions.tflite").write_bytes(data)
    pipeline.build(folder / "functions.tflite", BOARD, folder / "out", pipeline.Options())
    draw = np.random.default_rng(0)
    spread = np.geomspace(0.01, 10, VALUES).reshape(5, -1)
    signed = (draw.normal(0, 1, spread.shape) * spread).astype(np.float32)
    positive = (draw.uniform(0.001, 1, spread.shape) * spread**2).astype(np.float32)
    kinds = (*SIGNED, *POSITIVE)
    expected = tflm_outputs(data, [signed, positive], len(kinds))
    build = build_directory.load(folder / "out")
    with check.session(build, emulator="qemu") as session:
        run = session.infer([signed.tobytes(), positive.tobytes()])
    got = [np.frombuffer(raw, np.float32) for raw in run.outputs]
    return {k: _ulps(a, b.ravel()) for k, a, b in zip(kinds, got, expected, strict=True)}


@pytest.mark.parametrize("kind", [*SIGNED, *POSITIVE])
def test_what_is_stated_holds(kind: str, measured: dict[str, int]) -> None:
    assert measured[kind] <= STATED[kind]


def test_functions_do_differ(measured: dict[str, int]) -> None:
    """Else the libraries are the same, and this measures nothing."""
    assert max(measured.values()) > 0
