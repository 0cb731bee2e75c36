"""Renode, which is in no package registry: the script that it gets, its log, its ending.

A program that stands in for it reads the script as far as these tests need, serves the
line with a firmware for the host, and writes a log. The real one is used where it is
installed (tests/emulation/test_renode.py, tests/renode).
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from mcucomp import boards
from mcucomp.device import Limits, Session, open_session, start_session
from mcucomp.device.transports.renode import Renode, script, stray_access
from mcucomp.errors import CheckFailed, InvalidInput, ToolFailed, ToolMissing
from tests.support import tools

sys.path.insert(0, str(Path(__file__).parents[2] / "emulation"))
from fake_model.build import build

BOARD = boards.find("stm32")
VALUES, ORDERS = bytes(700), bytes(8)

STAND_IN = """\
import os, pathlib, pty, re, subprocess, sys, tty
commands = pathlib.Path("run.resc").read_text()
assert sys.argv[1:] == [
    "--plain", "--disable-gui", "--port", "-1", "--console", "-e", "include @run.resc"
], sys.argv
platform, image, log = (
    re.search(rf"{word} @(\\S+)", commands)[1]
    for word in ("LoadPlatformDescription", "LoadELF", "logFile")
)
assert "usart2: UART." in pathlib.Path(platform).read_text()
pathlib.Path(log).write_text(LOG)
ours, theirs = os.openpty()
tty.setraw(theirs)
os.chmod(image, 0o755)
firmware = subprocess.Popen([os.path.abspath(image)], stdin=ours, stdout=ours)
os.symlink(os.ttyname(theirs), re.search(r'CreateUartPtyTerminal "line" "(\\w+)"', commands)[1])
assert sys.stdin.readline() == "quit\\n"
pathlib.Path("ended").write_text("well")
firmware.kill()
"""
PERIPHERAL = (
    "15:02:11.1 [WARNING] sysbus: [cpu: 0x8000FDC] ReadDoubleWord from non existing peripheral"
    " at 0x58024800.\n"
)
READ = (
    "15:02:11.3 [WARNING] sysbus: [cpu: 0x80001A2] ReadByte from non existing peripheral"
    " at 0x20020000.\n"
)
WRITE = (
    "15:02:11.3 [WARNING] sysbus: [cpu: 0x80001A6] WriteDoubleWord to non existing peripheral"
    " at 0x1000FFFC, value 0x1.\n"
)


def stand_in(folder: Path, body: str, log: str = "") -> str:
    path = folder / "renode"
    path.write_text(f"#!{sys.executable}\nLOG = {log!r}\n{body}")
    path.chmod(0o755)
    return str(path)


def begin(tmp_path: Path, log: str = "") -> Session:
    tools.require("gcc", "setpriv")
    elf = build(boards.find("host"), tmp_path)
    folder = tmp_path / "log" / "renode"
    transport = Renode(elf, BOARD, folder, program=stand_in(tmp_path, STAND_IN, log))
    return start_session(transport, "stm32", None, limits=Limits(answer_s=5))


def test_the_script() -> None:
    assert script(BOARD.emulators["renode"], BOARD) == (
        "using sysbus\n"
        'mach create "stm32"\n'
        "machine LoadPlatformDescription @board.repl\n"
        "cpu PerformanceInMips 100\n"
        "logFile @log.txt\n"
        "sysbus LoadELF @firmware.elf\n"
        "cpu VectorTableOffset 0x8000000\n"
        'emulation CreateUartPtyTerminal "line" "line"\n'
        "connector Connect sysbus.usart2 line\n"
        "start\n"
    )


@pytest.mark.parametrize("name", [n for n, b in boards.known().items() if "renode" in b.emulators])
def test_a_tick_is_an_instruction(name: str) -> None:
    emulator = boards.find(name).emulators["renode"]
    assert emulator.instructions(12_345_678) == 12_345_678
    assert f"cpu PerformanceInMips {emulator.mips}\n" in script(emulator, boards.find(name))


def test_a_run(tmp_path: Path) -> None:
    with begin(tmp_path, PERIPHERAL) as session:
        run = session.infer([VALUES, ORDERS])
    assert run.transport == "renode"
    assert run.outputs[1] == VALUES
    assert (tmp_path / "log" / "renode" / "ended").read_text() == "well"


def test_an_access_beside_the_memories_fails_the_run(tmp_path: Path) -> None:
    with begin(tmp_path, PERIPHERAL + READ) as session, pytest.raises(CheckFailed) as caught:
        session.infer([VALUES, ORDERS])
    assert str(caught.value) == (
        "renode: the firmware left the memories of the chip:"
        " the code at 0x080001a2 read from 0x20020000\n"
        "  fix: this is a bug of mcucomp or of the port: please report it with the model"
    )


def test_what_a_log_tells() -> None:
    assert stray_access("") is None
    assert stray_access(PERIPHERAL) is None, "the port does that, and knows it"
    assert stray_access(PERIPHERAL + WRITE + READ) == ("the code at 0x080001a6 wrote to 0x1000fffc")


def test_it_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing) as caught:
        open_session(BOARD, tmp_path / "x.elf", log_folder=tmp_path, transport="renode")
    assert str(caught.value) == (
        "renode is not installed\n"
        "  fix: renode.io has it for download; put it on the PATH (or use --emulator qemu)"
    )


def test_a_board_without_a_platform(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        Renode(tmp_path, boards.find("mps2-an386"), tmp_path / "renode")
    assert str(caught.value) == (
        "the board mps2-an386 has no emulator renode; known for it: qemu\n"
        "  fix: choose a board that `mcucomp boards` lists with renode"
    )


def test_a_missing_image(tmp_path: Path) -> None:
    elf = tmp_path / "absent.elf"
    with pytest.raises(ToolMissing) as caught:
        Renode(elf, BOARD, tmp_path / "work", program=stand_in(tmp_path, ""))
    assert str(caught.value) == f"{elf}: the firmware is missing\n  fix: build it again"


def image(tmp_path: Path) -> Path:
    elf = tmp_path / "firmware.elf"
    elf.write_bytes(b"")
    return elf


def test_it_ends_at_once(tmp_path: Path) -> None:
    """A script that fails: the real one says so and ends with status 0."""
    program = stand_in(tmp_path, 'print("There was an error executing command")\n')
    with pytest.raises(ToolFailed) as caught:
        Renode(image(tmp_path), BOARD, tmp_path / "work", program=program)
    assert str(caught.value) == (
        "renode ended by itself, status 0\n"
        "  There was an error executing command\n"
        "  fix: see log/renode/console.txt; Renode 1.16 or newer is needed"
    )


def test_it_makes_no_line_and_is_ended(tmp_path: Path) -> None:
    body = 'import os, time; open("pid", "w").write(str(os.getpid())); time.sleep(60)\n'
    program = stand_in(tmp_path, body)
    with pytest.raises(ToolFailed) as caught:
        Renode(image(tmp_path), BOARD, tmp_path / "work", program=program, start_s=1.0)
    assert str(caught.value) == (
        "renode made no serial line within 1 s\n"
        "  fix: see log/renode/console.txt; Renode 1.16 or newer is needed"
    )
    pid = int((tmp_path / "work" / "pid").read_text())
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("it still runs")
