"""The firmware in Renode, its serial line over a pseudo terminal.

The platform files are mcucomp's own, in boards/renode/: the chip's memories as large as
they are, and the few peripherals that the firmware uses. Renode answers a read
beside all memories with zero and writes a line to its log; that line is looked for
after each run, and fails it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import serial

from mcucomp.boards import Board, RenodeEmulator
from mcucomp.device.transports import child
from mcucomp.device.transports.serial_line import SerialLine
from mcucomp.errors import CheckFailed, InvalidInput, McucompError, ToolFailed, ToolMissing
from mcucomp.paths import renode_folder

PROGRAM = "renode"
START_S = 60.0
ARGUMENTS = (
    *("--plain", "--disable-gui", "--port", "-1", "--console"),
    *("-e", "include @run.resc"),
)

# Names inside the folder that Renode works in, so that no path has to be quoted for it.
SCRIPT, PLATFORM, IMAGE, LINE, LOG = "run.resc", "board.repl", "firmware.elf", "line", "log.txt"

_STRAY = re.compile(
    r"\[cpu: 0x(?P<pc>[0-9A-Fa-f]+)\] (?P<access>Read|Write)\w* (?:from|to) "
    r"non existing peripheral at 0x(?P<address>[0-9A-Fa-f]+)"
)
_PERIPHERALS = 0x4000_0000  # addresses from here on are no memory of a Cortex-M chip


def script(emulator: RenodeEmulator, board: Board) -> str:
    """The commands that make the machine, connect its serial line to LINE, and start it."""
    return "\n".join(
        [
            "using sysbus",
            f'mach create "{board.name}"',
            f"machine LoadPlatformDescription @{PLATFORM}",
            f"cpu PerformanceInMips {emulator.mips}",
            f"logFile @{LOG}",
            f"sysbus LoadELF @{IMAGE}",
            f"cpu VectorTableOffset {_vectors(board):#x}",
            f'emulation CreateUartPtyTerminal "line" "{LINE}"',
            f"connector Connect sysbus.{emulator.uart} line",
            "start",
            "",
        ]
    )


def _vectors(board: Board) -> int:
    assert board.sections is not None
    return board.region(board.sections.code).origin


def stray_access(log: str) -> str | None:
    """The first access to no memory at all that a log tells of, as a phrase."""
    for found in _STRAY.finditer(log):
        if int(found["address"], 16) < _PERIPHERALS:
            verb = "read from" if found["access"] == "Read" else "wrote to"
            address, pc = int(found["address"], 16), int(found["pc"], 16)
            return f"the code at {pc:#010x} {verb} {address:#010x}"
    return None


class Renode(SerialLine):
    """Starts renode with a script of its own and ends it on close."""

    name = "renode"
    no_answer_fix = "Renode runs but the firmware is silent: see log/renode/log.txt, build again"
    noise_fix = "this is our bug: please report it"

    def __init__(
        self,
        elf: Path,
        board: Board,
        folder: Path,
        program: str = PROGRAM,
        start_s: float = START_S,
    ) -> None:
        """Starts it and opens the line; `folder` is emptied and stays, with script and log.

        Raises:
            InvalidInput: the board has no platform file for Renode.
            ToolMissing: Renode is not installed, or the image is not there.
            ToolFailed: Renode ended at once, or made no line within `start_s`.
        """
        if "renode" not in board.emulators:
            known = ", ".join(board.emulators) or "none"
            raise InvalidInput(
                f"the board {board.name} has no emulator renode; known for it: {known}",
                fix="choose a board that `mcucomp boards` lists with renode",
            )
        if shutil.which(program) is None:
            raise ToolMissing(
                f"{program} is not installed",
                fix="renode.io has it for download; put it on the PATH (or use --emulator qemu)",
            )
        if not elf.is_file():
            raise ToolMissing("the firmware is missing", at=str(elf), fix="build it again")
        self._emulator = board.emulators["renode"]
        self._folder = folder
        self._prepare(elf, board)
        self._child = self._start(program)
        try:
            super().__init__(self._open(start_s))
        except BaseException:
            self._end()
            raise

    def _prepare(self, elf: Path, board: Board) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        (self._folder / SCRIPT).write_text(script(self._emulator, board), encoding="ascii")
        shutil.copy(renode_folder() / self._emulator.platform, self._folder / PLATFORM)
        shutil.copy(elf, self._folder / IMAGE)

    def _start(self, program: str) -> subprocess.Popen[bytes]:
        # Its console reads commands until it is told to quit: the pipe stays open.
        with (self._folder / "console.txt").open("wb") as console:
            try:
                return child.start(
                    [program, *ARGUMENTS],
                    stderr=console,
                    stdout=console,
                    stdin=subprocess.PIPE,
                    folder=self._folder,
                )
            except OSError as error:
                raise ToolFailed(
                    f"{program} cannot be started: {error.strerror}", fix="install it again"
                ) from error

    def _open(self, start_s: float) -> serial.SerialBase:
        line = self._folder / LINE
        deadline = time.monotonic() + start_s
        while not line.exists():
            failure = self.failure(wait_s=0.05)
            if failure is not None:
                raise failure
            if time.monotonic() > deadline:
                raise ToolFailed(
                    f"{PROGRAM} made no serial line within {start_s:g} s",
                    details=child.last_lines(self._folder / "console.txt"),
                    fix="see log/renode/console.txt; Renode 1.16 or newer is needed",
                )
        return serial.serial_for_url(str(line))

    def failure(self, wait_s: float = 0.5) -> McucompError | None:
        try:
            status = self._child.wait(wait_s)
        except subprocess.TimeoutExpired:
            return None
        return ToolFailed(
            f"{PROGRAM} ended by itself, status {status}",
            details=child.last_lines(self._folder / "console.txt"),
            fix="see log/renode/console.txt; Renode 1.16 or newer is needed",
        )

    def complaint(self) -> McucompError | None:
        log = self._folder / LOG
        if not log.is_file():
            return None
        stray = stray_access(log.read_text(encoding="utf-8", errors="replace"))
        if stray is None:
            return None
        return CheckFailed(
            f"the firmware left the memories of the chip: {stray}",
            at=self.name,
            fix="this is a bug of mcucomp or of the port: please report it with the model",
        )

    def instructions(self, ticks: int) -> int | None:
        return self._emulator.instructions(ticks)

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        """Renode may be a script that started the real one: all of its group ends."""
        if self._child.poll() is None and self._child.stdin is not None:
            try:
                self._child.stdin.write(b"quit\n")
                self._child.wait(2.0)
            except (OSError, subprocess.TimeoutExpired):
                pass
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        child.end(self._child)
