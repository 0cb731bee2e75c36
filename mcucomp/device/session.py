"""What did the device measure, and what did the model answer?

In: inputs as bytes. Out: `Run`. An inference is two runs over painted arenas, the
second over the complement of the first pattern: a byte that the model
wrote with the very value of the paint is missed by one of them, never by both.
The first run is counted as a whole; the second, with a hook after each step, step
by step. Inputs are sent before each run, since the run may overwrite them. Inferences
of a sequence follow each other in each of the two passes; only the first begins
with the state that the model starts with.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType

from mcucomp.device.conversation import Conversation, DeviceRestarted, Progress
from mcucomp.device.held import HeldRun
from mcucomp.device.protocol import DATA_BYTES, Line
from mcucomp.device.run import Firmware, Run, StepCount
from mcucomp.device.transports import Transport
from mcucomp.errors import CheckFailed, DeviceError, InvalidInput

_PAINT = 0x55
_PLAIN, _STEPS, _TRACE = 0, 1, 2
_STREAM_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class _Answer:
    """One painted run: its result line, the lines before it, the outputs after it."""

    result: Line
    stream: tuple[Line, ...]
    outputs: tuple[bytes, ...]


class Session:
    """A firmware that runs and was asked who it is. Ends its transport on exit."""

    def __init__(
        self,
        board: str,
        transport: Transport,
        conversation: Conversation,
        at: str,
        progress: Callable[[Progress], None],
    ) -> None:
        """Waits for the device and asks for its name and sizes; DeviceError where it fails."""
        self._board = board
        self._transport = transport
        self._conversation = conversation
        self._at = at
        self._progress = progress
        # How inputs are turned into what the firmware takes.
        self.encode: Callable[[Sequence[bytes]], Sequence[bytes]] = list
        # And what it gives into the model's outputs.
        self.decode: Callable[[Sequence[bytes]], Sequence[bytes]] = list
        conversation.go()
        self.firmware = _firmware(self._ask_hello())

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the transport (and the emulator behind it) and the recording."""
        self._transport.close()
        self._conversation.close()

    def _ask_hello(self) -> list[Line]:
        """`hello` needs nothing that a restart would have lost: it is asked again."""
        for _ in range(_STREAM_ATTEMPTS):
            try:
                return self._conversation.ask("hello")
            except DeviceRestarted:
                continue
        raise self._restarts()

    def expect(
        self, model: str, arena_bytes: int | None = None, build_id: int | None = None
    ) -> None:
        """Make sure that the firmware is the one that belongs to a build.

        Raises:
            DeviceError: it runs another model, or the same one with another arena, or
                of another build.
        """
        found = self.firmware
        fix = "flash the firmware of this build directory"
        if found.model != model:
            raise DeviceError(
                f"the firmware runs the model {found.model}; expected is {model}",
                at=self._at,
                fix=fix,
            )
        if arena_bytes is not None and found.arena_bytes != arena_bytes:
            raise DeviceError(
                f"the firmware has an arena of {found.arena_bytes:,} B;"
                f" expected is {arena_bytes:,} B",
                at=self._at,
                fix=fix,
            )
        if build_id is not None and found.build_id != build_id:
            raise DeviceError(f"the firmware is of another build of {model}", at=self._at, fix=fix)

    def infer(self, inputs: Sequence[bytes], *, profile: bool = True, trace: bool = False) -> Run:
        """Run the model once on `inputs`, one bytes object an input, and measure it.

        Args:
            profile: count each step, where the device has a counter.
            trace: also fetch what each step wrote.

        Raises:
            InvalidInput: number or sizes of inputs are not the model's.
            CheckFailed: the outputs depend on what was in the arena before.
            DeviceError: the device is silent, refuses, faults or stays damaged.
        """
        return self.infer_sequence([inputs], profile=profile, trace=trace)[0]

    def infer_sequence(
        self, rows: Sequence[Sequence[bytes]], *, profile: bool = True, trace: bool = False
    ) -> tuple[Run, ...]:
        """Run the model on each of `rows`, one after the other, from its first state on.

        As `infer`, but `profile` counts the steps of the first inference alone, and
        `trace` fetches what those of the last one wrote.
        """
        rows = [self.encode(inputs) for inputs in rows]
        for inputs in rows:
            self._check_inputs(inputs)
        countable = self.firmware.has_ticks or self.firmware.has_cycles
        modes = [_PLAIN] * len(rows)
        if profile and countable:
            modes[0] = _STEPS
        if trace:
            modes[-1] = _TRACE
        first = self._painted_pass(_PAINT, [_PLAIN] * len(rows), rows)
        second = self._painted_pass(_PAINT ^ 0xFF, modes, rows)
        return tuple(
            self._run_of(a, b, mode) for a, b, mode in zip(first, second, modes, strict=True)
        )

    def _run_of(self, first: _Answer, second: _Answer, mode: int) -> Run:
        """One inference from its two runs, the second of which was in `mode`."""
        self._check_same(first, second)
        guards = {_guards(first.result), _guards(second.result)} - {"ok"}
        countable = self.firmware.has_ticks or self.firmware.has_cycles
        return Run(
            board=self._board,
            transport=self._transport.name,
            arena_peak_bytes=max(first.result.number("peak"), second.result.number("peak")),
            guards="ok" if not guards else guards.pop() if len(guards) == 1 else "both",
            stack_bytes=first.result.count("stack"),
            instructions=self._instructions(first.result, "ticks", first.result, "empty_ticks"),
            cycles=_difference(first.result, "cycles", first.result, "empty_cycles"),
            steps=self._steps(second) if mode != _PLAIN and countable else None,
            outputs=tuple(self.decode(first.outputs)),
            traced=_traced(second.stream) if mode == _TRACE else (),
        )

    def held(self, inputs: Sequence[bytes], calls: Sequence[int] = ()) -> HeldRun:
        """An inference on `inputs` that waits before its first step and after each one.

        calls: which step each call is one of, where steps are called more than once.

        Raises:
            InvalidInput: number or sizes of inputs are not the model's.
            DeviceError: the device is silent, refuses, faults or stays damaged.
        """
        inputs = self.encode(inputs)
        self._check_inputs(inputs)
        for _ in range(_STREAM_ATTEMPTS):
            try:
                self._conversation.ask("paint", {"pattern": _PAINT})
                self._send_inputs(inputs)
            except DeviceRestarted:
                continue
            return HeldRun(self._conversation, self._at, self.firmware.step_count, calls)
        raise self._restarts()

    # ---- before the run ---------------------------------------------------------------

    def _check_inputs(self, inputs: Sequence[bytes]) -> None:
        wanted = self.firmware.input_bytes
        if len(inputs) != len(wanted):
            raise InvalidInput(f"the model has {len(wanted)} inputs; {len(inputs)} were given")
        for index, (given, size_bytes) in enumerate(zip(inputs, wanted, strict=True)):
            if len(given) != size_bytes:
                raise InvalidInput(
                    f"input {index} of the model has {size_bytes:,} B; {len(given):,} B were given"
                )

    def _send_inputs(self, inputs: Sequence[bytes]) -> None:
        start = time.monotonic()
        total, done = sum(map(len, inputs)), 0
        for index, data in enumerate(inputs):
            for offset in range(0, len(data), DATA_BYTES):
                part = data[offset : offset + DATA_BYTES]
                self._conversation.ask("data", {"index": index, "offset": offset, "base64": part})
                done += len(part)
                self._progress(Progress("send inputs", done, total, time.monotonic() - start))

    # ---- one run ----------------------------------------------------------------------

    def _painted_pass(
        self, pattern: int, modes: Sequence[int], rows: Sequence[Sequence[bytes]]
    ) -> list[_Answer]:
        """Paint, send, run, fetch, for each of `rows`. What is streamed during a run cannot
        be sent again: where a line of it was damaged, all is repeated, from the first on."""
        restarts = 0
        for _ in range(_STREAM_ATTEMPTS):
            answers: list[_Answer] = []
            try:
                for mode, inputs in zip(modes, rows, strict=True):
                    answer = self._attempt(pattern, mode, inputs, is_first=not answers)
                    if answer is None:
                        break
                    answers.append(answer)
            except DeviceRestarted:
                restarts += 1
                continue
            if len(answers) == len(rows):
                return answers
        if restarts:
            raise self._restarts()
        raise DeviceError(
            f"what the steps reported was damaged {_STREAM_ATTEMPTS} times in a row",
            at=self._at,
            fix="check the wiring and the baud rate; the whole conversation is in log/serial.txt",
        )

    def _attempt(
        self, pattern: int, mode: int, inputs: Sequence[bytes], *, is_first: bool
    ) -> _Answer | None:
        """One painted run; None where the lines that were sent meanwhile were damaged."""
        self._conversation.ask("paint" if is_first else "repaint", {"pattern": pattern})
        self._send_inputs(inputs)
        lines = self._conversation.ask("run", {"mode": mode})
        stream, result = lines[:-1], lines[-1] if lines else None
        if result is None or result.word != "result":
            return None
        if result.number("code") != 0:
            raise DeviceError(
                f"the model's invoke returned the error {result.number('code')}", at=self._at
            )
        complaint = self._transport.complaint()
        if complaint is not None:
            raise complaint
        if mode == _PLAIN or self._is_whole(stream, mode):
            return _Answer(result, tuple(stream), self._outputs())
        return None

    def _restarts(self) -> DeviceError:
        return DeviceError(
            f"the device restarted in each of {_STREAM_ATTEMPTS} attempts",
            at=self._at,
            fix="check the board's power, and that nothing presses reset or feeds a watchdog",
        )

    def _is_whole(self, stream: Sequence[Line], mode: int) -> bool:
        steps = sum(line.word == "step" for line in stream)
        tensors = sum(line.word == "tensor" for line in stream)
        written = self.firmware.written_count if mode == _TRACE else 0
        return steps == self.firmware.step_count and tensors == written

    def _outputs(self) -> tuple[bytes, ...]:
        lines = self._conversation.ask("outputs")
        heads = [line for line in lines if line.word == "output"]
        outputs = []
        for index, size_bytes in enumerate(self.firmware.output_bytes):
            data = _assemble(lines, index)
            head = next((x for x in heads if x.number("index") == index), None)
            if head is None or len(data) != size_bytes:
                raise DeviceError(
                    f"output {index} is incomplete: {len(data):,} of {size_bytes:,} B arrived",
                    at=self._at,
                    fix="firmware and mcucomp are of different versions: build again and flash it",
                )
            if head.hex32("crc32") != zlib.crc32(data):
                raise DeviceError(f"output {index} does not have the CRC-32 that goes with it")
            outputs.append(data)
        return tuple(outputs)

    # ---- what it means ----------------------------------------------------------------

    def _check_same(self, first: _Answer, second: _Answer) -> None:
        for index, (a, b) in enumerate(zip(first.outputs, second.outputs, strict=True)):
            if a != b:
                byte = next(i for i in range(len(a)) if a[i] != b[i])
                raise CheckFailed(
                    f"output {index} depends on what was in the arena before the run",
                    at=self._at,
                    details=[
                        f"byte {byte:,} is {a[byte]} over paint {_PAINT:#04x}"
                        f" and {b[byte]} over {_PAINT ^ 0xFF:#04x}"
                    ],
                    fix="a kernel reads what nobody wrote: please report it with the model",
                )

    def _instructions(self, line: Line, key: str, base: Line, base_key: str) -> int | None:
        ticks = _difference(line, key, base, base_key)
        return None if ticks is None else self._transport.instructions(ticks)

    def _steps(self, answer: _Answer) -> tuple[StepCount, ...]:
        """A count a step; the rows of an operator that runs in rows are told one by one."""
        found: dict[int, StepCount] = {}
        for line in answer.stream:
            if line.word == "step":
                count = StepCount(
                    line.number("index"),
                    self._instructions(line, "ticks", answer.result, "hook_ticks"),
                    _difference(line, "cycles", answer.result, "hook_cycles"),
                )
                earlier = found.get(count.step)
                found[count.step] = count if earlier is None else _sum(earlier, count)
        return tuple(found[step] for step in sorted(found))


