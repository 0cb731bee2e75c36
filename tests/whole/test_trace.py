"""`check --trace`: an operator that touches what it does not declare is named, with the bytes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mcucomp import boards, build_directory, check, cli, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.check import Trace
from mcucomp.check.inputs import drawn
from mcucomp.check.judges import Tflm
from mcucomp.check.row_calls import first_wrong_call
from mcucomp.check.tolerance import may_be_off
from mcucomp.ir import DType, Model
from mcucomp.ops import Clearance, KernelCall, contracts, lower
from mcucomp.planning import uses
from mcucomp.rules import ALL, Rules
from tests.support import tools
from tests.support.models import ModelBuilder, residual_network
from tests.support.shared import shared_model

PORTABLE = Wanted(KernelSet.PORTABLE)
FIX = "  fix: this is a bug of ours; please report it with the model\n"
BOARDS = {"host": None, "stm32": "qemu"}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, progress is not told: the error stream is compared."""
    monkeypatch.setattr("mcucomp.report.terminal.PROGRESS_AFTER_S", 1e6)


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> str:
    tools.require("gcc", "tflite_micro")
    if request.param != "host":
        tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    name: str = request.param
    return name


def additions() -> ModelBuilder:
    """Three operators; the first one's output is needed by the last: nothing overlaps it."""
    b = ModelBuilder("additions.tflite")
    x = b.input((1, 16), scale=0.5, name="given")
    y = b.input((1, 16), scale=0.5, name="other")
    first = b.operator("ADD", (x, y), (1, 16), scale=0.5)
    second = b.operator("ADD", (first, y), (1, 16), scale=0.25)
    b.operator("MUL", (first, second), (1, 16), scale=0.5)
    return b


def built(folder: Path, board: str, model: ModelBuilder | None = None, **options: Any) -> Path:
    (folder / "small.tflite").write_bytes((model or additions()).bytes())
    pipeline.build(folder / "small.tflite", board, folder / "out", pipeline.Options(**options))
    return folder / "out"


def traced(folder: Path, emulator: str | None) -> Trace:
    build = build_directory.load(folder)
    with check.session(build, emulator=emulator) as session:
        (row,) = drawn(build.graph, 1, 1)
        return check.trace(build, session, row, lambda what, done, total: None)


def call(
    capfd: pytest.CaptureFixture[str], folder: Path, board: str, *more: str
) -> tuple[int, str, str]:
    emulator = BOARDS[board]
    where = () if emulator is None else ("--emulator", emulator)
    status = cli.run(["check", str(folder), "--trace", "--inputs", "1", *where, *more])
    said = capfd.readouterr()
    return status, said.out, said.err


def offset(folder: Path, operator: int, kind: str, number: int = 0) -> int:
    """Where a tensor that an operator reads or writes is."""
    report = json.loads((folder / "report.json").read_text())
    found = report["operators"][operator]["arena"][kind][number][0]
    assert isinstance(found, int)
    return found


def plant(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[Sequence[KernelCall]], list[KernelCall]]
) -> None:
    """Let models be lowered to other calls than the right ones."""

    def wrong(model: Model) -> tuple[tuple[KernelCall, ...], ...]:
        main, *others = lower(model)
        return tuple(change(main)), *others

    monkeypatch.setattr(uses, "lower", wrong)


