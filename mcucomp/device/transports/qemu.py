"""The firmware in QEMU, its serial line over a TCP connection on this computer."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

import serial

from mcucomp.boards import Board, Emulator
from mcucomp.device.transports import child
from mcucomp.device.transports.serial_line import SerialLine
from mcucomp.errors import InvalidInput, McucompError, ToolFailed, ToolMissing
from mcucomp.placement import require_emulated

PROGRAM = "qemu-system-arm"


class Qemu(SerialLine):
    """Starts qemu-system-arm with the board's machine and ends it on close."""

    name = "qemu"
    no_answer_fix = "the emulator runs but the firmware is silent: see log/qemu.txt, build again"
    noise_fix = "this is our bug: please report it"

    def __init__(self, elf: Path, board: Board, stderr_file: Path, program: str = PROGRAM) -> None:
        """Starts it and connects.

        Raises:
            InvalidInput: QEMU has no machine for the board, or no memory where the image is.
            ToolMissing: QEMU is not installed, or the image is not there.
            ToolFailed: QEMU ended at once; the error carries what it said.
        """
        if "qemu" not in board.emulators:
            known = ", ".join(board.emulators) or "none"
            raise InvalidInput(
                f"the board {board.name} has no emulator qemu; known for it: {known}",
                fix="choose a board that `mcucomp boards` lists with qemu",
            )
        emulator = board.emulators["qemu"]
        require_emulated(board, f"the machine {emulator.machine} of qemu", emulator.regions)
        if shutil.which(program) is None:
            raise ToolMissing(f"{program} is not installed", fix=f"apt install {PROGRAM}")
        if not elf.is_file():
            raise ToolMissing("the firmware is missing", at=str(elf), fix="build it again")
        self._emulator = emulator
        self._stderr_file = stderr_file
        self._program = program
        self._child, port = self._start(elf)
        try:
            super().__init__(self._connect(port))
        except BaseException:
            child.end(self._child)
            raise

    def _start(self, elf: Path) -> tuple[subprocess.Popen[bytes], int]:
        """QEMU and the port that it serves.

        We take a free port, listen, and hand the listening socket over: no one
        else can get the port in between.
        """
        with (
            socket.create_server(("127.0.0.1", 0)) as listener,
            self._stderr_file.open("wb") as stderr,
        ):
            fd = listener.fileno()
            command = [self._program, *arguments(self._emulator, elf, fd)]
            try:
                started = child.start(command, stderr=stderr, pass_fds=(fd,))
            except OSError as error:
                raise ToolFailed(
                    f"{self._program} cannot be started: {error.strerror}",
                    fix=f"apt install --reinstall {PROGRAM}",
                ) from error
            return started, listener.getsockname()[1]

    def _connect(self, port: int) -> serial.SerialBase:
        try:
            return serial.serial_for_url(f"socket://127.0.0.1:{port}")
        except serial.SerialException as error:
            raise self.failure() or ToolFailed(
                f"{self._program} does not serve its serial line: {error}"
            ) from error

    def failure(self) -> McucompError | None:
        try:
            status = self._child.wait(0.5)
        except subprocess.TimeoutExpired:
            return None
        ending = f"signal {-status}" if status < 0 else f"status {status}"
        return ToolFailed(
            f"{PROGRAM} ended by itself, {ending}",
            details=child.last_lines(self._stderr_file),
            fix=f"QEMU 7.2 or newer is needed, with the machine {self._emulator.machine}",
        )

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return self._emulator.instructions(ticks)

    def close(self) -> None:
        super().close()
        child.end(self._child)


def arguments(emulator: Emulator, elf: Path, listening_fd: int) -> list[str]:
    """QEMU's arguments: all serial lines before the board's own lead nowhere."""
    cpu = ["-cpu", emulator.cpu] if emulator.cpu else []
    return [
        *("-M", emulator.machine),
        *cpu,
        *("-kernel", str(elf)),
        *("-display", "none", "-monitor", "none", "-nodefaults"),
        *("-serial", "null") * emulator.serial_index,
        *("-chardev", f"socket,id=line,fd={listening_fd},server=on,wait=on,nodelay=on"),
        *("-serial", "chardev:line"),
        *("-icount", f"shift={emulator.icount_shift}"),
        *emulator.arguments,
    ]
