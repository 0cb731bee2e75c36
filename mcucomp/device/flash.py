"""Writing a build's image to a board, with a tool that the board names and the machine has.

In: a board, the image, perhaps the name of a tool. Out: `Flashed`, or a ToolFailed that
says the cause as far as the tool's output tells it. Whatever tool it is, what was
written is verified.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from mcucomp.boards import Board
from mcucomp.device.flashers import Flasher, Job, registered
from mcucomp.device.flashers.steps import Outcome, Step
from mcucomp.errors import InvalidInput, ToolFailed, ToolMissing, nearest_first

SHOWN_LINES = 6


@dataclass(frozen=True, slots=True)
class Flashed:
    """What was done (or, in a dry run, would be): the tool, and its steps as they are told.

    `verified` where the tool compared what is in flash with the image.
    """

    tool: str
    steps: tuple[str, ...]
    written: bool
    verified: bool


def flash(
    board: Board,
    elf: Path,
    binary: Path,
    *,
    tool: str | None = None,
    probe: str | None = None,
    port: str | None = None,
    dry_run: bool = False,
    tell: Callable[[str], None] = lambda step: None,
) -> Flashed:
    """Write the image and verify it.

    Args:
        tool: one of the board's; by default the first of them that is installed.
        probe: serial number of the debug probe, where several are connected.
        port: serial port of a boot loader, for tools that use one.
        dry_run: find the tool and name the steps, but take none.
        tell: called with each step before it is taken.

    Raises:
        InvalidInput: nothing can write the board, or what was asked for does not go together.
        ToolMissing: no tool is installed.
        ToolFailed: it failed, or does not say that it verified.
    """
    flasher = _choose(board, tool, port)
    if flasher.path() is None and not dry_run:
        raise _missing(board, [flasher])
    if probe is not None and not flasher.takes_probe:
        raise InvalidInput(f"{flasher.name} uses no debug probe", at="--probe", fix="leave it out")
    if port is not None and not flasher.needs_port:
        raise InvalidInput(f"{flasher.name} uses no serial port", at="--port", fix="leave it out")
    elsewhere = sorted(binary.parent.glob(f"{binary.stem}.*{binary.suffix}"))
    if elsewhere and not flasher.takes_elf:
        able = [name for name in board.flashers if registered()[name].takes_elf]
        raise InvalidInput(
            f"{flasher.name} writes one memory; this image lies in several",
            at=str(elsewhere[0]),
            fix=f"--with {able[0]}" if able else "add [flashers.openocd] to the board's file",
        )
    if not binary.is_file():
        raise InvalidInput("the image is missing", at=str(binary), fix="build again")
    with tempfile.TemporaryDirectory(prefix="mcucomp-flash-") as folder:
        options = cast(dict[str, Any], board.flashers)[flasher.name]
        steps = flasher.steps(Job(board, elf, binary, options, probe, port, Path(folder)))
        if not dry_run:
            _perform(board, flasher, steps, tell)
        shown = tuple(step.shown for step in steps)
        return Flashed(flasher.name, shown, not dry_run, not dry_run and flasher.reads_back)


def _choose(board: Board, tool: str | None, port: str | None) -> Flasher:
    if board.is_host:
        raise InvalidInput(
            f"firmware for {board.name} is a program of this computer: nothing is flashed",
            fix="'mcucomp run DIR' runs it",
        )
    named = [registered()[name] for name in board.flashers]
    if not named:
        emulators = ", ".join(f"--emulator {name}" for name in board.emulators) or "none"
        raise InvalidInput(
            f"the board {board.name} names no tool that writes it",
            details=[f"emulators that run it: {emulators}"],
            fix=f"add [flashers.TOOL] to its file; TOOL is one of {', '.join(registered())}",
        )
    if tool is not None:
        return _named(board, tool, port)
    usable = [f for f in named if port is not None or not f.needs_port]
    if not usable:
        return _named(board, named[0].name, port)
    if port is not None:
        usable = [f for f in usable if f.needs_port] or usable
    installed = [flasher for flasher in usable if flasher.path() is not None]
    if not installed:
        raise _missing(board, usable)
    return installed[0]


def _named(board: Board, tool: str, port: str | None) -> Flasher:
    if tool not in board.flashers:
        known = ", ".join(nearest_first(tool, board.flashers))
        raise InvalidInput(
            f"the board {board.name} is not written with {tool}; known for it: {known}",
            at="--with",
            fix="use one of these, or leave it out",
        )
    flasher = registered()[tool]
    if flasher.needs_port and port is None:
        raise InvalidInput(
            f"{tool} needs the serial port of the boot loader",
            at="--with",
            fix="--port PORT; 'mcucomp monitor --list' shows the ports",
        )
    return flasher


def _missing(board: Board, flashers: list[Flasher]) -> ToolMissing:
    which = "the tool" if len(flashers) == 1 else "none of the tools"
    verb = "is not installed" if len(flashers) == 1 else "is installed"
    return ToolMissing(
        f"{which} that can write {board.name} {verb}",
        details=[f"{flasher.name}: {flasher.install}" for flasher in flashers],
        fix="install one of them; 'mcucomp doctor' shows what is there",
    )


def _perform(
    board: Board, flasher: Flasher, steps: tuple[Step, ...], tell: Callable[[str], None]
) -> None:
    output = ""
    for step in steps:
        tell(step.shown)
        outcome = step.perform()
        output += outcome.output + "\n"
        if outcome.status != 0:
            raise _failed(board, flasher, step, outcome)
    if not flasher.is_proven(output):
        raise _failed(board, flasher, steps[-1], Outcome(0, output))


def _failed(board: Board, flasher: Flasher, step: Step, outcome: Outcome) -> ToolFailed:
    symptom = flasher.symptom_in(outcome.output)
    lines = [line.rstrip() for line in outcome.output.splitlines() if line.strip()]
    if symptom is not None:
        cause, fix = symptom.cause, symptom.fix
    elif outcome.status == 0:
        cause, fix = "it does not say that it verified", "check the tool's version; write again"
    else:
        cause = f"it ended with status {outcome.status}"
        fix = "the tool's own words are above; its manual may know them"
    return ToolFailed(
        f"{flasher.name} did not write {board.name}: {cause}",
        details=[f"$ {step.shown}", *(f"| {line}" for line in lines[-SHOWN_LINES:])],
        fix=fix,
    )
