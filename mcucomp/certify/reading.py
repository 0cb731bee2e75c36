"""Is a document of the form that it should have? Typed access that names the line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcucomp.errors import CheckFailed

_WORDS = {
    int: "a whole number",
    str: "a text",
    list: "a list",
    dict: "an object",
    bool: "true or false",
}


def wrong(path: str, what: str, *, details: Sequence[str] = ()) -> CheckFailed:
    """The failure of one line of the document; `path` says which, as `buffers[3].offset`."""
    return CheckFailed(what, at=f"plan.json: {path}", details=details)


def member(value: Any, path: str, key: str, kind: type) -> Any:
    """`value[key]`, which must be of type `kind`."""
    if not isinstance(value, dict) or key not in value:
        raise wrong(f"{path}.{key}".lstrip("."), "is missing")
    return of_kind(value[key], f"{path}.{key}".lstrip("."), kind)


def of_kind(value: Any, path: str, kind: type) -> Any:
    """`value`, which must be of type `kind`; true and false are no numbers."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise wrong(path, f"is not {_WORDS[kind]}")
    return value


def numbers(value: Any, path: str, below: int | None = None) -> list[int]:
    """A list of whole numbers, each from 0 to `below` where that is given."""
    listed = of_kind(value, path, list)
    for k, number in enumerate(listed):
        of_kind(number, f"{path}[{k}]", int)
        if number < 0 or (below is not None and number >= below):
            raise wrong(f"{path}[{k}]", f"is {number}; it must be from 0 to {below}")
    return list(listed)


def equal(found: Any, expected: Any, path: str, source: str) -> None:
    """Raise unless a line says what `source` says."""
    if type(found) is not type(expected) or found != expected:
        raise wrong(path, f"is {_shown(found)}; {source} says {_shown(expected)}")


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else repr(value)
