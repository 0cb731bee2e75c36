"""A session with the device that a build directory is for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import model_outputs, quantized_inputs
from mcucomp.device import Limits, Progress, Session, open_session
from mcucomp.errors import InvalidInput

Story = Callable[[str, int, int | None], None]


# The stages of a conversation that can take a while, in words; the others pass in a moment.
STAGES = {"go": "wait for the device", "send inputs": "send inputs", "run": "run"}


def _silent(what: str, done: int, total: int | None) -> None:
    """Where nobody wants to hear."""


def session(
    build: BuildDirectory,
    *,
    emulator: str | None = None,
    port: str | None = None,
    record: Path | None = None,
    replay: Path | None = None,
    timeout_s: float | None = None,
    story: Story = _silent,
) -> Session:
    """Start the image in an emulator or on this computer, or talk to a board at `port`.

    `record` is a file that gets the conversation; `replay` such a file, played instead of a
    device. `timeout_s` bounds one inference. The firmware that answers is asked whether it is
    the one of this build.

    Raises:
        InvalidInput, ToolMissing, ToolFailed, DeviceError.
    """
    board = build.board
    _require_one_place(build, emulator, port, replay)
    if replay is not None and record is not None:
        raise InvalidInput(
            "a conversation that is played is not recorded again",
            at="--record",
            fix="give one of --record and --replay",
        )
    limits = Limits() if timeout_s is None else Limits(run_s=timeout_s)

    def progress(state: Progress) -> None:
        if state.stage in STAGES:
            story(STAGES[state.stage], state.done, state.total or None)

    opened = open_session(
        board,
        build.elf,
        log_folder=build.log_folder,
        transport=emulator,
        port=port,
        record=record,
        replay=replay,
        limits=limits,
        progress=progress,
    )
    try:
        opened.expect(build.name, build_id=build.build_id)
    except BaseException:
        opened.close()
        raise
    opened.encode = functools.partial(quantized_inputs, build)
    opened.decode = functools.partial(model_outputs, build)
    return opened


def _require_one_place(
    build: BuildDirectory, emulator: str | None, port: str | None, replay: Path | None
) -> None:
    """Raise InvalidInput unless it is clear where the device is, and it can be there."""
    board = build.board
    given = {"--emulator": emulator, "--port": port, "--replay": replay}
    named = [option for option, value in given.items() if value is not None]
    if len(named) > 1:
        raise InvalidInput(
            "a board is at a port, in an emulator or in a recording: one of them",
            at=named[-1],
            fix=f"give one of {' and '.join(named)}",
        )
    if not board.is_host and not named:
        known = ", ".join(f"--emulator {name}" for name in sorted(board.emulators)) or "none"
        raise InvalidInput(
            f"say where {board.name} is",
            at=str(build.folder),
            fix=f"--port auto (or PORT) for a board, or an emulator: {known}",
        )
    if emulator is not None and emulator not in board.emulators:
        known = ", ".join(sorted(board.emulators)) or "none"
        raise InvalidInput(
            f"{board.name} has no emulator {emulator}; known for it: {known}",
            at="--emulator",
            fix="a board of 'mcucomp boards' that has one, or --board host without an emulator",
        )
