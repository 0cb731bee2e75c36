"""The tiny models of the shared set with all rules: TFLM's bytes and the predicted peak.

Those of them that were measured elsewhere are held to more in `test_ten_models`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcucomp import build_directory, check, pipeline
from mcucomp.check.inputs import drawn
from mcucomp.errors import UnsupportedModel
from mcucomp.rules import ALL
from tests.support import tools
from tests.support.facts import TEN_MODELS
from tests.support.shared import models_directory, shared_model

INPUTS, SEED = 2, 1
MANIFEST = models_directory() / "manifest.json"
TINY = (
    [entry["name"] for entry in json.loads(MANIFEST.read_text())["models"] if entry["tiny16"]]
    if MANIFEST.is_file()
    else []
)
BOARDS = {"host": None, "mps2-an386": "qemu"}


@pytest.mark.parametrize("name", [name for name in TINY if name not in TEN_MODELS])
@pytest.mark.parametrize("board", BOARDS)
def test_with_all_rules(board: str, name: str, tmp_path: Path) -> None:
    tools.require("gcc", "tflite_micro")
    if board != "host":
        tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    try:
        pipeline.build(shared_model(name), board, tmp_path / "out", pipeline.Options())
    except UnsupportedModel as error:
        pytest.skip(f"skipped: {str(error).splitlines()[0]}")
    build = build_directory.load(tmp_path / "out")
    assert build.report["rules"] == ALL.name
    with check.session(build, emulator=BOARDS[board]) as device:
        inputs = drawn(build.graph, INPUTS, SEED)
        verdict = check.compare(build, device, inputs, lambda what, done, total: None)
    assert verdict.problems == ()
