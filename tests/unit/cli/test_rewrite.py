"""What a user reads of `arena` and `rewrite`: whole messages, nothing left behind."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mcucomp import tflite, tflm
from mcucomp.check import interpreter, reference
from mcucomp.cli import run
from mcucomp.tflm import metadata
from tests.support.models import ModelBuilder
from tests.support.tools import require


def chain_model() -> bytes:
    b = ModelBuilder()
    x = b.input((1, 64), scale=0.5)
    for _ in range(3):
        x = b.operator("RELU", (x,), (1, 64), scale=0.5)
    return b.bytes()


def reordered_model() -> bytes:
    """Two branches whose large tensors need not live together."""
    b = ModelBuilder()
    x = b.input((1, 8, 8, 1), scale=0.5)

    def conv(source: int, before: int, channels: int) -> int:
        w = b.constant(np.ones((channels, 1, 1, before), np.int8), (0.1,) * channels)
        bias = b.constant(np.zeros(channels, np.int32))
        return b.operator(
            "CONV_2D", (source, w, bias), (1, 8, 8, channels), scale=0.5, padding="SAME",
            stride_w=1, stride_h=1,
        )  # fmt: skip

    wide = [conv(x, 1, 8) for _ in range(3)]
    narrow = [conv(w, 8, 1) for w in wide]
    first = b.operator("ADD", (narrow[0], narrow[1]), (1, 8, 8, 1), scale=0.5)
    b.operator("ADD", (first, narrow[2]), (1, 8, 8, 1), scale=0.5)
    return b.bytes()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.tflite"
    path.write_bytes(reordered_model())
    return path


def mcucomp(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcucomp", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_better_order_is_written_and_told(model: Path, tmp_path: Path) -> None:
    result = mcucomp("rewrite", "m.tflite", "-o", "sub/out.tflite", "--no-verify", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "m.tflite: sub/out.tflite"
    assert lines[2].split() == ["head", "1,600", "704", "56.0", "%"]
    assert lines[-1] == "verified   not at all: nothing was run"
    written = tflite.load(tmp_path / "sub" / "out.tflite")
    assert [o.kind for o in written.graphs[0].operators][:2] == ["CONV_2D", "CONV_2D"]
    assert list((tmp_path / "sub").iterdir()) == [tmp_path / "sub" / "out.tflite"]


def test_json_of_both(model: Path, tmp_path: Path) -> None:
    require("tflite_micro")
    result = mcucomp("rewrite", "m.tflite", "-o", "o.tflite", "--json", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["before"]["head_bytes"] == 1600
    assert document["after"]["head_bytes"] == 704
    assert document["before"]["smallest_arena_bytes"] >= 1600
    assert document["rules"] == "+values"
    assert document["verified"]["mismatching_bytes"] == 0
    result = mcucomp("arena", "o.tflite", "--json", folder=tmp_path)
    arena = json.loads(result.stdout)
    assert arena["head_bytes"] == 704
    assert arena["smallest_arena_bytes"] == document["after"]["smallest_arena_bytes"]
    assert arena["peak"]["live_bytes"] <= 704
    assert {"name", "offset", "size_bytes", "scratch"} == set(arena["peak"]["tensors"][0])
    plain = json.loads(
        mcucomp("arena", "o.tflite", "--json", "--kernels", "cmsis-nn-mve", folder=tmp_path).stdout
    )
    assert plain["smallest_arena_bytes"] is None
    assert plain["target"]["smallest_arena_bytes"] > 704


def test_what_cannot_be_better_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.tflite").write_bytes(chain_model())
    command = ("rewrite", "c.tflite", "-o", "o.tflite", "--rules", "orders")
    result = mcucomp(*command, folder=tmp_path)
    assert result.stderr == (
        "c.tflite: needs 128 B of head, and no order or offsets were found that need less\n"
        "  fix: try --rules +inplace\n"
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert [p.name for p in tmp_path.iterdir()] == ["c.tflite"]


def test_in_place_says_for_which_kernels(tmp_path: Path) -> None:
    (tmp_path / "c.tflite").write_bytes(chain_model())
    command = ("rewrite", "c.tflite", "-o", "o.tflite", "--rules", "+inplace", "--no-verify")
    result = mcucomp(*command, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "offsets    4 prescribed, 3 outputs in place" in result.stdout.splitlines()
    assert "outputs lie over inputs; this is safe with the kernels reference" in result.stdout


@pytest.mark.parametrize("name", ["m.tflite", "./m.tflite", "link.tflite", "hard.tflite"])
def test_the_model_itself_is_never_written(name: str, model: Path, tmp_path: Path) -> None:
    (tmp_path / "link.tflite").symlink_to(model)
    (tmp_path / "hard.tflite").hardlink_to(model)
    before = model.read_bytes()
    result = mcucomp("rewrite", "m.tflite", "-o", name, "--no-verify", folder=tmp_path)
    assert result.stderr == (
        f"{Path(name)}: is the model itself, which is never changed\n"
        "  fix: name another file with -o\n"
    )
    assert result.returncode == 2
    assert model.read_bytes() == before


def test_a_folder_is_no_output(model: Path, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    result = mcucomp("rewrite", "m.tflite", "-o", "d", "--no-verify", folder=tmp_path)
    assert result.stderr == "d: is a folder\n  fix: name a file with -o\n"
    assert result.returncode == 2


def test_where_nothing_can_be_written(model: Path, tmp_path: Path) -> None:
    result = mcucomp("rewrite", "m.tflite", "-o", "m.tflite/o", "--no-verify", folder=tmp_path)
    assert result.stderr == (
        "m.tflite/o: cannot be written: file exists\n  fix: name another file with -o\n"
    )
    assert result.returncode == 2


def test_a_damaged_file(model: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.tflite").write_bytes(model.read_bytes()[:100])
    for command in (("arena", "bad.tflite"), ("rewrite", "bad.tflite", "-o", "o.tflite")):
        result = mcucomp(*command, folder=tmp_path)
        assert result.returncode == 2
        assert result.stderr.startswith("bad.tflite: cut short or damaged: ")
    assert not (tmp_path / "o.tflite").exists()


def test_without_the_interpreter(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interpreter, "PACKAGE", "no_such_package")
    monkeypatch.setattr(reference, "PACKAGE", "no_such_package")
    assert run(["arena", str(model)]) == 0
    out = capsys.readouterr().out
    assert "this host  not measured: tflite-micro is not installed" in out.splitlines()
    assert run(["rewrite", str(model), "-o", str(tmp_path / "o.tflite")]) == 0
    assert "verified   not at all: nothing was run" in capsys.readouterr().out
    assert run(["rewrite", str(model), "-o", str(tmp_path / "p.tflite"), "--verify"]) == 3
    assert capsys.readouterr().err == (
        "the Python package tflite-micro is not installed; it is the reference that outputs are"
        " compared with\n  fix: pip install 'mcucomp[reference]'\n"
    )
    assert not (tmp_path / "p.tflite").exists()


def test_a_wrong_prediction_is_told_and_nothing_written(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file that was made is planned anew as any file, and must need what was planned."""
    entry = metadata.entry
    # Every tensor one step higher than planned: TFLM would run it, with more head.
    monkeypatch.setattr(
        metadata, "entry", lambda m, offsets: entry(m, {k: o + 16 for k, o in offsets.items()})
    )
    (tmp_path / "c.tflite").write_bytes(chain_model())
    arguments = ["rewrite", str(tmp_path / "c.tflite"), "-o", str(tmp_path / "o.tflite")]
    assert run([*arguments, "--rules", "+inplace"]) == 1
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "c.tflite: 64 B of head were planned, and the file that was made of the plan needs 80 B",
        "  fix: this is a bug of ours; please report it with the model",
    ]
    assert not (tmp_path / "o.tflite").exists()


