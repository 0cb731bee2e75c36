"""What `run` and `check` say, when all is well and when something is not."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from mcucomp import cli, pipeline
from mcucomp.check import reference
from mcucomp.ir import Model
from mcucomp.ops import ConstantArray, KernelCall
from mcucomp.planning import uses
from tests.support import tools
from tests.support.models import ModelBuilder, residual_network

BROKEN_OPERATOR, BROKEN_KERNEL = 2, "mcuc_depthwise_conv_2d_s8"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, progress is not told: the error stream is compared."""
    monkeypatch.setattr("mcucomp.report.terminal.PROGRESS_AFTER_S", 1e6)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the residual network for the host."""
    tools.require("gcc")
    return built(tmp_path_factory.mktemp("whole"))


def built(folder: Path) -> Path:
    (folder / "residual.tflite").write_bytes(residual_network().bytes())
    pipeline.build(folder / "residual.tflite", "host", folder / "out", pipeline.Options())
    return folder / "out"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """The same build, for a test that damages it."""
    return Path(shutil.copytree(whole, tmp_path / "out"))


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(a) for a in arguments])
    said = capfd.readouterr()
    return status, said.out, said.err


def test_run_shows_what_was_measured(whole: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "run", whole)
    report = json.loads((whole / "report.json").read_text())
    peak = f"{report['arena_peak_bytes']:,}"
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [
        "board      host (host)",
        f"arena      peak of {peak} B measured, as predicted",
        "guards     whole",
    ]
    assert lines[-1].startswith("output     ")


def test_run_as_json_has_the_promised_keys(whole: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capfd, "run", whole, "--json")
    document = json.loads(out)
    assert status == 0
    assert document["schema"] == 1
    assert (document["board"], document["transport"]) == ("host", "host")
    measured = document["measured"]
    assert measured["arena_peak_bytes"] == document["predicted"]["arena_peak_bytes"]
    assert measured["guards_ok"] is True
    assert measured["instructions"] is None, "the host counts none: null, not 0"
    assert {"name", "bytes", "crc32"} <= document["outputs"][0].keys()


def test_check_agrees_with_tflm(whole: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("tflite_micro")
    status, out, err = call(capfd, "check", whole, "--inputs", 3, "--seed", 9)
    assert (status, err) == (0, "")
    assert "3 inputs, " in out
    assert "all equal to TensorFlow Lite Micro's" in out


def test_check_as_json_has_the_promised_keys(
    whole: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("tflite_micro")
    status, out, _ = call(capfd, "check", whole, "--inputs", 2, "--json")
    document = json.loads(out)
    assert status == 0
    assert document["check"]["inputs"] == 2
    assert document["check"]["mismatching_bytes"] == 0
    assert document["check"]["first_mismatch"] is None


def test_a_wrong_kernel_is_found_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One bias is off by a lot: the outputs differ, and the operator that did it is named."""
    tools.require("gcc", "tflite_micro")
    right = uses.lower

    def wrong(model: Model) -> tuple[tuple[KernelCall, ...], ...]:
        calls = list(right(model)[0])
        (k,) = (k for k, call in enumerate(calls) if call.kernel == BROKEN_KERNEL)
        bias = calls[k].params["bias"]
        assert isinstance(bias, ConstantArray)
        values = bias.values + np.int32(20_000)
        params = {**calls[k].params, "bias": dataclasses.replace(bias, values=values)}
        calls[k] = dataclasses.replace(calls[k], params=params)
        return (tuple(calls),)

    monkeypatch.setattr(uses, "lower", wrong)
    folder = built(tmp_path)
    kind = "DEPTHWISE_CONV_2D"
    status, out, err = call(capfd, "check", folder, "--inputs", 2)
    assert status == 1
    assert err.endswith(
        f"{folder}: outputs differ from TensorFlow Lite Micro's\n"
        "  fix: this is a bug of ours; please report it with the model\n"
    )
    lines = out.splitlines()
    assert "output bytes DIFFER" in lines[1]
    assert lines[-1].startswith(f"begins     at operator {BROKEN_OPERATOR} {kind} (")

    status, out, err = call(capfd, "check", folder, "--inputs", 2, "--json")
    assert status == 1
    assert json.loads(out)["check"]["first_mismatch"]["operator"].startswith(
        f"operator {BROKEN_OPERATOR} {kind}"
    )


