"""The failures that are not bugs: what happened, where, and what to do.

    McucompError                 exit 70   (raised only through its branches)
    |- AnswerIsNo                exit 1    the question was understood; the answer is no
    |  |- DoesNotFit                       the model needs more memory than the board has
    |  `- CheckFailed                      the device and the reference, or the plan, disagree
    |- RequestError              exit 2    what was asked for is wrong
    |  |- InvalidModel                     the file is no model that can be read
    |  |- UnsupportedModel                 a valid model that uses what we cannot compile
    |  |- InvalidBoard                     a board that is unknown or whose file is wrong
    |  `- InvalidInput                     an option, path or input that cannot be used
    `- OutsideError              exit 3    the outside world failed
       |- ToolMissing                      a compiler, emulator or package is not installed
       |- ToolFailed                       it is installed and reported a failure
       |- NetworkFailed                    a server cannot be reached, or has another file
       `- DeviceError                      the device is silent, or what it says is damaged

Anything else that escapes is our bug: exit 70.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def printable(text: str) -> str:
    """`text` with everything that could steer a terminal written as an escape.

    Names in a model are data; they reach messages, tables and comments only
    through here. Printable non-ASCII characters stay as they are.
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


MOST_NAME_CHARACTERS = 48


def short_name(name: str) -> str:
    """A tensor's name as a line of text can hold it.

    Converters name a fused operator's output after all that was fused, joined
    by semicolons; the first says enough. What is too long loses its start.
    """
    first = printable(name.partition(";")[0])
    kept = MOST_NAME_CHARACTERS - len("...")
    return first if len(first) <= MOST_NAME_CHARACTERS else "..." + first[-kept:]


class McucompError(Exception):
    """One failure, told in a line and at most a few indented ones.

    Args:
        what: the failure itself, in one line, without a full stop.
        at: where: a file, an operator with index and kind, a tensor, a key.
        details: further facts, a line each.
        fix: what to do about it, in one line.
    """

    exit_code = 70

    def __init__(
        self, what: str, *, at: str = "", details: Iterable[str] = (), fix: str = ""
    ) -> None:
        self.what = what
        self.at = at
        self.details = tuple(details)
        self.fix = fix
        super().__init__(what)

    @property
    def kind(self) -> str:
        """The name that JSON reports carry, such as `does-not-fit`."""
        name = type(self).__name__
        return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")

    def __str__(self) -> str:
        lines = [f"{self.at}: {self.what}" if self.at else self.what]
        lines += [f"  {line}" for line in self.details]
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(printable(line) for line in lines)

    def as_json(self) -> dict[str, object]:
        """The `error` member of a JSON document."""
        return {
            "kind": self.kind,
            "what": self.what,
            "at": self.at,
            "details": list(self.details),
            "fix": self.fix,
        }


class AnswerIsNo(McucompError):
    """The question was understood, and the answer is no."""

    exit_code = 1


class DoesNotFit(AnswerIsNo):
    """The model needs more memory than the board has."""


class CheckFailed(AnswerIsNo):
    """The device and the reference, or the device and the plan, disagree."""


class RequestError(McucompError):
    """What was asked for is wrong."""

    exit_code = 2


class InvalidModel(RequestError):
    """The file is no model that can be read."""


class UnsupportedModel(RequestError):
    """A valid model that uses what we cannot compile."""


class InvalidBoard(RequestError):
    """A board that is unknown, or whose file is wrong."""


class InvalidInput(RequestError):
    """An option, a path or an input that cannot be used."""


class OutsideError(McucompError):
    """The outside world failed."""

    exit_code = 3


class ToolMissing(OutsideError):
    """A compiler, an emulator or a package is not installed."""


class ToolFailed(OutsideError):
    """A tool is installed and reported a failure."""


class NetworkFailed(OutsideError):
    """A server cannot be reached, or gives something else than was asked for."""


class DeviceError(OutsideError):
    """The device is silent, or what it says is damaged."""


def nearest_first(name: str, known: Iterable[str]) -> list[str]:
    """`known` sorted by likeness to `name`, for messages about unknown names."""
    return sorted(
        known, key=lambda k: (-difflib.SequenceMatcher(None, name.lower(), k.lower()).ratio(), k)
    )
