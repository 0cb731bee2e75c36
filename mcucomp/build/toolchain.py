"""Finding and running a compiler, with its failures told in our terms."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcucomp.errors import ToolFailed, ToolMissing

LANGUAGE_FLAGS = ("-std=c99", "-ffunction-sections", "-fdata-sections")
# The model and its kernels for speed, unless size was asked for; what surrounds them, which waits
# for a serial line, for size.
MODEL_OPTIMISATION = ("-O2",)
# What is moved out of a loop takes registers, and code that saves and restores them.
SIZE_OPTIMISATION = ("-Os", "-fno-move-loop-invariants")
# A loop that fills memory is smaller than the C library's functions, which are fast.
HARNESS_OPTIMISATION = (*SIZE_OPTIMISATION, "-fno-tree-loop-distribute-patterns")
# Fused multiply-adds round once where TensorFlow Lite Micro rounds twice.
FLOAT_FLAGS = ("-ffp-contract=off",)
WARNING_FLAGS = (
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wmissing-prototypes",
)
SANITIZE_FLAGS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")

# What brings each tool to a Debian machine.
PACKAGES = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "arm-none-eabi-objcopy": "binutils-arm-none-eabi",
    "gcc": "gcc",
    "qemu-system-arm": "qemu-system-arm",
}


def require(tool: str) -> str:
    """The path of `tool`.

    Raises:
        ToolMissing: with the command that installs it.
    """
    path = shutil.which(tool)
    if path is None:
        raise ToolMissing(
            f"{tool} is not installed",
            fix=f"apt-get install {PACKAGES.get(tool, tool)}  (or put {tool} on the PATH)",
        )
    return path


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A GCC by the prefix of its tools: `arm-none-eabi-`, or nothing for the host's."""

    prefix: str

    @property
    def compiler(self) -> str:
        return f"{self.prefix}gcc"

    @property
    def objcopy(self) -> str:
        return f"{self.prefix}objcopy"

    def version(self) -> str:
        """The first line of `gcc --version`."""
        result = subprocess.run(
            [require(self.compiler), "--version"], capture_output=True, text=True, check=False
        )
        return result.stdout.partition("\n")[0]


def run(command: Sequence[str], folder: Path) -> None:
    """Run a tool in `folder`.

    Raises:
        ToolMissing, ToolFailed: the latter with the tool's own first lines.
    """
    result = subprocess.run(
        [require(command[0]), *command[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode != 0:
        lines = [line for line in (result.stderr + result.stdout).splitlines() if line.strip()]
        raise ToolFailed(
            f"{command[0]} failed with status {result.returncode}",
            at=command[-1],
            details=lines[:12],
            fix="check the tool's version with 'mcucomp doctor'",
        )
