"""What a user reads of `explain`: whole answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcucomp.cli import run
from tests.support.models import ModelBuilder
from tests.unit.values.test_rounding import ties


def test_what_never_changes_is_told_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(ties().bytes())
    assert run(["explain", str(path), "--channels"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "m.tflite: what no input can change, by exact interval arithmetic",
        "operator 0 CONV_2D: 1 of 3 channels never change; all are kept, since others need them or"
        " blocks are whole",
        "    out_0 channel 0 is -128: its sum is within [-257, -2]; sums of products, scaled and"
        " clamped to [-128, 127]",
    ]
    assert lines[4].split() == ["MACs", "24", "24", "0.0", "%"]
    assert lines[5].split() == ["weights", "6", "6", "0.0", "%"]


def test_every_interval_is_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(ties().bytes())
    assert run(["explain", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    layer = next(t for t in document["tensors"] if t["name"] == "out_0")
    assert layer["intervals"] == [[-128, -128], [-128, -127], [-128, -127]]
    assert layer["sums"] == [[-257, -2], [-256, -1], [-256, -1]]
    assert document["before"]["macs"] == 24
    assert document["operators"][0]["constant_channels"] == 1


def test_nothing_found_is_said_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.operator("SOFTMAX", (x,), (1, 4), scale=1 / 256, zero_point=-128, beta=1.0)
    path = tmp_path / "m.tflite"
    path.write_bytes(b.bytes())
    assert run(["explain", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "m.tflite: no channel is constant and nothing is needless, for all that was proven"
    )
