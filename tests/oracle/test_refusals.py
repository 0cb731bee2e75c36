"""Where TensorFlow Lite Micro has no answer, the message has its words and not our traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcucomp import cli
from mcucomp.check import reference
from mcucomp.check.inputs import drawn
from mcucomp.errors import ToolFailed
from tests.support import tools
from tests.support.models import ModelBuilder

EXPECT = "  fix: give the outputs that you expect with --input FILE and --expect FILE"


def message(b: ModelBuilder) -> str:
    """The whole message of a model that TFLM does not run."""
    tools.require("tflite_micro")
    graph = b.finish().graphs[0]
    with pytest.raises(ToolFailed) as caught:
        reference.outputs(b.bytes(), graph, drawn(graph, 1, 1))
    return str(caught.value)


def test_an_operator_that_it_does_not_have() -> None:
    b = ModelBuilder()
    b.operator("WHERE", (b.input((1, 4), scale=0.5),), (1, 4), scale=0.5)
    assert message(b).split("\n") == [
        "TensorFlow Lite Micro refuses the model",
        "  Didn't find op for builtin opcode 'WHERE'",
        "  Failed to get registration from op code WHERE",
        "  TFLM failed to allocate tensors",
        EXPECT,
    ]


def test_a_model_that_ends_its_process() -> None:
    """It aborts on an output scale so fine that a multiplier exceeds 1."""
    b = ModelBuilder()
    inputs = [b.input((1, 4), scale=1.0) for _ in "ab"]
    b.operator("ADD", inputs, (1, 4), scale=1e-7)
    first, *_, last = message(b).split("\n")
    assert first == "TensorFlow Lite Micro crashes on the model (Aborted)"
    assert last == EXPECT


def test_check_tells_it_in_one_message(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Twelve inputs are compiled here and refused there."""
    tools.require("gcc", "tflite_micro")
    b = ModelBuilder()
    parts = [b.input((1, 2), scale=0.5) for _ in range(12)]
    b.operator("CONCATENATION", parts, (1, 24), scale=0.5, axis=1)
    (tmp_path / "m.tflite").write_bytes(b.bytes())
    build = ("build", tmp_path / "m.tflite", "--board", "host", "-o", tmp_path / "out")
    assert cli.run([str(word) for word in build]) == 0
    capfd.readouterr()
    status = cli.run(["check", str(tmp_path / "out"), "--inputs", "1"])
    said = capfd.readouterr()
    assert (status, said.out) == (3, "")
    first, *words, last = [line for line in said.err.splitlines() if " s)" not in line]
    assert (first, last) == ("TensorFlow Lite Micro refuses the model", EXPECT)
    assert "  Node CONCATENATION (number 0) failed to prepare with status 1" in words
    assert not any("Traceback" in line or line.lstrip().startswith("File ") for line in words)
