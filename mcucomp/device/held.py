"""What is in the arena between two steps, and does it matter?

In: a device whose arena was painted and given its inputs. Out: an inference that stops
before its first step and after each one, so that its bytes can be looked at and changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.device.conversation import Conversation, DeviceRestarted
from mcucomp.device.protocol import DATA_BYTES, Line
from mcucomp.errors import DeviceError

_HOLD = 3

Span = tuple[int, int]  # (offset in the arena, bytes)


class HeldRun:
    """One inference, step by step. All of its steps have to be run.

    `calls` names the step that each call is one of, where that is not its own number.
    """

    def __init__(
        self, conversation: Conversation, at: str, step_count: int, calls: Sequence[int] = ()
    ) -> None:
        self._conversation = conversation
        self._at = at
        self._step_count = step_count
        self._calls = calls or range(step_count)
        self._done = 0

    def sum(self, span: Span) -> int:
        """The CRC-32 of bytes of the arena."""
        return self._one_line("sum", span).hex32("crc32")

    def peek(self, span: Span) -> bytes:
        """Bytes of the arena."""
        offset, size_bytes = span
        data = b""
        while len(data) < size_bytes:
            part = (offset + len(data), min(DATA_BYTES, size_bytes - len(data)))
            data += self._one_line("peek", part).data("base64")
        return data

    def mask(self, span: Span) -> None:
        """Make every one of these bytes another; the second time makes it what it was."""
        self._ask("mask", {"offset": span[0], "bytes": span[1]})

    def step(self) -> None:
        """Run the next step; after the last one the model has ended.

        Raises:
            DeviceError: the model has no more steps, or its invoke returned an error.
        """
        lines = self._ask("resume", {}) if self._done else self._ask("run", {"mode": _HOLD})
        self._done += 1
        last = lines[-1] if lines else None
        at = self._calls[self._done - 1] if self._done <= len(self._calls) else None
        if last is None or last.word != "held" or last.number("step") != at:
            raise DeviceError(
                f"the device did not stop after step {self._done - 1}",
                at=self._at,
                fix="firmware and mcucomp are of different versions: build again and flash it",
            )

    def finish(self) -> None:
        """Run what is left, so that the device listens to other commands again."""
        while self._done < self._step_count:
            self.step()
        if self._done:
            self._ask("resume", {})

    def _one_line(self, word: str, span: Span) -> Line:
        lines = self._ask(word, {"offset": span[0], "bytes": span[1]})
        if len(lines) != 1:
            raise DeviceError(f"the device answers '{word}' with {len(lines)} lines", at=self._at)
        return lines[0]

    def _ask(self, word: str, values: dict[str, int]) -> list[Line]:
        try:
            return self._conversation.ask(word, dict(values))
        except DeviceRestarted:
            raise DeviceError(
                "the device restarted between two steps",
                at=self._at,
                fix="check the board's power, and that nothing presses reset or feeds a watchdog",
            ) from None