def test_a_peak_that_is_not_the_predicted_one_is_a_no(
    copy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = copy / "report.json"
    report = json.loads(path.read_text())
    true_peak = report["arena_peak_bytes"]
    report["arena_peak_bytes"] = true_peak - 1
    report["possible_peaks_bytes"] = [true_peak - 1]
    path.write_text(json.dumps(report))
    status, out, err = call(capfd, "run", copy)
    assert status == 1
    assert f"{true_peak:,} B measured, PREDICTED WERE {true_peak - 1:,} B" in out
    assert err == (
        f"{copy}: the device measured an arena peak of {true_peak:,} B; "
        f"{true_peak - 1:,} B were predicted\n"
        "  fix: this is a bug of ours; please report it with the model\n"
    )


def test_check_without_tflm_says_what_installs_it(
    whole: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reference, "PACKAGE", "no_such_package")
    assert call(capfd, "check", whole) == (
        3,
        "",
        "the Python package tflite-micro is not installed; "
        "it is the reference that outputs are compared with\n"
        "  fix: pip install 'mcucomp[reference]'\n",
    )


@pytest.mark.parametrize("command", ["run", "check"])
def test_no_build_directory(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fix = "  fix: 'mcucomp build MODEL --board BOARD -o DIR' makes one\n"
    absent = tmp_path / "absent"
    assert call(capfd, command, absent) == (
        2,
        "",
        f"{absent}: is no build directory: does not exist\n{fix}",
    )
    assert call(capfd, command, tmp_path) == (
        2,
        "",
        f"{tmp_path}: is no build directory: "
        f"has no report.json, model.tflite, board.toml, firmware.elf\n{fix}",
    )


def test_a_damaged_report(copy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (copy / "report.json").write_text('{"model": {}}')
    assert call(capfd, "run", copy) == (
        2,
        "",
        f"{copy / 'report.json'}: is damaged: KeyError: 'name'\n  fix: build again\n",
    )


def test_another_model_in_the_directory(copy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (copy / "model.tflite").write_bytes(residual_network(seed=1).bytes())
    assert call(capfd, "run", copy) == (
        2,
        "",
        f"{copy / 'model.tflite'}: is not the model that this directory was built from "
        "(its SHA-256 differs)\n  fix: build again\n",
    )


def test_another_firmware_in_the_directory(
    copy: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The same name and the same arena, other weights: the build's number tells."""
    (tmp_path / "residual.tflite").write_bytes(residual_network(seed=1).bytes())
    pipeline.build(tmp_path / "residual.tflite", "host", tmp_path / "other", pipeline.Options())
    shutil.copy(tmp_path / "other" / "firmware.elf", copy / "firmware.elf")
    status, out, err = call(capfd, "run", copy)
    assert (status, out) == (3, "")
    assert err == (
        "host: the firmware is of another build of residual\n"
        "  fix: flash the firmware of this build directory\n"
    )


def test_a_board_needs_a_place(
    whole: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("arm-none-eabi-gcc")
    folder = tmp_path / "out"
    pipeline.build(whole / "model.tflite", "stm32", folder, pipeline.Options())
    assert call(capfd, "run", folder) == (
        2,
        "",
        f"{folder}: say where stm32 is\n"
        "  fix: --port auto (or PORT) for a board, or an emulator: --emulator qemu, "
        "--emulator renode\n",
    )
    assert call(capfd, "run", folder, "--emulator", "qemu", "--port", "/dev/null") == (
        2,
        "",
        "--port: a board is at a port, in an emulator or in a recording: one of them\n"
        "  fix: give one of --emulator and --port\n",
    )


# ---- inputs from files --------------------------------------------------------------------


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build whose output is its input, four int8."""
    tools.require("gcc")
    folder = tmp_path_factory.mktemp("echo")
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    shape = b.constant(np.array([4, 1], np.int32))
    b.operator("RESHAPE", (x, shape), (4, 1), scale=0.5)
    (folder / "echo.tflite").write_bytes(b.bytes())
    pipeline.build(folder / "echo.tflite", "host", folder / "out", pipeline.Options())
    return folder / "out"


def test_input_files(echo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    raw, array = tmp_path / "x.bin", tmp_path / "x.npy"
    raw.write_bytes(bytes([1, 2, 255, 128]))
    np.save(array, np.array([[1, 2, -1, -128]], np.int8))
    for file in (raw, array):
        status, out, _ = call(capfd, "run", echo, "--input", file)
        assert status == 0
        assert out.splitlines()[-1].endswith(": 1 2 -1 -128")


def test_wrong_input_files(echo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    short, floats, absent = tmp_path / "short.bin", tmp_path / "f.npy", tmp_path / "absent"
    short.write_bytes(b"abc")
    np.save(floats, np.zeros(4, np.float32))
    damaged = tmp_path / "damaged.npy"
    damaged.write_bytes(b"\x93NUMPY nonsense")
    for arguments, message in (
        ([short], f"{short}: holds 3 B; the input takes 4 int8 (4 B)\n"),
        ([floats], f"{floats}: holds 4 float32; the input takes 4 int8 (4 B)\n"),
        ([absent], f"{absent}: cannot be read: No such file or directory\n"),
        (
            [short, short],
            "--input: the model has 1 inputs; got 2 files\n"
            "  fix: give --input once for each input of the model, in its order\n",
        ),
    ):
        options = [part for file in arguments for part in ("--input", file)]
        assert call(capfd, "run", echo, *options) == (2, "", message)
    status, _, err = call(capfd, "run", echo, "--input", damaged)
    assert status == 2
    assert err.startswith(f"{damaged}: is no .npy array: ")


def test_an_emulator_that_the_board_does_not_have(
    whole: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert call(capfd, "run", whole, "--emulator", "qemu") == (
        2,
        "",
        "--emulator: host has no emulator qemu; known for it: none\n"
        "  fix: a board of 'mcucomp boards' that has one, or --board host without an emulator\n",
    )


def test_a_model_without_operators(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its output is its input; the C has neither steps nor kernels."""
    tools.require("gcc", "tflite_micro")
    b = ModelBuilder()
    x = b.input((1, 5), scale=0.5)
    (tmp_path / "empty.tflite").write_bytes(b.bytes(outputs=(x,)))
    options = pipeline.Options(sanitize=True)
    pipeline.build(tmp_path / "empty.tflite", "host", tmp_path / "out", options)
    status, out, _ = call(capfd, "check", tmp_path / "out", "--inputs", 2)
    assert status == 0
    assert "2 inputs, 10 output bytes: all equal to TensorFlow Lite Micro's" in out
