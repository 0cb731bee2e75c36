"""Writing down a conversation, line by line, so that it can be read and played back.

`> text` is a line that the host sent, `< text` one that it received, and
`<+ text` bytes at the very end that never became a line. Bytes that are not
printable ASCII, and backslashes, are written as Python escapes.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO

SENT, RECEIVED, UNFINISHED = ">", "<", "<+"


def escape(raw: bytes) -> str:
    """The bytes as one line of printable ASCII."""
    return raw.decode("latin-1").encode("unicode_escape").decode("ascii")


def unescape(text: str) -> bytes:
    """The bytes that `escape` was given."""
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")


class Recorder:
    """Writes to a file, or nowhere where the path is None."""

    def __init__(self, path: Path | None) -> None:
        self._file: IO[str] | None = None if path is None else path.open("w", encoding="ascii")

    def write(self, mark: str, raw: bytes) -> None:
        """One line without its line feed."""
        if self._file is not None:
            self._file.write(f"{mark} {escape(raw)}\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def load(path: Path) -> list[tuple[str, bytes]]:
    """The lines of a recording: (mark, bytes)."""
    pairs = (line.split(" ", 1) for line in path.read_text(encoding="ascii").splitlines())
    return [(mark, unescape(text)) for mark, text in pairs]
