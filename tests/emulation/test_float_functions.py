"""How far float32 operators are from TFLM's bytes where the C library is another one.

On the host they are equal (tests/oracle). A board's firmware has newlib's functions instead of
glibc's; each operator states how far it may be off there (`OperatorDef.float_ulps`), in units in
the last place of the reference, and this test measures it on an emulated Cortex-M4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from mcucomp import build_directory, check, pipeline
from mcucomp.build_directory import BuildDirectory
from mcucomp.check.tolerance import allowed_ulps, ulps_between
from mcucomp.errors import ToolFailed
from mcucomp.ir import DType
from mcucomp.ops import registered
from mcucomp.report.run_text import check_text
from tests.support import tools
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_outputs

F32 = DType.FLOAT32
BOARD = "mps2-an386"
VALUES = 500
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


KINDS = (*SIGNED, *POSITIVE)


def _inputs() -> list[np.ndarray]:
    draw = np.random.default_rng(0)
    spread = np.geomspace(0.01, 10, VALUES).reshape(5, -1)
    signed = (draw.normal(0, 1, spread.shape) * spread).astype(np.float32)
    positive = (draw.uniform(0.001, 1, spread.shape) * spread**2).astype(np.float32)
    return [signed, positive]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildDirectory:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    folder = tmp_path_factory.mktemp("functions")
    (folder / "functions.tflite").write_bytes(_model().bytes())
    pipeline.build(folder / "functions.tflite", BOARD, folder / "out", pipeline.Options())
    return build_directory.load(folder / "out")


@pytest.fixture(scope="module")
def outputs(built: BuildDirectory) -> tuple[bytes, ...]:
    with check.session(built, emulator="qemu") as session:
        return session.infer([values.tobytes() for values in _inputs()]).outputs


@pytest.fixture(scope="module")
def measured(outputs: tuple[bytes, ...]) -> dict[str, int]:
    expected = tflm_outputs(_model().bytes(), _inputs(), len(KINDS))
    pairs = zip(KINDS, outputs, expected, strict=True)
    return {k: int(ulps_between(a, b.tobytes()).max()) for k, a, b in pairs}


@pytest.mark.parametrize("kind", [*SIGNED, *POSITIVE])
def test_what_is_stated_holds(kind: str, measured: dict[str, int]) -> None:
    assert measured[kind] <= registered()[kind].float_ulps


def test_functions_do_differ(measured: dict[str, int]) -> None:
    """Else the libraries are the same, and this measures nothing."""
    assert max(measured.values()) > 0


def test_a_check_passes_and_says_how_many_are_off(
    built: BuildDirectory, measured: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    with check.session(built, emulator="qemu") as session:
        inputs = [[values.tobytes() for values in _inputs()]]
        verdict = check.compare(built, session, inputs, lambda what, done, total: None)
    assert verdict.ok
    assert verdict.most_ulps == max(measured.values())
    check_text(built, verdict)
    lines = capsys.readouterr().out.splitlines()
    compared = len(KINDS) * VALUES * 4
    assert lines[1] == (
        f"outputs    1 inputs, {compared:,} output bytes: "
        "all but below equal to TensorFlow Lite Micro's"
    )
    assert lines[2] == (
        f"floats     {verdict.near_numbers:,} off by at most {verdict.most_ulps} in the last "
        "place, as another C library's functions may be"
    )


def test_what_is_further_off_differs(built: BuildDirectory, outputs: tuple[bytes, ...]) -> None:
    """ABS calls no function: its result may not be off at all."""
    for kind, step, is_ok in (("EXP", 1, True), ("EXP", 2, False), ("ABS", 1, False)):
        changed = list(outputs)
        place = KINDS.index(kind)
        bits = np.frombuffer(changed[place], np.int32).copy()
        bits[7] += step
        changed[place] = bits.tobytes()
        with check.session(built, emulator="qemu") as session:
            inputs = [[values.tobytes() for values in _inputs()]]
            verdict = check.compare(
                built, session, inputs, lambda what, done, total: None, judge=_Stored(changed)
            )
        assert verdict.ok == is_ok, (kind, step)
        assert verdict.near_numbers == int(is_ok)


def test_what_is_only_seen_in_another_shape_may_be_as_far_off(built: BuildDirectory) -> None:
    b = ModelBuilder()
    x = b.input((1, 4), DType.FLOAT32)
    soft = b.operator("SOFTMAX", (x,), (1, 4), DType.FLOAT32, beta=1.0)
    shaped = b.operator("RESHAPE", (soft,), (4,), DType.FLOAT32, new_shape=(4,))
    sized = b.operator("RESHAPE", (x,), (4,), DType.FLOAT32, new_shape=(4,))
    doubled = b.operator("ADD", (shaped, shaped), (4,), DType.FLOAT32)
    graph = b.finish(outputs=(soft, shaped, sized, doubled)).graphs[0]
    assert allowed_ulps(replace(built, graph=graph)) == (2, 2, 0, 0)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A judge that says what it was given."""

    stored: Sequence[bytes]
    whose: str = "what was stored"

    def outputs(
        self, inputs: Sequence[Sequence[bytes]], sequence: int
    ) -> Sequence[Sequence[bytes]]:
        return [self.stored for _ in inputs]

    def tensors(self, rows: Sequence[Sequence[bytes]]) -> Mapping[int, bytes]:
        raise ToolFailed("no tensors")


def test_distances() -> None:
    def row(*values: float) -> bytes:
        return np.array(values, np.float32).tobytes()

    after = float(np.nextafter(np.float32(1), np.float32(2)))
    least = float(np.nextafter(np.float32(0), np.float32(1)))
    found = ulps_between(row(1, 0, least, after), row(after, -0.0, -least, after))
    assert found.tolist() == [1, 0, 2, 0]
    nothing = np.array(
        [0x7F800001, 0x7F800001], np.uint32
    ).tobytes()  # whose bits follow infinity's
    found = ulps_between(nothing, row(np.inf, 1))
    assert (found > 1 << 31).all()
    assert ulps_between(nothing, nothing).tolist() == [0, 0]