def test_operators_that_keep_to_what_they_declare(
    board: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = built(tmp_path, board)
    status, out, err = call(capfd, folder, board)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == (
        "trace      3 steps, each touched the bytes that it declares alone"
    )
    status, out, _ = call(capfd, folder, board, "--json")
    assert json.loads(out)["trace"] == {"steps": 3, "violation": None}


def test_a_kernel_that_writes_too_far(
    board: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second ADD takes 19 elements for 16: three bytes of what lies behind its output."""

    def longer(calls: Sequence[KernelCall]) -> list[KernelCall]:
        params = {**calls[1].params, "size": 19}
        return [calls[0], dataclasses.replace(calls[1], params=params), *calls[2:]]

    plant(monkeypatch, longer)
    # Without overlaps, so that what lies behind is another buffer.
    folder = built(tmp_path, board, rules=Rules(), kernels=PORTABLE)
    end = offset(folder, 1, "writes") + 16
    status, _, err = call(capfd, folder, board)
    assert status == 1
    assert offset(folder, 0, "reads", 1) == end
    assert err == (
        f"{folder}: operator 1 ADD (out_1) changes what it does not declare to write: "
        f"bytes [{end}, {end + 3}), of other\n{FIX}"
    )


def test_a_contract_that_leaves_out_what_is_read(
    board: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The report says that MUL reads twelve bytes of its first input; it reads sixteen."""
    folder = built(tmp_path, board)
    report = json.loads((folder / "report.json").read_text())
    place = report["operators"][2]["arena"]["reads"][0]
    place[1] = 12
    (folder / "report.json").write_text(json.dumps(report))
    status, out, err = call(capfd, folder, board)
    assert status == 1
    assert out.splitlines()[-1] == "trace      NOT AS DECLARED at step 2"
    first, end = place[0] + 12, place[0] + 16
    assert err == (
        f"{folder}: operator 2 MUL (out_2) depends on what it does not declare to read: "
        f"bytes [{first}, {end}), of out_0\n{FIX}"
    )


def test_a_clearance_that_is_too_small(
    board: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A convolution whose contract lets it write far over what it still reads."""
    clearance = (Clearance(0, low_bytes=-24),)
    monkeypatch.setattr(
        contracts, "CONTRACTS", {**contracts.CONTRACTS, "mcuc_conv_2d_s8": lambda p: clearance}
    )
    random, b = np.random.default_rng(0), ModelBuilder("convolution.tflite")
    x = b.input((1, 6, 6, 4), scale=0.5)
    filters = random.integers(-127, 128, (4, 3, 3, 4), dtype=np.int8)
    weights = b.constant(filters, [0.01] * 4, axis=0)
    b.operator("CONV_2D", (x, weights), (1, 6, 6, 4), scale=0.7, padding="SAME",
               stride_w=1, stride_h=1)  # fmt: skip
    folder = built(tmp_path, board, b, kernels=PORTABLE)
    status, _, err = call(capfd, folder, board)
    assert status == 1
    name = "operator 0 CONV_2D (out_0) writes other bytes than TensorFlow Lite Micro: bytes ["
    assert name in err.splitlines()[0]
    assert err.splitlines()[0].endswith(", of its output")


@pytest.mark.parametrize("rows", [False, True], ids=["whole", "in rows"])
def test_tensors_that_lost_channels_are_not_compared(rows: bool, tmp_path: Path) -> None:
    """Half of the first layer's channels never change: what is left of it is not TFLM's tensor."""
    tools.require("gcc", "tflite_micro")
    random, b = np.random.default_rng(5), ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    for channels, outputs, scale in ((2, 8, 0.1), (8, 3, 0.4)):
        weights = random.integers(-90, 91, (outputs, 1, 1, channels), dtype=np.int8)
        weights[:4] *= channels != 2
        filters = b.constant(weights, (0.01,) * outputs)
        x = b.operator(
            "CONV_2D", (x, filters), (1, 6, 6, outputs), scale=scale, padding="SAME",
            stride_w=1, stride_h=1,
        )  # fmt: skip
    folder = built(tmp_path, "host", b, rules=dataclasses.replace(ALL, rows=rows))
    build = build_directory.load(folder)
    inputs = drawn(build.graph, 1, 1)
    tensors = Tflm(build.model, build.graph).tensors(inputs)
    assert tensors is not None
    assert (len(tensors), len(build.unchanged(tensors))) == (2, 1)
    assert bool(build.report["written"]) == rows
    if not rows:
        assert traced(folder, None).violation is None
        return
    with check.session(build) as session:
        assert first_wrong_call(build, session, inputs[0], build.unchanged(tensors)) is None


def test_floats_that_a_board_may_have_otherwise_are_not_compared(tmp_path: Path) -> None:
    """What another C library's functions give may be off, and with it all that is made of it."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    b = ModelBuilder()
    x = b.input((1, 400), DType.FLOAT32)
    x = b.operator("ABS", (x,), (1, 400), DType.FLOAT32)
    x = b.operator("LOGISTIC", (x,), (1, 400), DType.FLOAT32)
    b.operator("ABS", (x,), (1, 400), DType.FLOAT32)
    folder = built(tmp_path, "stm32", b)
    build = build_directory.load(folder)
    assert may_be_off(build) == {x, x + 1}
    assert may_be_off(dataclasses.replace(build, board=boards.find("host"))) == frozenset()
    assert traced(folder, "qemu").violation is None


def test_a_damaged_plan(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("gcc", "tflite_micro")
    folder = built(tmp_path, "host")
    (folder / "plan.json").write_text("{}")
    status, out, err = call(capfd, folder, "host")
    assert (status, out) == (2, "")
    assert err == f"{folder / 'plan.json'}: is damaged: KeyError: 'memory'\n  fix: build again\n"


def test_a_model_in_rows(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its report declares no bytes of an operator: they differ from row to row."""
    tools.require("gcc", "tflite_micro")
    rules = dataclasses.replace(ALL, rows=True)
    folder = built(tmp_path, "host", residual_network(), rules=rules, kernels=PORTABLE)
    status, out, err = call(capfd, folder, "host")
    assert (status, out) == (2, "")
    assert err == (
        "--trace: a model in rows cannot be traced: its operators run a row at a time,"
        " several in turn\n"
        "  fix: leave out --trace, or build without +rows (--rules all)\n"
    )


@pytest.mark.parametrize("name", ["odd-nested-while", "odd-call-once-mul"])
def test_a_model_with_control_flow(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc", "tflite_micro")
    pipeline.build(shared_model(name), "host", tmp_path / "out", pipeline.Options())
    status, out, err = call(capfd, tmp_path / "out", "host")
    assert (status, out) == (2, "")
    assert err == (
        "--trace: a model with control flow cannot be traced: its steps do not run once each\n"
        "  fix: leave out --trace\n"
    )


@pytest.mark.parametrize(
    "name", ["mlperf-kws-dscnn-int8", "mlperf-ic-resnet8-int8", "tflm-keyword-scrambled-int8"]
)
def test_whole_models_with_all_rules(name: str, tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    pipeline.build(shared_model(name), "stm32", tmp_path / "out", pipeline.Options(rules=ALL))
    found = traced(tmp_path / "out", "qemu")
    assert found.violation is None
    assert found.steps == len(build_directory.load(tmp_path / "out").report["operators"])
