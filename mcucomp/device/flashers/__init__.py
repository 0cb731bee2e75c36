"""Which tools can write a board, how are they called, and what does their failing mean?

One file a tool, found by being here, with a `FLASHER`: the steps of writing and
verifying, a text in the tool's output that proves the verification, and symptoms:
texts in its output, with the cause they point to and what to do about it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mcucomp.boards import Board
from mcucomp.device.flashers.steps import Step


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be written where. `options` is the tool's own table in the board file."""

    board: Board
    elf: Path
    binary: Path
    options: Any
    probe: str | None
    port: str | None
    folder: Path

    @property
    def address(self) -> str:
        """Where the raw image begins, as every tool reads it."""
        return f"{self.board.flash_origin:#010x}"


@dataclass(frozen=True, slots=True)
class Symptom:
    """A text in a tool's output, and what it means."""

    pattern: str
    cause: str
    fix: str


@dataclass(frozen=True, slots=True)
class Flasher:
    """A tool. `program` is None where mcucomp does the work itself.

    `proof` is found in the output of a run that verified; where it is not, the run
    counts as failed even if the tool ended with status 0.
    """

    name: str
    program: str | None
    install: str
    steps: Callable[[Job], tuple[Step, ...]]
    proof: str
    symptoms: tuple[Symptom, ...]
    needs_port: bool = False
    takes_probe: bool = True
    takes_elf: bool = False
    """Whether it writes and verifies all of an ELF file, in whatever memories that lies."""
    reads_back: bool = True
    """Whether `proof` means that flash was compared, not only that the image was taken."""

    def path(self) -> str | None:
        """Where the program is; beside this Python too, where an extra installs it."""
        if self.program is None:
            return ""
        beside = Path(sys.executable).parent / self.program
        return shutil.which(self.program) or (str(beside) if beside.is_file() else None)

    def is_proven(self, output: str) -> bool:
        """Whether the output says that what was written was verified."""
        return re.search(self.proof, output) is not None

    def symptom_in(self, output: str) -> Symptom | None:
        """The first symptom, in the order of the table, that the output shows."""
        for symptom in self.symptoms:
            if re.search(symptom.pattern, output, re.IGNORECASE | re.MULTILINE):
                return symptom
        return None


@cache
def registered() -> Mapping[str, Flasher]:
    """Every tool that has a file here, by its name."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        flasher = getattr(importlib.import_module(f"{__name__}.{module.name}"), "FLASHER", None)
        if isinstance(flasher, Flasher):
            found[flasher.name] = flasher
    return found
