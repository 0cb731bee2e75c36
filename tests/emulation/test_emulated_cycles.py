"""The plugin that estimates cycles sees the same steps as the firmware's own counter."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from mcucomp import build_directory, check, pipeline
from mcucomp.check.inputs import pattern
from mcucomp.cli import run
from mcucomp.device import emulated_cycles
from mcucomp.errors import ToolFailed
from tests.support import tools

DIGITS = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tools.require("gcc", "arm-none-eabi-gcc", "qemu-system-arm")
    folder = tmp_path_factory.mktemp("digits") / "build"
    pipeline.build(DIGITS, "stm32", folder, pipeline.Options())
    return folder


def test_every_step_has_cycles_and_a_page(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "profile.html"
    assert run(["profile", str(built), "--emulator", "qemu", "--json", "--html", str(page)]) == 0
    document = json.loads(capsys.readouterr().out)
    for operator in document["operators"]:
        low, high = operator["estimated_m4_cycles"]
        # Loads and branches take more than one cycle each, but not all are such.
        assert operator["instructions"] < low <= high < 4 * operator["instructions"]
    assert document["operators"][0]["kind"] in page.read_text()


def test_the_plugin_counts_the_same_instructions(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["profile", str(built), "--emulator", "qemu", "--json", "--no-cycles"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["estimated_m4_cycles"] is None
    counted = [operator["instructions"] for operator in document["operators"]]
    build = build_directory.load(built)
    board, counts = emulated_cycles.with_cycles(build.board, build.elf, tmp_path)
    with check.session(dataclasses.replace(build, board=board), emulator="qemu") as session:
        session.infer(pattern(build.graph))
    lines = counts.read_text().splitlines()[-len(counted) :]
    # What calls the hook is counted by one and taken off by the other.
    for line, expected in zip(lines, counted, strict=True):
        assert abs(int(line.split()[0]) - expected) <= 12


def test_too_few_steps_are_noticed(tmp_path: Path) -> None:
    counts = tmp_path / "cycles.txt"
    counts.write_text("1 2 3\n4 5 6\n")
    assert emulated_cycles.step_cycles(counts, [0]) == (emulated_cycles.StepCycles(5, 6),)
    assert emulated_cycles.step_cycles(counts, [0, 0]) == (emulated_cycles.StepCycles(7, 9),)
    with pytest.raises(ToolFailed) as failure:
        emulated_cycles.step_cycles(counts, [0, 1, 2])
    assert str(failure.value) == (
        f"{counts}: the emulator counted 2 steps of 3\n"
        "  fix: use --no-cycles, and report this with the version of QEMU"
    )
