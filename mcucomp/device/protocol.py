"""What does one line of the conversation say, and is it whole?

In: bytes from the line. Out: `Line`s whose CRC was right, `Damaged` lines that
began like ours, and `Other` text. The form, as in firmware/runtime/mcuc_line.h:

    mcuc 1 word key=value key=value ... crc=XXXXXXXX

Decoding is strict: a line that differs from what `encode` writes in any byte is
damaged. Nothing is guessed, and a line without its line feed is no line yet.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcucomp.errors import DeviceError

PREFIX = b"mcuc 1 "
DATA_BYTES = 192  # MCUC_LINE_DATA_BYTES of the firmware: what one line carries at most

# Much longer than any line of the firmware: a device that never ends its line is cut off.
MOST_LINE_BYTES = 4096

_TAIL = re.compile(rb" crc=([0-9A-F]{8})\Z")
_BODY = re.compile(rb"mcuc 1 ([a-z_]+)((?: [a-z0-9_]+=[!-~]*)*)\Z")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
_HEX = re.compile(r"[0-9A-F]{8}")


@dataclass(frozen=True, slots=True)
class Line:
    """A whole line. The accessors raise DeviceError where the value is not of their kind."""

    word: str
    values: Mapping[str, str]
    crc: int = 0

    def text(self, key: str) -> str:
        """The value as it is."""
        if key not in self.values:
            raise _wrong(self.word, key, "it is missing")
        return self.values[key]

    def number(self, key: str) -> int:
        """A decimal number of 32 bits, without sign."""
        text = self.text(key)
        if not _NUMBER.fullmatch(text) or int(text) >= 1 << 32:
            raise _wrong(self.word, key, f"no number of 32 bits: {text}")
        return int(text)

    def count(self, key: str) -> int | None:
        """A number, or None where the device could not measure it."""
        return None if self.text(key) == "none" else self.number(key)

    def hex32(self, key: str) -> int:
        """Eight hexadecimal digits."""
        text = self.text(key)
        if not _HEX.fullmatch(text):
            raise _wrong(self.word, key, f"no eight hexadecimal digits: {text}")
        return int(text, 16)

    def data(self, key: str) -> bytes:
        """Bytes in base64."""
        text = self.text(key)
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise _wrong(self.word, key, "no base64") from error


@dataclass(frozen=True, slots=True)
class Damaged:
    """A line that began like ours and is not one."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Other:
    """Text that is not ours; it is passed through."""

    raw: bytes


def _wrong(word: str, key: str, reason: str) -> DeviceError:
    return DeviceError(
        f"the device's line '{word}' has a wrong value for '{key}': {reason}",
        fix="firmware and mcucomp are of different versions: build again and flash it",
    )


def encode(word: str, values: Mapping[str, int | bytes]) -> bytes:
    """The line, with line feed: numbers in decimal, bytes in base64."""
    shown = {
        key: base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else str(value)
        for key, value in values.items()
    }
    body = PREFIX + " ".join([word, *(f"{k}={v}" for k, v in shown.items())]).encode("ascii")
    return body + b" crc=%08X\n" % zlib.crc32(body)


def decode(raw: bytes) -> Line | Damaged | Other:
    """What a line without its line feed is."""
    if not raw.startswith(b"mcuc"):
        return Other(raw)
    tail = _TAIL.search(raw)
    if tail is None:
        return Damaged(raw)
    body = raw[: tail.start()]
    whole = _BODY.match(body)
    if whole is None or int(tail[1], 16) != zlib.crc32(body):
        return Damaged(raw)
    pairs = [pair.split("=", 1) for pair in whole[2].decode("ascii").split()]
    values = dict(pairs)
    if len(values) != len(pairs):
        return Damaged(raw)
    return Line(whole[1].decode("ascii"), values, int(tail[1], 16))


def crc_of(lines: Iterable[Line]) -> int:
    """The CRC-32 of the CRCs of lines, which an end marker carries as `whole`."""
    return zlib.crc32(b"".join(line.crc.to_bytes(4, "big") for line in lines))


class Splitter:
    """Cuts a stream of bytes into lines; keeps what has no line feed yet."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def rest(self) -> bytes:
        """Bytes that are no line yet."""
        return self._rest

    def feed(self, received: bytes) -> list[bytes]:
        """The lines that are complete now, without line ends and without empty ones."""
        *lines, self._rest = (self._rest + received).split(b"\n")
        if len(self._rest) > MOST_LINE_BYTES:
            lines.append(self._rest)
            self._rest = b""
        return [line for line in (line.removesuffix(b"\r") for line in lines) if line]
