"""Every board that Renode has, in the real Renode where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcucomp import boards, build_directory, check, pipeline
from mcucomp.check.inputs import drawn
from mcucomp.device import renode_program
from tests.support import tools

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"


@pytest.mark.parametrize("name", [n for n, b in boards.known().items() if "renode" in b.emulators])
def test_the_digits(name: str, tmp_path: Path) -> None:
    if renode_program() is None:
        pytest.skip("skipped: renode not found (it is in no package registry; see renode.io)")
    tools.require("arm-none-eabi-gcc", "tflite_micro")
    pipeline.build(DIGITS, name, tmp_path / "out", pipeline.Options())
    build = build_directory.load(tmp_path / "out")
    with check.session(build, emulator="renode") as session:
        verdict = check.compare(build, session, drawn(build.graph, 2, 1), lambda *_: None)
    assert verdict.ok, verdict.problems
    assert verdict.runs[0].instructions is not None
