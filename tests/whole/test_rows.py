"""Models in rows: built, run and checked against TFLM, their peak measured to the byte."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mcucomp import build_directory, check, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.check.inputs import drawn
from mcucomp.check.judges import Tflm
from mcucomp.check.row_calls import first_wrong_call
from mcucomp.errors import InvalidInput
from mcucomp.ir import Model
from mcucomp.ops import ConstantArray, KernelCall
from mcucomp.planning import uses
from mcucomp.rules import ALL
from tests.support import tools
from tests.support.models import ModelBuilder, residual_network
from tests.support.shared import shared_model

PORTABLE = Wanted(KernelSet.PORTABLE)
ROWS = pipeline.Options(name="rows", rules=replace(ALL, rows=True), kernels=PORTABLE)
STREAMED = replace(ROWS, io=pipeline.STREAM_INPUT)
INTEGERS = replace(STREAMED, rules=replace(ALL, rows=True, integers=True))
# The arena of a model, its input resident and handed in row by row: no more than these.
ARENAS = {
    "mlperf-kws-dscnn-int8": (3800, 3500),
    "silabs-magic-wand-int8": (460, 220),
}


def _own_model(folder: Path) -> Path:
    path = folder / "residual.tflite"
    path.write_bytes(residual_network().bytes())
    return path


def _checked(model: Path, board: str, folder: Path, options: pipeline.Options, count: int) -> int:
    """Build and check; the arena's bytes."""
    emulator = None
    if board == "host":
        tools.require("gcc")
        options = replace(options, sanitize=True)
    else:
        tools.require("arm-none-eabi-gcc", "qemu-system-arm")
        emulator = "qemu"
    built = pipeline.build(model, board, folder, options)
    build = build_directory.load(folder)
    with check.session(build, emulator=emulator) as session:
        verdict = check.compare(build, session, drawn(build.graph, count, 1), lambda *_: None)
    assert verdict.problems == ()
    return built.planned.plan.arena_bytes


@pytest.mark.parametrize("board", ["host", "stm32"])
@pytest.mark.parametrize(
    "options", [ROWS, STREAMED, INTEGERS], ids=["resident", "streamed", "integers"]
)
def test_an_own_model_runs_in_rows(board: str, options: pipeline.Options, tmp_path: Path) -> None:
    whole = pipeline.plan_model(residual_network().bytes(), "residual.tflite").plan.arena_bytes
    found = _checked(_own_model(tmp_path), board, tmp_path / "out", options, 2)
    assert found < whole


@pytest.mark.parametrize(
    ("name", "board"),
    [("mlperf-kws-dscnn-int8", "stm32"), ("silabs-magic-wand-int8", "host")],
)
@pytest.mark.parametrize("streamed", [False, True], ids=["resident", "streamed"])
def test_a_shared_model_runs_in_rows(name: str, board: str, streamed: bool, tmp_path: Path) -> None:
    model, options = shared_model(name), STREAMED if streamed else ROWS
    assert _checked(model, board, tmp_path / "out", options, 1) <= ARENAS[name][streamed]


def test_the_extension_takes_a_quarter_more_instructions_at_most(tmp_path: Path) -> None:
    """Rows of kws have five pixels, which is what kernels for pairs and planes like least."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    model, instructions = shared_model("mlperf-kws-dscnn-int8"), {}
    for name, rules in (("rows", replace(ALL, rows=True)), ("whole", ALL)):
        built = pipeline.build(model, "stm32", tmp_path / name, pipeline.Options(rules=rules))
        build = build_directory.load(tmp_path / name)
        with check.session(build, emulator="qemu") as session:
            verdict = check.compare(build, session, drawn(build.graph, 1, 1), lambda *_: None)
        assert verdict.problems == ()
        instructions[name] = verdict.runs[0].instructions or 0
    assert built.planned.rows is None
    report = json.loads((tmp_path / "rows" / "report.json").read_text())
    assert report["memory"]["arena_bytes"] <= 3900
    assert 0 < instructions["whole"] < instructions["rows"] < 1.25 * instructions["whole"]
    # A call a row, or one where an operator is whole.
    calls = [report["calls"].count(step) for step in range(len(report["operators"]))]
    assert calls == [25] * 10 + [1, 1]


def test_the_report_tells_the_operators_and_what_is_handed_in(tmp_path: Path) -> None:
    tools.require("gcc")
    pipeline.build(_own_model(tmp_path), "host", tmp_path / "out", STREAMED)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [o["step"] for o in report["operators"]] == list(range(len(report["operators"])))
    assert report["operators"][0]["kernel"] == "mcuc_conv_2d_s8__rows"
    assert report["inputs"][0]["streamed"] == {
        "rows": 6, "row_bytes": 18, "rows_to_keep": 1, "most_steps_after_a_row": 15,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("broken", "options"),
    [(None, ROWS), (None, STREAMED), ("DEPTHWISE_CONV_2D", STREAMED)],
    ids=["none", "none, streamed", "streamed"],
)
def test_the_row_that_differs_first_is_named(
    broken: str | None,
    options: pipeline.Options,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One bias is off by a lot; where none is, no call leaves anything but TFLM's bytes."""
    tools.require("gcc", "tflite_micro")
    right = uses.lower

    def wrong(model: Model) -> tuple[tuple[KernelCall, ...], ...]:
        calls = list(right(model)[0])
        kinds = [operator.kind for operator in model.graphs[0].operators]
        if broken is not None:
            k = kinds.index(broken)
            bias = calls[k].params["bias"]
            assert isinstance(bias, ConstantArray)
            values = replace(bias, values=bias.values + np.int32(20_000))
            calls[k] = replace(calls[k], params={**calls[k].params, "bias": values})
        return (tuple(calls),)

    monkeypatch.setattr(uses, "lower", wrong)
    pipeline.build(_own_model(tmp_path), "host", tmp_path / "out", options)
    build = build_directory.load(tmp_path / "out")
    inputs = drawn(build.graph, 1, 1)
    wanted = Tflm(build.model, build.graph).tensors(inputs)
    assert wanted is not None
    with check.session(build) as session:
        found = first_wrong_call(build, session, inputs[0], wanted)
        verdict = check.compare(build, session, inputs, lambda *_: None)
    if broken is None:
        assert (found, verdict.problems) == (None, ())
        return
    assert verdict.first_mismatch is not None
    assert verdict.first_mismatch.operator == found
    assert found is not None
    assert f" {broken} (" in found
    assert found.endswith("), row 0")


def test_an_input_that_nothing_reads_in_rows_cannot_be_streamed(tmp_path: Path) -> None:
    b = ModelBuilder()
    x = b.input((1, 8), scale=0.1)
    b.operator("SOFTMAX", (x,), (1, 8), scale=1 / 256, zero_point=-128, beta=1.0)
    (tmp_path / "flat.tflite").write_bytes(b.bytes())
    with pytest.raises(InvalidInput) as error:
        pipeline.build(tmp_path / "flat.tflite", "host", tmp_path / "out", STREAMED)
    assert str(error.value) == (
        "flat.tflite: --io stream-input: no input of the model is read in rows\n"
        "  fix: leave the option out"
    )
    assert not (tmp_path / "out").exists()
