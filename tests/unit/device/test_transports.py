"""Starting and ending programs and ports: whole messages, and nothing left running."""

from __future__ import annotations

import os
import shutil
import stat
import time
from pathlib import Path

import pytest

from mcucomp import boards
from mcucomp.device import Limits, open_session, start_session
from mcucomp.device.transports.qemu import Qemu, arguments
from mcucomp.device.transports.serial_port import SerialPort
from mcucomp.errors import DeviceError, InvalidInput, ToolFailed, ToolMissing


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    path = tmp_path / "firmware.elf"
    path.write_bytes(b"no image at all")
    return path


def test_a_missing_emulator_is_told(elf: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolMissing) as caught:
        Qemu(elf, boards.find("stm32"), tmp_path / "qemu.txt", program="qemu-that-is-not-there")
    assert str(caught.value) == (
        "qemu-that-is-not-there is not installed\n  fix: apt install qemu-system-arm"
    )


def test_qemu_itself_is_what_is_missing(
    elf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing) as caught:
        open_session(boards.find("stm32"), elf, log_folder=tmp_path / "log", transport="qemu")
    assert str(caught.value) == (
        "qemu-system-arm is not installed\n  fix: apt install qemu-system-arm"
    )


def test_an_emulator_that_ends_at_once_is_told_with_its_words(elf: Path, tmp_path: Path) -> None:
    program = script(tmp_path / "qemu", "echo 'unsupported machine type' >&2; exit 1")
    with pytest.raises(ToolFailed) as caught:
        start_session(
            Qemu(elf, boards.find("stm32"), tmp_path / "qemu.txt", program=str(program)),
            "stm32",
            None,
        )
    assert str(caught.value) == (
        "qemu-system-arm ended by itself, status 1\n"
        "  unsupported machine type\n"
        "  fix: QEMU 7.2 or newer is needed, with the machine netduinoplus2"
    )


def test_qemu_refuses_what_is_no_image(elf: Path, tmp_path: Path) -> None:
    if shutil.which("qemu-system-arm") is None:
        pytest.skip("qemu-system-arm not found")
    board = boards.find("stm32")
    broken = board.model_copy(
        update={
            "emulators": {"qemu": board.emulators["qemu"].model_copy(update={"machine": "none-x"})}
        }
    )
    with pytest.raises(ToolFailed) as caught:
        open_session(broken, elf, log_folder=tmp_path / "log")
    assert caught.value.what == "qemu-system-arm ended by itself, status 1"
    assert any("unsupported machine type" in line for line in caught.value.details)


def test_the_emulator_is_ended_even_where_it_does_not_want_to(elf: Path, tmp_path: Path) -> None:
    program = script(
        tmp_path / "qemu", f"trap '' TERM; echo $$ > {tmp_path}/pid; while :; do sleep 0.1; done"
    )
    board = boards.find("stm32")
    transport = Qemu(elf, board, tmp_path / "qemu.txt", program=str(program))
    with pytest.raises(DeviceError) as caught:
        start_session(transport, "stm32", None, limits=Limits(answer_s=0.5))
    assert str(caught.value) == (
        "stm32 on qemu: no answer from the device within 0.5 s\n"
        "  heard nothing at all\n"
        "  fix: the emulator runs but the firmware is silent: see log/qemu.txt, build again"
    )
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 2
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(pid)


def test_all_serial_lines_but_the_boards_lead_nowhere() -> None:
    emulator = boards.find("stm32").emulators["qemu"]
    words = " ".join(arguments(emulator, Path("x.elf"), 5))
    assert "-serial null -chardev socket,id=line,fd=5,server=on" in words
    assert words.endswith("-serial chardev:line -icount shift=0")


def test_a_board_without_qemu_is_told(elf: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        open_session(boards.find("host"), elf, log_folder=tmp_path, transport="qemu")
    assert str(caught.value) == (
        "the board host has no emulator qemu; known for it: none\n"
        "  fix: choose a board that `mcucomp boards` lists with qemu"
    )


def test_an_unknown_transport_is_told(elf: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        open_session(boards.find("stm32"), elf, log_folder=tmp_path, transport="quemu")
    assert str(caught.value) == "no transport named quemu; known: qemu, renode, host"


def test_firmware_for_a_board_does_not_run_here(elf: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        open_session(boards.find("stm32"), elf, log_folder=tmp_path, transport="host")
    assert str(caught.value) == (
        "firmware for the board stm32 does not run on this computer\n"
        "  fix: use an emulator (--emulator qemu) or a port (--port)"
    )


def test_a_missing_image_is_told(tmp_path: Path) -> None:
    for name in ("host", "stm32"):
        if name == "stm32" and shutil.which("qemu-system-arm") is None:
            pytest.skip("qemu-system-arm not found")
        with pytest.raises(ToolMissing) as caught:
            open_session(boards.find(name), tmp_path / "no.elf", log_folder=tmp_path)
        assert str(caught.value) == (
            f"{tmp_path / 'no.elf'}: the firmware is missing\n  fix: build it again"
        )


def test_a_host_program_that_ends_is_told(tmp_path: Path) -> None:
    program = script(tmp_path / "firmware.elf", "echo oops >&2; exit 3")
    with pytest.raises(ToolFailed) as caught:
        open_session(boards.find("host"), program, log_folder=tmp_path / "log")
    assert str(caught.value) == (
        f"{program}: the firmware ended by itself, status 3\n"
        "  oops\n"
        "  fix: it is our bug unless the C compiler is broken: please report it"
    )


def test_a_port_that_is_not_there_is_told() -> None:
    with pytest.raises(ToolFailed) as caught:
        SerialPort(lambda: "/dev/no-such-port", boards.find("stm32"))
    assert caught.value.at == "/dev/no-such-port"
    assert caught.value.what.startswith("the serial port cannot be opened: ")
    assert caught.value.fix == (
        "connect USART2 (PA2 transmits, PA3 receives (headers P1;"
        " not on the debugger's USB)); close what else uses it"
    )


def test_the_host_has_no_port() -> None:
    with pytest.raises(InvalidInput) as caught:
        SerialPort(lambda: "/dev/ttyUSB0", boards.find("host"))
    assert str(caught.value) == "the board host has no serial line\n  fix: leave out the port"
