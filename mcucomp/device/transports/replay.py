"""A recorded conversation, played back: what a real device once said, without it.

The host must say what it said then; the go byte may be sent more or less often.
"""

from __future__ import annotations

from pathlib import Path

from mcucomp.boards import Board
from mcucomp.device.recorder import HEAD, RECEIVED, SENT, load
from mcucomp.errors import DeviceError, McucompError


class Replay:
    """Plays a file that device.recorder wrote.

    Where the recording names an emulator, ticks mean what they meant there.
    """

    name = "replay"
    no_answer_fix = "the recording ends here: record the conversation again"
    noise_fix = "the recording is of a line with the wrong baud rate: record it again"

    def __init__(self, recording: Path, board: Board | None = None) -> None:
        """Reads the file; InvalidInput where it is no recording."""
        self._at = str(recording)
        entries = load(recording)
        heads = (raw.decode("ascii").split(" ", 1) for mark, raw in entries if mark == HEAD)
        self._head = dict(pair for pair in heads if len(pair) == 2)
        self._board = board
        # Line numbers in messages are those of the file.
        self._lines_before = sum(mark == HEAD for mark, _ in entries)
        self._entries = [entry for entry in entries if entry[0] != HEAD]
        self._next = 0
        self._pending = b""

    def write(self, data: bytes) -> None:
        for raw in data.split(b"\n")[:-1]:
            self._skip_to_sent()
            if not raw:
                self._say(self._is_go())
                continue
            while self._is_go():
                self._next += 1
                self._skip_to_sent()
            if self._next == len(self._entries):
                raise self.failure()
            if self._entries[self._next][1] != raw:
                raise DeviceError(
                    "the host says something else than when this was recorded",
                    at=f"{self._at}, line {self._lines_before + self._next + 1}",
                    fix="record the conversation again",
                )
            self._say(True)

    def _is_go(self) -> bool:
        return self._entries[self._next : self._next + 1] == [(SENT, b"")]

    def _skip_to_sent(self) -> None:
        while self._next < len(self._entries) and self._entries[self._next][0] != SENT:
            self._next += 1

    def _say(self, matched: bool) -> None:
        """Queues what the device said after the line at `_next`, if that was it."""
        if not matched:
            return
        self._next += 1
        while self._next < len(self._entries) and self._entries[self._next][0] == RECEIVED:
            self._pending += self._entries[self._next][1] + b"\n"
            self._next += 1

    def read(self, timeout_s: float) -> bytes:
        if not self._pending and all(mark != SENT for mark, _ in self._entries[self._next :]):
            raise EOFError
        said, self._pending = self._pending, b""
        return said

    def failure(self) -> McucompError:
        return DeviceError(
            "the recording ends before the conversation does",
            at=self._at,
            fix="play it with the command that it was recorded with, or record it again",
        )

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        if self._board is None:
            return None
        transport = self._head.get("transport")
        if transport == "qemu" and "qemu" in self._board.emulators:
            return self._board.emulators["qemu"].instructions(ticks)
        if transport == "renode" and "renode" in self._board.emulators:
            return self._board.emulators["renode"].instructions(ticks)
        return None

    def close(self) -> None:
        pass
