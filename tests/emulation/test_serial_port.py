"""The whole way over a serial port: a firmware behind a pseudo terminal, as if on a board.

The build directory is for a board, the firmware that answers is the same model's for this
computer. Recorded once, the conversation is played again without it.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcucomp import boards, build_directory, cli, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.check.inputs import pattern, quantized_inputs
from mcucomp.device import Progress, open_session
from mcucomp.device.recorder import load
from tests.support import tools
from tests.support.models import residual_network


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, progress is not told: the error stream is compared."""
    monkeypatch.setattr("mcucomp.report.terminal.PROGRESS_AFTER_S", 1e6)


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with builds of one model: for the board, and for this computer."""
    tools.require("gcc", "arm-none-eabi-gcc")
    folder = tmp_path_factory.mktemp("builds")
    (folder / "residual.tflite").write_bytes(residual_network().bytes())
    # The same kernels for both, so that both have the same build id.
    options = pipeline.Options(kernels=Wanted(KernelSet.PORTABLE))
    for board in ("nucleo-f446re", "host"):
        pipeline.build(folder / "residual.tflite", board, folder / board, options)
    return folder


@pytest.fixture
def port(builds: Path) -> Iterator[str]:
    """The path of a serial port with the board behind it."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    firmware = subprocess.Popen([builds / "host" / "firmware.elf"], stdin=ours, stdout=ours)
    yield os.ttyname(theirs)
    firmware.kill()
    firmware.wait()
    os.close(ours)
    os.close(theirs)


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(a) for a in arguments])
    said = capfd.readouterr()
    return status, said.out, said.err


def test_run_record_replay(
    builds: Path, port: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, recording = builds / "nucleo-f446re", tmp_path / "talk.txt"
    status, out, err = call(capfd, "run", folder, "--port", port, "--record", recording, "--json")
    assert (status, err) == (0, "")
    live = json.loads(out)
    assert (live["board"], live["transport"]) == ("nucleo-f446re", f"serial {port}")
    assert live["measured"]["arena_peak_bytes"] == live["predicted"]["arena_peak_bytes"]
    status, out, err = call(capfd, "run", folder, "--replay", recording, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {**live, "transport": "replay"}


def test_check_record_replay(
    builds: Path, port: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("tflite_micro")
    folder, recording = builds / "nucleo-f446re", tmp_path / "talk.txt"
    inputs = ("--inputs", "2", "--seed", "3")
    status, out, _ = call(capfd, "check", folder, "--port", port, "--record", recording, *inputs)
    assert status == 0
    assert "all equal to TensorFlow Lite Micro's" in out
    status, again, _ = call(capfd, "check", folder, "--replay", recording, *inputs)
    assert status == 0
    assert again == out.replace(f"serial {port}", "replay")
    status, _, err = call(capfd, "check", folder, "--replay", recording, "--seed", "4")
    assert status == 3
    what, fix = err.splitlines()[-2:]  # behind what a slow machine tells of its progress
    assert what.startswith(f"{recording}, line ")
    assert what.endswith(": the host says something else than when this was recorded")
    assert fix == "  fix: record the conversation again"


def test_a_board_that_is_reset_during_a_run(builds: Path, tmp_path: Path) -> None:
    """The real firmware ends and starts anew in the middle: the run is begun again."""
    build = build_directory.load(builds / "nucleo-f446re")
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    program = builds / "host" / "firmware.elf"
    running = [subprocess.Popen([program], stdin=ours, stdout=ours)]

    def reset(state: Progress) -> None:
        if state.stage == "send inputs" and len(running) == 1:
            running[0].kill()
            running[0].wait()
            running.append(subprocess.Popen([program], stdin=ours, stdout=ours))

    inputs = quantized_inputs(build, pattern(build.graph))
    with open_session(
        build.board, build.elf, log_folder=tmp_path, port=os.ttyname(theirs), progress=reset
    ) as session:
        run = session.infer(inputs)
    running[1].kill()
    running[1].wait()
    os.close(ours)
    os.close(theirs)
    assert run.arena_peak_bytes == build.arena_peak_bytes
    said = [raw.split()[2] for _, raw in load(tmp_path / "serial.txt") if raw[:4] == b"mcuc"]
    assert b"start" in said[said.index(b"hello") :]
    assert said.count(b"paint") == 3, "once more than without the reset"
    with open_session(boards.find("host"), program, log_folder=tmp_path) as session:
        assert run.outputs == session.infer(inputs).outputs


def test_one_place_at_a_time(
    builds: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = builds / "nucleo-f446re"
    assert call(capfd, "run", folder, "--port", "/dev/null", "--replay", "x") == (
        2,
        "",
        "--replay: a board is at a port, in an emulator or in a recording: one of them\n"
        "  fix: give one of --port and --replay\n",
    )
    assert call(capfd, "run", folder, "--record", "y", "--replay", "x") == (
        2,
        "",
        "--record: a conversation that is played is not recorded again\n"
        "  fix: give one of --record and --replay\n",
    )


def test_the_monitor(builds: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A board that is switched on while somebody listens says `start` by itself."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    started: list[subprocess.Popen[bytes]] = []

    def switch_on() -> None:
        program = builds / "host" / "firmware.elf"
        started.append(subprocess.Popen([program], stdin=ours, stdout=ours))

    timer = threading.Timer(0.4, switch_on)
    timer.start()
    try:
        port = os.ttyname(theirs)
        status, out, err = call(capfd, "monitor", "--port", port, "--for", "2")
    finally:
        timer.join()
        started[0].kill()
        started[0].wait()
        os.close(ours)
        os.close(theirs)
    assert (status, err) == (0, f"serial {port}: listening\n")
    assert [line.split()[2] for line in out.splitlines()] == ["start", "end"]


def test_what_the_monitor_refuses(capfd: pytest.CaptureFixture[str]) -> None:
    assert call(capfd, "monitor") == (
        2,
        "",
        "mcucomp monitor: say which board's port is to be found\n"
        "  fix: --board BOARD, or --port PORT; --list shows the ports\n",
    )
    status, out, _ = call(capfd, "monitor", "--port", "/dev/null", "--json")
    assert status == 2
    assert json.loads(out)["error"] == {
        "kind": "invalid-input",
        "what": "a serial line is no JSON document",
        "at": "--json",
        "details": [],
        "fix": "use it with --list",
    }
    status, out, _ = call(capfd, "monitor", "--list", "--json")
    assert status == 0
    assert isinstance(json.loads(out)["ports"], list)
