"""A device in Python: answers as the harness does, and damages what a test wants damaged."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable

from mcucomp.device.protocol import Line, Splitter, decode
from mcucomp.errors import McucompError

INPUT_BYTES = 5
OUTPUT_BYTES = 400


def line(word: str, text: str) -> bytes:
    """A report line with its CRC; as in the firmware, a line feed ends what came before."""
    body = f"mcuc 1 {word} {text}".encode("ascii")
    return b"\n" + body + b" crc=%08X\n" % zlib.crc32(body)


class FakeDevice:
    """A transport with the device inside.

    `spoil` gets each line that the device sends and gives back what arrives. The
    model has one input of 5 bytes and one output of 400: the input over and over.
    """

    name = "fake"
    no_answer_fix = "mend the fake"
    noise_fix = "set the fake to the right baud rate"

    def __init__(self, spoil: Callable[[bytes], bytes] = bytes) -> None:
        self.spoil = spoil
        self.received: list[str] = []
        self.closed = False
        self.runs = 0  # since the model began anew
        self.memory = bytearray(INPUT_BYTES)
        self._last_run = 0
        self._splitter = Splitter()
        self._pending = b""
        self._crcs: list[int] = []

    # ---- transport ----------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        for _ in range(data.startswith(b"\n")):
            self.report("ready", "id=0 build=00000001")
            self.end(0)
        for raw in self._splitter.feed(data):
            said = decode(raw)
            assert isinstance(said, Line), raw
            self.received.append(said.word)
            getattr(self, f"obey_{said.word}")(said, said.number("id"))
            self.end(said.number("id"))

    def read(self, timeout_s: float) -> bytes:
        said, self._pending = self._pending, b""
        return said

    def failure(self) -> McucompError | None:
        return None

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return 2 * ticks

    def close(self) -> None:
        self.closed = True

    # ---- device -------------------------------------------------------------------------

    def report(self, word: str, text: str) -> None:
        raw = line(word, text)
        self._crcs.append(int(raw[-9:-1], 16))
        self._pending += self.spoil(raw)

    def end(self, number: int) -> None:
        crcs, self._crcs = self._crcs, []
        whole = zlib.crc32(b"".join(crc.to_bytes(4, "big") for crc in crcs))
        text = f"id={number} lines={len(crcs)} whole={whole:08X}"
        self._pending += self.spoil(line("end", text))

    def obey_hello(self, said: Line, number: int) -> None:
        self.report(
            "hello",
            f"id={number} model=echo build=00000001 arena=512 steps=1 inputs=1 outputs=1"
            " written=0 ticks=1 cycles=1 clock_hz=16000000",
        )
        self.report("input", f"id={number} index=0 bytes={INPUT_BYTES}")
        self.report("output", f"id={number} index=0 bytes={OUTPUT_BYTES}")

    def obey_paint(self, said: Line, number: int) -> None:
        self._last_run = 0
        self.runs = 0

    def obey_repaint(self, said: Line, number: int) -> None:
        self._last_run = 0

    def obey_data(self, said: Line, number: int) -> None:
        data, offset = said.data("base64"), said.number("offset")
        self.memory[offset : offset + len(data)] = data

    def obey_run(self, said: Line, number: int) -> None:
        plain = said.number("mode") == 0
        if number != self._last_run:
            self._last_run = number
            self.runs += 1
            self.report("running", f"id={number}")
            if not plain:
                self.report("step", f"id={number} index=0 ticks=60 cycles=70")
        whole = (
            "stack=40 ticks=110 empty_ticks=10 cycles=205 empty_cycles=5"
            if plain
            else ("stack=none ticks=none empty_ticks=none cycles=none empty_cycles=none")
        )
        hook = "hook_ticks=none hook_cycles=none" if plain else "hook_ticks=10 hook_cycles=20"
        self.report("result", f"id={number} code=0 peak=405 guards=ok {whole} {hook}")

    def output(self) -> bytes:
        return bytes(self.memory) * (OUTPUT_BYTES // INPUT_BYTES)

    def obey_outputs(self, said: Line, number: int) -> None:
        data = self.output()
        self.report("output", f"id={number} index=0 bytes={len(data)} crc32={zlib.crc32(data):08X}")
        for at in range(0, len(data), 192):
            text = base64.b64encode(data[at : at + 192]).decode("ascii")
            self.report("bytes", f"id={number} index=0 offset={at} base64={text}")