def _sum(a: StepCount, b: StepCount) -> StepCount:
    def both(x: int | None, y: int | None) -> int | None:
        return None if x is None or y is None else x + y

    return StepCount(a.step, both(a.instructions, b.instructions), both(a.cycles, b.cycles))


def _guards(result: Line) -> str:
    text = result.text("guards")
    if text not in ("ok", "below", "above", "both"):
        raise DeviceError(f"the device tells nothing known of its guards: {text}")
    return text


def _difference(line: Line, key: str, base: Line, base_key: str) -> int | None:
    """A count less what measuring it costs; None where there is none."""
    count, cost = line.count(key), base.count(base_key)
    return None if count is None or cost is None else max(0, count - cost)


def _assemble(lines: Sequence[Line], index: int) -> bytes:
    """The bytes of one tensor as far as they follow each other without a gap."""
    data = b""
    for line in lines:
        if line.word == "bytes" and line.number("index") == index:
            if line.number("offset") != len(data):
                break
            data += line.data("base64")
    return data


def _traced(stream: Sequence[Line]) -> tuple[bytes, ...]:
    heads = {x.number("index"): x.number("bytes") for x in stream if x.word == "tensor"}
    traced = []
    for index in sorted(heads):
        data = _assemble(stream, index)
        if len(data) != heads[index]:
            raise DeviceError(
                f"traced tensor {index} is incomplete: {len(data):,} of {heads[index]:,} B arrived"
            )
        traced.append(data)
    return tuple(traced)


def _firmware(lines: Sequence[Line]) -> Firmware:
    hello = next((line for line in lines if line.word == "hello"), None)
    if hello is None:
        raise DeviceError(
            "the device does not say which model it runs",
            fix="firmware and mcucomp are of different versions: build again and flash it",
        )
    return Firmware(
        model=hello.text("model"),
        build_id=hello.hex32("build"),
        arena_bytes=hello.number("arena"),
        step_count=hello.number("steps"),
        written_count=hello.number("written"),
        input_bytes=tuple(x.number("bytes") for x in lines if x.word == "input"),
        output_bytes=tuple(x.number("bytes") for x in lines if x.word == "output"),
        has_ticks=hello.number("ticks") != 0,
        has_cycles=hello.number("cycles") != 0,
        clock_hz=hello.number("clock_hz"),
    )
