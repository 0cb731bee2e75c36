"""How many cycles would a Cortex-M4 take for what an emulator executes? An estimate.

In: an image and its board. Out: the board with an emulator that also counts
classes of instructions (`firmware/emulator/qemu_cycles.c`, compiled on the
spot), and after a run the cycles of each step, at least and at most.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from mcucomp.boards import Board
from mcucomp.build import toolchain
from mcucomp.errors import ToolFailed
from mcucomp.paths import firmware_folder

EMULATOR = "qemu"
SOURCE = Path("emulator") / "qemu_cycles.c"
HOOK, MODEL_SECTION = "on_step", ".mcuc_model"
COMPILER = "gcc"
FLAGS = ("-std=c99", "-O2", "-shared", "-fPIC")


@dataclass(frozen=True, slots=True)
class StepCycles:
    """Cycles of one step on a Cortex-M4 whose memory never waits: an estimate."""

    at_least: int
    at_most: int


def is_available(board: Board) -> bool:
    """Whether the plugin can be compiled here, and the board's emulator takes it."""
    return shutil.which(COMPILER) is not None and "qemu" in board.emulators


def with_cycles(board: Board, elf: Path, folder: Path) -> tuple[Board, Path]:
    """The board with an emulator that estimates cycles, and the file that it writes.

    The plugin is compiled into `folder`.

    Raises:
        ToolMissing, ToolFailed: the host's compiler is missing or fails, or the image is not ours.
    """
    library, counts = folder / "qemu_cycles.so", folder / "cycles.txt"
    source = firmware_folder() / SOURCE
    toolchain.run([COMPILER, *FLAGS, "-o", str(library), str(source)], folder)
    hook, begin, end = _addresses(elf)
    argument = f"{library},hook={hook},begin={begin},end={end},out={counts}"
    emulator = board.emulators["qemu"]
    counting = emulator.model_copy(update={"arguments": (*emulator.arguments, "-plugin", argument)})
    return board.model_copy(update={"emulators": {**board.emulators, "qemu": counting}}), counts


def step_cycles(counts: Path, calls: Sequence[int]) -> tuple[StepCycles, ...]:
    """The estimate of each step in the last inference, of which `calls` are the steps in order.

    A step that is called for every row adds up.

    Raises:
        ToolFailed: fewer were counted.
    """
    lines = counts.read_text(encoding="ascii").splitlines() if counts.is_file() else []
    if len(lines) < len(calls):
        raise ToolFailed(
            f"the emulator counted {len(lines)} steps of {len(calls)}",
            at=str(counts),
            fix="use --no-cycles, and report this with the version of QEMU",
        )
    sums = [StepCycles(0, 0)] * (1 + max(calls, default=-1))
    for step, line in zip(calls, lines[len(lines) - len(calls) :], strict=True):
        _, low, high = map(int, line.split())
        sums[step] = StepCycles(sums[step].at_least + low, sums[step].at_most + high)
    return tuple(sums)


def _addresses(elf: Path) -> tuple[int, int, int]:
    """Of the harness's hook, and of the generated model's code."""
    with elf.open("rb") as stream:
        image = ELFFile(stream)
        symbols = image.get_section_by_name(".symtab")
        model = image.get_section_by_name(MODEL_SECTION)
        found = (
            symbols.get_symbol_by_name(HOOK) if isinstance(symbols, SymbolTableSection) else None
        )
        if not found or model is None:
            raise ToolFailed(
                f"the image has no {HOOK} or no section {MODEL_SECTION}",
                at=str(elf),
                fix="build it again",
            )
        begin = model["sh_addr"]
        # Bit 0 of a function's address says Thumb.
        return found[0]["st_value"] & ~1, begin, begin + model["sh_size"]
