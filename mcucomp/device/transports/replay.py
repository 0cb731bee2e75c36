"""A recorded conversation, played back: what a real device once said, without it.

The host must say what it said then; the go byte may be sent more or less often.
"""

from __future__ import annotations

from pathlib import Path

from mcucomp.device.recorder import RECEIVED, SENT, load
from mcucomp.errors import DeviceError, McucompError


class Replay:
    """Plays a file that device.recorder wrote."""

    name = "replay"
    no_answer_fix = "the recording ends here: record the conversation again"

    def __init__(self, recording: Path) -> None:
        self._at = str(recording)
        self._entries = load(recording)
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
            if self._next == len(self._entries) or self._entries[self._next][1] != raw:
                raise DeviceError(
                    "the host says something else than when this was recorded",
                    at=f"{self._at}, line {self._next + 1}",
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
        said, self._pending = self._pending, b""
        return said

    def failure(self) -> McucompError | None:
        return None

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return None

    def close(self) -> None:
        pass
