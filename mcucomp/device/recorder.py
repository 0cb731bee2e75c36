"""Writing down a conversation, line by line, so that it can be read and played back.

`> text` is a line that the host sent, `< text` one that it received, and
`<+ text` bytes at the very end that never became a line. Bytes that are not
printable ASCII, and backslashes, are written as Python escapes. `# key value` at the
head says which board it was, over which transport.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from mcucomp.errors import InvalidInput

SENT, RECEIVED, UNFINISHED, HEAD = ">", "<", "<+", "#"


def escape(raw: bytes) -> str:
    """The bytes as one line of printable ASCII."""
    return raw.decode("latin-1").encode("unicode_escape").decode("ascii")


def unescape(text: str) -> bytes:
    """The bytes that `escape` was given."""
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")


class Recorder:
    """Writes to each of several files; to none where there are none."""

    def __init__(self, paths: Sequence[Path] = (), head: Mapping[str, str] | None = None) -> None:
        """Opens the files; InvalidInput names the one that cannot be written."""
        self._files: list[IO[str]] = []
        for path in paths:
            try:
                self._files.append(path.open("w", encoding="ascii"))
            except OSError as error:
                self.close()
                raise InvalidInput(
                    f"the conversation cannot be recorded: {error.strerror}",
                    at=str(path),
                    fix="name another file with --record",
                ) from error
        for key, value in (head or {}).items():
            self.write(HEAD, f"{key} {value}".encode("ascii", errors="replace"))

    def write(self, mark: str, raw: bytes) -> None:
        """One line without its line feed."""
        for file in self._files:
            file.write(f"{mark} {escape(raw)}\n")

    def close(self) -> None:
        for file in self._files:
            file.close()


def load(path: Path) -> list[tuple[str, bytes]]:
    """The lines of a recording: (mark, bytes).

    Raises:
        InvalidInput: there is no such file, or it is no recording.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        pairs = [line.split(" ", 1) for line in lines]
        return [(_known(mark), unescape(text)) for mark, text in pairs]
    except OSError as error:
        raise InvalidInput(
            f"the recording cannot be read: {error.strerror}",
            at=str(path),
            fix="'mcucomp run DIR --record FILE' makes one",
        ) from error
    except ValueError as error:
        raise InvalidInput(
            "this is no recorded conversation",
            at=str(path),
            fix="'mcucomp run DIR --record FILE' makes one",
        ) from error


def _known(mark: str) -> str:
    if mark not in (SENT, RECEIVED, UNFINISHED, HEAD):
        raise ValueError(mark)
    return mark
