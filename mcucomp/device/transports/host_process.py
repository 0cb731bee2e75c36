"""The firmware as a program of this computer: its input and output are the line."""

from __future__ import annotations

import os
import select
import subprocess
from pathlib import Path

from mcucomp.device.transports import child
from mcucomp.errors import McucompError, ToolFailed, ToolMissing

_READ_BYTES = 1 << 16


class HostProcess:
    """Runs a program that was built for the board `host`."""

    name = "host"
    no_answer_fix = "run the program by hand and press return: it should answer with a line"
    noise_fix = "this is our bug: please report it"

    def __init__(self, program: Path, stderr_file: Path) -> None:
        """Starts it.

        Raises:
            ToolMissing: there is no such program.
            ToolFailed: the operating system cannot run it.
        """
        self._program = program
        self._stderr_file = stderr_file
        if not program.is_file():
            raise ToolMissing("the firmware is missing", at=str(program), fix="build it again")
        with stderr_file.open("wb") as stderr:
            self._child = child.start([str(program.resolve())], stderr=stderr, pipes=True)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._input = self._child.stdin.fileno()
        self._output = self._child.stdout.fileno()

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._input, data) :]

    def read(self, timeout_s: float) -> bytes:
        ready, _, _ = select.select([self._output], [], [], timeout_s)
        if not ready:
            return b""
        received = os.read(self._output, _READ_BYTES)
        if not received:
            raise EOFError
        return received

    def failure(self) -> McucompError | None:
        try:
            status = self._child.wait(0.5)
        except subprocess.TimeoutExpired:
            return None
        return ToolFailed(
            f"the firmware ended by itself, {_ending(status)}",
            at=str(self._program),
            details=child.last_lines(self._stderr_file),
            fix="it is our bug unless the C compiler is broken: please report it",
        )

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return None

    def close(self) -> None:
        child.end(self._child)


def _ending(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"