def test_outputs_that_differ_are_told_and_nothing_written(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here the rewrite spoils the weights, which only running both files can find."""
    require("tflite_micro")
    genuine = tflm.rewrite

    def spoiling(*arguments: Any) -> tflm.Rewrite:
        made = genuine(*arguments)
        values = tflite.unpack(made.data, "m")
        for buffer in values["buffers"][:-1]:  # the last has the offsets
            if "data" in buffer:
                buffer["data"] = bytes(len(buffer["data"]))
        return dataclasses.replace(made, data=tflite.repack(values))

    monkeypatch.setattr(tflm, "rewrite", spoiling)
    assert run(["rewrite", str(model), "-o", str(tmp_path / "o.tflite")]) == 1
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "m.tflite: the rewritten file gives other outputs for 5 of 5 inputs",
        "  fix: this is a bug of ours; please report it with the model",
    ]
    assert not (tmp_path / "o.tflite").exists()


def test_a_model_that_tflm_refuses(tmp_path: Path) -> None:
    require("tflite_micro")
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    b.operator("TILE", (x, b.constant(np.array([1, 2], np.int32))), (1, 8), scale=0.5)
    (tmp_path / "t.tflite").write_bytes(b.bytes())
    result = mcucomp("arena", "t.tflite", folder=tmp_path)
    assert result.stderr.splitlines()[-2:] == [
        "  Failed to get registration from op code TILE",
        "  fix: the model must run in TFLM's own interpreter to be measured in it",
    ]
    assert "t.tflite: TensorFlow Lite Micro cannot load the model" in result.stderr.splitlines()
    assert result.returncode == 3
    assert mcucomp("arena", "t.tflite", "--no-measure", folder=tmp_path).returncode == 0
