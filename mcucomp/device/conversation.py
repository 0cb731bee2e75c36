"""How does the host get a whole answer out of a line that may lose bytes?

Every command has an id and may be repeated; the device answers each with lines
of the same id and an end marker that says how many and which there were. An answer counts
only when all of it arrived undamaged; otherwise the command is sent again, a
limited number of times. Lines with other ids are left over from earlier and ignored.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcucomp.device.protocol import Damaged, Line, Other, Splitter, crc_of, decode, encode
from mcucomp.device.recorder import RECEIVED, SENT, UNFINISHED, Recorder, escape
from mcucomp.device.transports import LineRenewed, Transport
from mcucomp.errors import DeviceError

_POLL_S = 0.1
_QUIET_S = 0.5  # after damage: nothing more of this answer will come
_HEARD_BYTES = 200
_NOISE_SHARE = 0.3  # of bytes that no text has; at a wrong baud rate about half are

_REFUSALS = {
    "unknown": "it does not know the command",
    "malformed": "the command is not of the form that it expects",
    "unpainted": "the arena was not painted before",
    "range": "the bytes do not lie in one of the model's inputs",
    "held": "a run of the model waits between two steps",
    "init": "the model does not accept the arena (too small, or not aligned)",
}
_VERSIONS_FIX = "firmware and mcucomp are of different versions: build again and flash it"
_FAULTS = {2: "NMI", 3: "HardFault", 4: "MemManage", 5: "BusFault", 6: "UsageFault"}


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to wait and how often to try.

    `answer_s` is for the first sign of an answer, `run_s` for an inference
    that has begun, `again_s` the time after which an unanswered command is repeated.
    """

    answer_s: float = 10.0
    run_s: float = 3600.0
    go_s: float = 0.25
    again_s: float = 2.5
    attempts: int = 5


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a conversation stands. `total` is 0 where it cannot be known."""

    stage: str
    done: int
    total: int
    elapsed_s: float


class DeviceRestarted(Exception):
    """The device began anew and has forgotten all that it was told."""


class _Incomplete(Exception):
    """The answer will not become whole; `reason` says what was wrong with it."""

    def __init__(self, reason: str, raw: bytes = b"") -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw


class Conversation:
    """Commands and whole answers over a transport, recorded."""

    def __init__(
        self,
        transport: Transport,
        recorder: Recorder,
        limits: Limits,
        at: str,
        progress: Callable[[Progress], None],
        other: Callable[[str], None],
    ) -> None:
        self._transport = transport
        self._recorder = recorder
        self._limits = limits
        self._at = at
        self._progress = progress
        self._other = other
        self._splitter = Splitter()
        self._lines: list[Line | Damaged] = []
        self._heard = b""
        self._id = 0

    def close(self) -> None:
        """Ends the recording; the transport is closed by who opened it."""
        if self._splitter.rest:
            self._recorder.write(UNFINISHED, self._splitter.rest)
        self._recorder.close()

    def go(self) -> None:
        """Send the go byte until the device answers that it is ready.

        Raises:
            DeviceError: it does not within `answer_s`.
        """
        start = time.monotonic()
        while time.monotonic() < start + self._limits.answer_s:
            with contextlib.suppress(LineRenewed):
                self._send(b"\n")
            resend = time.monotonic() + self._limits.go_s
            while (left_s := resend - time.monotonic()) > 0:
                with contextlib.suppress(LineRenewed):
                    self._receive(left_s)
                if any(isinstance(x, Line) and x.word == "ready" for x in self._lines):
                    return
                self._raise_fault()
            self._report("wait for the device", 0, 0, start)
        raise self._silent("no answer from the device")

    def ask(self, word: str, values: Mapping[str, int | bytes] | None = None) -> list[Line]:
        """The lines of the answer to a command, without its end marker.

        Raises:
            DeviceError: no answer, a damaged answer at every attempt, a
                refusal, a fault of the firmware, or a broken line.
            DeviceRestarted: it did so after the command was sent.
        """
        self._id += 1
        command = encode(word, {"id": self._id, **(values or {})})
        faults: list[_Incomplete] = []
        start = time.monotonic()
        for _ in range(self._limits.attempts):
            self._lines.clear()
            try:
                self._send(command)
                return self._collect(word, start)
            except _Incomplete as fault:
                faults.append(fault)
            except LineRenewed:
                faults.append(_Incomplete("the line broke and came back"))
        if all(fault.reason == "nothing came" for fault in faults):
            raise self._silent(f"no answer to '{word}' from the device")
        last = faults[-1]
        raise DeviceError(
            f"the answer to '{word}' was damaged {len(faults)} times in a row: {last.reason}",
            at=self._at,
            details=[f"the line: {escape(last.raw)}"] if last.raw else [],
            fix="check the wiring and the baud rate; the whole conversation is in log/serial.txt",
        )

    def _collect(self, word: str, start: float) -> list[Line]:
        """One attempt: reads until the end marker and checks that all lines came."""
        answer: list[Line] = []
        damaged: Damaged | None = None
        running = False
        deadline = time.monotonic() + self._limits.again_s
        while True:
            while self._lines:
                line = self._lines.pop(0)
                if isinstance(line, Damaged):
                    damaged = line
                elif self._is_about_us(line, word):
                    if line.word == "end":
                        return self._checked(answer, line, damaged)
                    running = line.word == "running" or (running and line.word != "result")
                    answer.append(line)
                # A run that goes on is left alone: the device does not listen meanwhile.
                quiet_s = _QUIET_S if damaged else self._limits.again_s
                deadline = time.monotonic() + (self._limits.run_s if running else quiet_s)
            if time.monotonic() > deadline:
                if running:
                    raise self._silent(f"no result of '{word}'", self._limits.run_s)
                raise _Incomplete(*(("a damaged line", damaged.raw) if damaged else _NOTHING))
            self._receive(_POLL_S)
            self._report(word, len(answer), 0, start)

    def _is_about_us(self, line: Line, word: str) -> bool:
        """Whether the line belongs to the command; raises what ends it."""
        self._raise_fault(line)
        number = line.number("id")
        if line.word == "start":
            raise DeviceRestarted
        if line.word == "error" and number in (0, self._id):
            what = line.text("what")
            if what == "damaged":
                raise _Incomplete("the device received a damaged line")
            if what == "unpainted":
                raise DeviceRestarted  # it was painted before: only its `start` was not heard
            raise DeviceError(
                f"the device refuses '{word}': {_REFUSALS.get(what, what)}",
                at=self._at,
                fix=_VERSIONS_FIX,
            )
        return number == self._id

    @staticmethod
    def _checked(answer: list[Line], end: Line, damaged: Damaged | None) -> list[Line]:
        if damaged is not None:
            raise _Incomplete("a damaged line", damaged.raw)
        expected = end.number("lines")
        if len(answer) != expected:
            raise _Incomplete(f"{len(answer)} of {expected} lines arrived")
        if crc_of(answer) != end.hex32("whole"):
            raise _Incomplete("some lines were lost and others came twice")
        return answer

    # ---- the line itself --------------------------------------------------------------

    def _send(self, raw: bytes) -> None:
        self._recorder.write(SENT, raw.removesuffix(b"\n"))
        try:
            self._transport.write(raw)
        except OSError as error:
            raise self._broken() from error

    def _receive(self, timeout_s: float) -> None:
        try:
            received = self._transport.read(timeout_s)
        except (OSError, EOFError) as error:
            raise self._broken() from error
        self._heard = (self._heard + received)[-_HEARD_BYTES:]
        for raw in self._splitter.feed(received):
            self._recorder.write(RECEIVED, raw)
            line = decode(raw)
            if isinstance(line, Other):
                self._other(escape(raw))
            else:
                self._lines.append(line)

    def _report(self, stage: str, done: int, total: int, start: float) -> None:
        self._progress(Progress(stage, done, total, time.monotonic() - start))

    # ---- what can be wrong ------------------------------------------------------------

    def _details(self) -> list[str]:
        heard = self._heard.strip(b"\r\n")
        return [f"heard last: {escape(heard)}"] if heard else ["heard nothing at all"]

    def _is_noise(self) -> bool:
        """Whether what was heard last is no text of anyone's."""
        foreign = sum(not (32 <= byte < 127 or byte in b"\r\n\t") for byte in self._heard)
        return foreign > _NOISE_SHARE * len(self._heard)

    def _silent(self, what: str, limit_s: float | None = None) -> DeviceError:
        limit_s = self._limits.answer_s if limit_s is None else limit_s
        if self._is_noise():
            return DeviceError(
                f"{what} within {limit_s:g} s; what comes is no text: the baud rate is wrong",
                at=self._at,
                details=self._details(),
                fix=self._transport.noise_fix,
            )
        return DeviceError(
            f"{what} within {limit_s:g} s",
            at=self._at,
            details=self._details(),
            fix=self._transport.no_answer_fix,
        )

    def _broken(self) -> Exception:
        return self._transport.failure() or DeviceError(
            "the line to the device broke",
            at=self._at,
            details=self._details(),
            fix="check the connection and start again",
        )

    def _raise_fault(self, only: Line | None = None) -> None:
        for line in self._lines if only is None else [only]:
            if isinstance(line, Line) and line.word == "fault":
                number = line.number("exception")
                raise DeviceError(
                    f"the firmware stopped: {_FAULTS.get(number, f'exception {number}')}"
                    f" at 0x{line.hex32('address'):08X}",
                    at=self._at,
                    details=[f"fault status (CFSR) 0x{line.hex32('status'):08X}"],
                    fix="this is a bug of mcucomp or of the port: please report it with the model",
                )


_NOTHING = ("nothing came",)
