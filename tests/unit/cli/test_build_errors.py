"""What a user reads when a build cannot be: whole messages, exit status, nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mcucomp import boards
from mcucomp.errors import nearest_first
from mcucomp.ir import DType
from tests.support.models import ModelBuilder


def mcucomp(
    *arguments: object, folder: Path, path: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`; `path` replaces PATH."""
    environment = {**os.environ, "COLUMNS": "200"} | ({} if path is None else {"PATH": path})
    return subprocess.run(
        [sys.executable, "-m", "mcucomp", *map(str, arguments)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def small_model() -> bytes:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    w = b.constant(np.ones((2, 4), np.int8), scales=(0.25,))
    bias = b.constant(np.zeros(2, np.int32), scales=(0.125,))
    b.operator("FULLY_CONNECTED", (x, w, bias), (1, 2), scale=1.0)
    return b.bytes()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "small.tflite"
    path.write_bytes(small_model())
    return path


def assert_refused(
    result: subprocess.CompletedProcess[str], status: int, message: str, folder: Path
) -> None:
    assert result.stderr == message + "\n"
    assert result.stdout == ""
    assert result.returncode == status
    left = {p.name for p in folder.iterdir()}
    assert left <= {"small.tflite", "bad.tflite", "out.txt", "full"}, "something was left behind"


def test_no_such_file(tmp_path: Path) -> None:
    result = mcucomp("build", "absent.tflite", "--board", "host", "-o", "out", folder=tmp_path)
    assert_refused(
        result,
        2,
        "absent.tflite: cannot be read: no such file or directory\n"
        "  fix: give the path of a .tflite file that you may read",
        tmp_path,
    )


def test_unknown_board(model: Path) -> None:
    result = mcucomp("build", model, "--board", "stm23", "-o", "out", folder=model.parent)
    assert_refused(
        result,
        2,
        "no board named stm23\n"
        f"  known, nearest first: {', '.join(nearest_first('stm23', boards.known()))}\n"
        "  fix: use one of these names, or the path of a board file that ends in .toml",
        model.parent,
    )


def test_missing_compiler(model: Path) -> None:
    result = mcucomp(
        "build", model, "--board", "stm32", "-o", "out", folder=model.parent, path="/nonexistent"
    )
    assert_refused(
        result,
        3,
        "arm-none-eabi-gcc is not installed\n"
        "  fix: apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi"
        "  (or put arm-none-eabi-gcc on the PATH)",
        model.parent,
    )


def test_every_unsupported_operator_at_once(tmp_path: Path) -> None:
    b = ModelBuilder(source="bad.tflite")
    x = b.input((1, 4), DType.FLOAT32)
    y = b.operator("LOGICAL_NOT", (x,), (1, 4), dtype=DType.FLOAT32)
    b.operator("GELU", (y,), (1, 4), dtype=DType.FLOAT32)
    (tmp_path / "bad.tflite").write_bytes(b.bytes())
    result = mcucomp("build", "bad.tflite", "--board", "host", "-o", "out", folder=tmp_path)
    assert_refused(
        result,
        2,
        "bad.tflite: 2 operators cannot be compiled\n"
        "  operator 0 LOGICAL_NOT: input is bool; found float32\n"
        "  operator 1 GELU: this operator is not supported\n"
        "  fix: convert with full-integer quantization (inference_input_type=tf.int8);"
        " 'mcucomp ops' lists what can be compiled, with its conditions",
        tmp_path,
    )


def test_a_model_that_does_not_fit_is_told_with_its_peak(tmp_path: Path) -> None:
    b = ModelBuilder(source="bad.tflite")
    x = b.input((1, 90_000), scale=0.5, name="camera")
    shape = b.constant(np.array([1, 300, 300], np.int32))
    b.operator("RESHAPE", (x, shape), (1, 300, 300), scale=0.5)
    (tmp_path / "bad.tflite").write_bytes(b.bytes())
    result = mcucomp(
        *("build", "bad.tflite", "--board", "stm32", "-o", "out", "--rules", "orders"),
        folder=tmp_path,
    )
    assert_refused(
        result,
        1,
        "bad.tflite: needs 180,000 B of arena; stm32 has 126,976 B\n"
        "  peak is at step 0, RESHAPE: 90,000 B camera [0, 1), 90,000 B out_0 [0, 1)\n"
        "  arena needs 180,000 B: SRAM has 126,976 B (53,024 B short), "
        "CCM has 65,536 B (114,464 B short)\n"
        "  fix: choose a board with more memory ('mcucomp boards'), or a smaller model",
        tmp_path,
    )


@pytest.mark.parametrize("arena_bytes", [126_000])
def test_the_linker_has_the_last_word(tmp_path: Path, arena_bytes: int) -> None:
    """The plan fits beside the stack, but not beside the harness's own variables."""
    b = ModelBuilder(source="bad.tflite")
    half = arena_bytes // 2 + 450
    x = b.input((1, half), scale=0.5)
    shape = b.constant(np.array([half, 1], np.int32))
    b.operator("RESHAPE", (x, shape), (half, 1), scale=0.5)
    (tmp_path / "bad.tflite").write_bytes(b.bytes())
    result = mcucomp(
        *("build", "bad.tflite", "--board", "stm32", "-o", "out", "--rules", "orders"),
        folder=tmp_path,
    )
    assert result.returncode == 1
    first, *rest = result.stderr.splitlines()
    assert first.startswith("the image needs ")
    assert first.endswith(" B more of SRAM than stm32 has")
    assert rest == [
        "  also ram, where --place may put a part: CCM, 65,536 B",
        "  fix: choose a board with more memory ('mcucomp boards'), or a smaller model",
    ]
    assert not (tmp_path / "out").exists()


def test_an_unknown_rule(model: Path) -> None:
    result = mcucomp(
        *("build", model, "--board", "host", "-o", "out", "--rules", "orders,+overlaps"),
        folder=model.parent,
    )
    assert_refused(
        result,
        2,
        "--rules: rule overlaps is not known\n"
        "  fix: known are overlap, orders, views, values, integers, rewrites, rows, edges, "
        "free-rows, all",
        model.parent,
    )


def test_an_output_that_is_a_file(model: Path) -> None:
    (model.parent / "out.txt").write_text("mine")
    result = mcucomp("build", model, "--board", "host", "-o", "out.txt", folder=model.parent)
    assert_refused(
        result, 2, "out.txt: is a file\n  fix: name another folder with -o", model.parent
    )
    assert (model.parent / "out.txt").read_text() == "mine"


def test_an_output_folder_with_something_else_in_it(model: Path) -> None:
    (model.parent / "full").mkdir()
    (model.parent / "full" / "thesis.txt").write_text("years of work")
    result = mcucomp("build", model, "--board", "host", "-o", "full", folder=model.parent)
    assert_refused(
        result,
        2,
        "full: exists and is no build directory of mcucomp (it has no report.json)\n"
        "  fix: name another folder with -o, or empty this one",
        model.parent,
    )
    assert [p.name for p in (model.parent / "full").iterdir()] == ["thesis.txt"]


def test_sanitizers_are_for_the_host(model: Path) -> None:
    result = mcucomp(
        "build", model, "--board", "stm32", "--sanitize", "-o", "out", folder=model.parent
    )
    assert_refused(
        result,
        2,
        "--sanitize: sanitizers run on the host only; the board is stm32\n  fix: use --board host",
        model.parent,
    )


def test_usage_errors_have_the_same_form(model: Path) -> None:
    result = mcucomp("build", model, folder=model.parent)
    assert_refused(
        result,
        2,
        "mcucomp build: Missing option '--board' / '-b'\n"
        "  fix: 'mcucomp build --help' shows how it is called",
        model.parent,
    )


def test_json_errors_are_one_document_on_stdout(model: Path) -> None:
    result = mcucomp("build", model, "--board", "stm23", "--json", folder=model.parent)
    assert result.stderr == ""
    assert result.returncode == 2
    document = json.loads(result.stdout)
    assert document["schema"] == 1
    assert document["error"]["kind"] == "invalid-board"
    assert document["error"]["what"] == "no board named stm23"


def test_a_bug_of_ours_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from mcucomp import cli, pipeline

    def broken(*arguments: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(pipeline, "build", broken)
    assert cli.run(["build", "m.tflite", "--board", "host"]) == 70
    assert capfd.readouterr().err == (
        "mcucomp: internal error: ZeroDivisionError: oops\n"
        "  fix: this is a bug of ours; please report it with the output of "
        "MCUCOMP_TRACEBACK=1 mcucomp ...\n"
    )
