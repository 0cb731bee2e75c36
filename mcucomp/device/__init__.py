"""Room 10: one interface to boards, emulators and the host, over several transports.

In: a board, the firmware that was built for it, inputs as bytes. Out: `Run`, what
the device measured and answered. Imports no room but errors, boards and placement.

    with open_session(board, elf, log_folder=folder / "log") as session:
        run = session.infer([input_bytes])
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from mcucomp.boards import Board
from mcucomp.device.conversation import Conversation, Limits, Progress
from mcucomp.device.held import HeldRun
from mcucomp.device.ports import AUTO, find_port
from mcucomp.device.recorder import Recorder
from mcucomp.device.run import Firmware, Run, StepCount
from mcucomp.device.session import Session
from mcucomp.device.transports import Transport
from mcucomp.device.transports.host_process import HostProcess
from mcucomp.device.transports.qemu import Qemu
from mcucomp.device.transports.renode import PROGRAM as RENODE
from mcucomp.device.transports.renode import Renode
from mcucomp.device.transports.replay import Replay
from mcucomp.device.transports.serial_port import SerialPort
from mcucomp.errors import InvalidInput, nearest_first

__all__ = [
    "Firmware",
    "HeldRun",
    "Limits",
    "Progress",
    "Run",
    "Session",
    "StepCount",
    "open_session",
    "renode_program",
    "run",
    "start_session",
]


def _host(elf: Path, board: Board, log_folder: Path) -> Transport:
    if not board.is_host:
        raise InvalidInput(
            f"firmware for the board {board.name} does not run on this computer",
            fix="use an emulator (--emulator qemu) or a port (--port)",
        )
    return HostProcess(elf, log_folder / "host.txt")


def _qemu(elf: Path, board: Board, log_folder: Path) -> Transport:
    return Qemu(elf, board, log_folder / "qemu.txt")


def _renode(elf: Path, board: Board, log_folder: Path) -> Transport:
    return Renode(elf, board, log_folder / "renode")


_OPENERS: dict[str, Callable[[Path, Board, Path], Transport]] = {
    "host": _host,
    "qemu": _qemu,
    "renode": _renode,
}


def renode_program() -> str | None:
    """Where Renode is, or None where it is not installed."""
    return shutil.which(RENODE)


def _nobody(_: object) -> None:
    """Where nobody wants to hear."""


def open_session(
    board: Board,
    elf: Path,
    *,
    log_folder: Path,
    transport: str | None = None,
    port: str | None = None,
    record: Path | None = None,
    replay: Path | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] = _nobody,
    other: Callable[[str], None] = _nobody,
) -> Session:
    """A session with the firmware, which is started where the transport can.

    Args:
        elf: the image for an emulator, the program for the host.
        log_folder: made if absent; gets serial.txt, the conversation, and what
            an emulator wrote to its error stream.
        transport: `host`, `qemu` or `renode`; by default what the board is meant for.
        port: a serial port (path, pyserial URL, or `auto`) instead of a transport.
        record: another file that gets the conversation.
        replay: a recorded conversation instead of a device.
        progress: called often while something is waited for; it should be cheap.
        other: called with each line of the device that is no report, escaped.

    Raises:
        InvalidInput, ToolMissing, ToolFailed, DeviceError.
    """
    log_folder.mkdir(parents=True, exist_ok=True)
    opened: Transport
    if replay is not None:
        opened = Replay(replay, board)
    elif port is not None:
        opened = SerialPort((lambda: find_port(board)) if port == AUTO else (lambda: port), board)
    else:
        name = transport or ("host" if board.is_host else "qemu")
        if name not in _OPENERS:
            known = ", ".join(nearest_first(name, _OPENERS))
            raise InvalidInput(f"no transport named {name}; known: {known}")
        opened = _OPENERS[name](elf, board, log_folder)
    return start_session(
        opened,
        board.name,
        log_folder / "serial.txt",
        record=record,
        limits=limits,
        progress=progress,
        other=other,
    )


def start_session(
    transport: Transport,
    board_name: str,
    recording: Path | None,
    *,
    record: Path | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] = _nobody,
    other: Callable[[str], None] = _nobody,
) -> Session:
    """A session over an open transport, which is closed where the session cannot begin."""
    at = f"{board_name} on {transport.name}" if transport.name != board_name else board_name
    try:
        files = [path for path in (recording, record) if path is not None]
        recorder = Recorder(files, {"board": board_name, "transport": transport.name})
        conversation = Conversation(transport, recorder, limits or Limits(), at, progress, other)
        try:
            return Session(board_name, transport, conversation, at, progress)
        except BaseException:
            conversation.close()
            raise
    except BaseException:
        transport.close()
        raise


def run(
    board: Board,
    elf: Path,
    inputs: Sequence[bytes],
    *,
    log_folder: Path,
    transport: str | None = None,
    port: str | None = None,
    profile: bool = True,
    trace: bool = False,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] = _nobody,
    other: Callable[[str], None] = _nobody,
) -> Run:
    """One inference in a session of its own; arguments as of open_session and Session.infer."""
    with open_session(
        board,
        elf,
        log_folder=log_folder,
        transport=transport,
        port=port,
        limits=limits,
        progress=progress,
        other=other,
    ) as session:
        return session.infer(inputs, profile=profile, trace=trace)
