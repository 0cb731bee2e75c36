"""A session with the device that a build directory is for."""

from __future__ import annotations

import functools
from collections.abc import Callable

from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import quantized_inputs
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
    timeout_s: float | None = None,
    story: Story = _silent,
) -> Session:
    """Start the image in an emulator or on this computer, or talk to a board at `port`.

    `timeout_s` bounds one inference. The firmware that answers is asked whether it is
    the one of this build.

    Raises:
        InvalidInput, ToolMissing, ToolFailed, DeviceError.
    """
    board = build.board
    if emulator is not None and port is not None:
        raise InvalidInput(
            "a board is at a port or in an emulator, not both",
            at="--port",
            fix="give one of --emulator and --port",
        )
    if not board.is_host and emulator is None and port is None:
        known = ", ".join(f"--emulator {name}" for name in sorted(board.emulators)) or "none"
        raise InvalidInput(
            f"say where {board.name} is",
            at=str(build.folder),
            fix=f"--port PORT for a board, or an emulator: {known}",
        )
    if emulator is not None and emulator not in board.emulators:
        known = ", ".join(sorted(board.emulators)) or "none"
        raise InvalidInput(
            f"{board.name} has no emulator {emulator}; known for it: {known}",
            at="--emulator",
            fix="a board of 'mcucomp boards' that has one, or --board host without an emulator",
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
        limits=limits,
        progress=progress,
    )
    try:
        opened.expect(build.name, build_id=build.build_id)
    except BaseException:
        opened.close()
        raise
    opened.encode = functools.partial(quantized_inputs, build)
    return opened
