"""What flashing is made of: running a program, comparing two files, filling a drive."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mcucomp.device.flashers import uf2_file
from mcucomp.errors import ToolFailed

DRIVE_S = 20.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step ended: 0 is well; and everything it said."""

    status: int
    output: str


class Step(Protocol):
    """One thing to do. `shown` is how it is told; for a program it can be typed as it is."""

    @property
    def shown(self) -> str: ...

    def perform(self) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Run:
    """A program with its arguments. Its output is read as one text."""

    words: tuple[str, ...]

    @property
    def shown(self) -> str:
        return shlex.join(self.words)

    def perform(self) -> Outcome:
        try:
            ended = subprocess.run(
                self.words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
        except OSError as error:
            raise ToolFailed(
                f"{self.words[0]} cannot be started: {error.strerror}", fix="install it again"
            ) from error
        text = ended.stdout.decode("utf-8", errors="replace")
        return Outcome(ended.returncode, text.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class Compare:
    """What was read back, against what should have been written."""

    written: Path
    read_back: Path

    @property
    def shown(self) -> str:
        return f"cmp {shlex.quote(str(self.written))} {shlex.quote(str(self.read_back))}"

    def perform(self) -> Outcome:
        wanted = self.written.read_bytes()
        found = self.read_back.read_bytes() if self.read_back.is_file() else b""
        self.read_back.unlink(missing_ok=True)
        if found[: len(wanted)] == wanted:
            return Outcome(0, f"read back {len(wanted)} bytes: all equal")
        at = next((i for i, (a, b) in enumerate(zip(wanted, found, strict=False)) if a != b), None)
        if at is None:
            return Outcome(1, f"read back {len(found)} of {len(wanted)} bytes")
        return Outcome(1, f"read back: byte {at} differs")


@dataclass(frozen=True, slots=True)
class FillDrive:
    """Makes a UF2 file of a raw image and copies it to the drive of a boot loader.

    The boot loader checks each block, writes it, and restarts the board after the last:
    the drive goes away. A drive that stays has not got all of them.
    """

    binary: Path
    uf2: Path
    origin: int
    family: int
    label: str
    mounts: Callable[[str], list[Path]]
    timeout_s: float = DRIVE_S

    @property
    def shown(self) -> str:
        return f"cp {shlex.quote(str(self.uf2))} <the drive {self.label}>"

    def perform(self) -> Outcome:
        drives = self.mounts(self.label)
        if len(drives) != 1:
            found = ", ".join(map(str, drives)) or "none"
            return Outcome(1, f"drives with the label {self.label}: {found}")
        self.uf2.write_bytes(uf2_file.encode(self.binary.read_bytes(), self.origin, self.family))
        try:
            with self.uf2.open("rb") as source, (drives[0] / self.uf2.name).open("wb") as target:
                shutil.copyfileobj(source, target)
                target.flush()
                os.fsync(target.fileno())
        except OSError as error:
            # The board restarts while the system still writes: only the drive's going counts.
            if drives[0].exists():
                return Outcome(1, f"copying to {drives[0]} failed: {error.strerror}")
        deadline = time.monotonic() + self.timeout_s
        while drives[0].exists():
            if time.monotonic() > deadline:
                return Outcome(1, f"the drive {drives[0]} is still there after the copy")
            time.sleep(0.05)
        return Outcome(0, "the boot loader took every block and restarted the board")
