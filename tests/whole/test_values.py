"""The model of which weights prove most, from the proof to the board: half of its work goes."""

from __future__ import annotations

from pathlib import Path

from mcucomp import build_directory, explaining, ir, pipeline, tflite
from mcucomp.check import compare, session
from mcucomp.check.inputs import drawn, pattern
from mcucomp.rules import ALL
from tests.support import tools
from tests.support.facts import TEN_MODELS
from tests.support.shared import shared_model

NAME = "mlperf-vww-mobilenet025-int8"
MACS_MAX, WEIGHTS_MAX_BYTES, INSTRUCTION_SHARE = 3_800_000, 31_000, 0.25
# Of the whole image for the stm32, at most: without the rule it takes 262,904 B.
FLASH_MAX_BYTES = 65_000


def test_what_is_left_of_the_model() -> None:
    model = tflite.load(shared_model(NAME))
    ir.verify(model)
    found = explaining.without_arena(model)
    assert (found.before.macs, found.before.weights_bytes) == (7_489_664, 208_112)
    assert found.after.macs <= MACS_MAX
    assert found.after.weights_bytes <= WEIGHTS_MAX_BYTES
    assert sum(step.constant for step in found.steps) == 2183


def test_built_for_the_board_it_gives_tflms_bytes_in_a_quarter_of_the_instructions(
    tmp_path: Path,
) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    pipeline.build(shared_model(NAME), "stm32", tmp_path / "build", pipeline.Options(rules=ALL))
    build = build_directory.load(tmp_path / "build")
    assert build.report["rules"] == ALL.name
    assert build.report["sizes"]["flash_bytes"] <= FLASH_MAX_BYTES
    with session(build, emulator="qemu") as device:
        run = device.infer(pattern(build.graph))
    assert run.instructions is not None
    assert run.instructions <= INSTRUCTION_SHARE * TEN_MODELS[NAME]["cmsis_nn_instructions"]
    with session(build, emulator="qemu") as device:
        verdict = compare(build, device, drawn(build.graph, 2, 1), lambda what, done, total: None)
    assert verdict.first_mismatch is None
    assert {run.arena_peak_bytes for run in verdict.runs} == {build.arena_peak_bytes}
