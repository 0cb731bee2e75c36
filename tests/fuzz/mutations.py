"""How is a model's file damaged, so that what reads it meets everything?

`mutations` changes bytes, most of which leaves no readable file. `restructured`
changes one to three values of the file's tables (a shape, an option, an index,
a scale, a constant) and writes a sound file around them, which gets further.
Both draw from the source of chance that they are given.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from mcucomp.errors import McucompError
from mcucomp.tflite import Values, repack, unpack

# Bytes that often turn an offset or a length into a hostile one.
HOSTILE_WORDS = (0, 1, 3, 4, 0x7F, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFC)

_INTEGERS = (-(2**31), -129, -2, -1, 0, 1, 2, 3, 4, 5, 7, 8, 16, 127, 255, 4096, 65536, 2**31 - 1)
_FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, 1e-38, 1e-20, 1e-6, 1e6, 1e20, 3.4e38,
    float("inf"), float("-inf"), float("nan"),
)  # fmt: skip


def mutations(data: bytes, count: int, source: random.Random) -> Iterator[bytes]:
    """`count` files with one to eight changed bytes, or an aligned word replaced."""
    for _ in range(count):
        damaged = bytearray(data)
        if source.random() < 0.3:
            position = source.randrange(len(data) // 4) * 4
            word = source.choice(HOSTILE_WORDS)
            damaged[position : position + 4] = word.to_bytes(4, "little")
        else:
            for _ in range(source.choice((1, 1, 2, 8))):
                damaged[source.randrange(len(data))] = source.randrange(256)
        yield bytes(damaged)


def restructured(data: bytes, source: random.Random) -> bytes | None:
    """A file with one to three other values in its tables; None where none can be written."""
    try:
        values = unpack(data, "seed")
    except McucompError:
        return None
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        places = list(_places(values, ()))
        container, key = source.choice(_evenly(places, source))
        container[key] = _other(container[key], source)
        if source.random() < 0.1:
            _drop_or_repeat(values, source)
    try:
        return repack(values)
    except Exception:  # no number of this size in that field: nothing that a file could hold
        return None


def _places(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """(names on the way, container, key) of each value that is no container of tables."""
    entries: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for key, content in entries:
        way = (*path, key) if isinstance(key, str) else path
        if isinstance(content, tuple) and isinstance(content[1], Mapping):  # a union
            yield from _places(content[1], (*way, content[0]))
        elif isinstance(content, dict) or (isinstance(content, list) and content):
            yield from _places(content, way)
        else:
            yield way, value, key


def _evenly(
    places: list[tuple[tuple[str, ...], Any, Any]], source: random.Random
) -> list[tuple[Any, Any]]:
    """All places of one name, so that a model's many names and blobs do not draw all attention."""
    named: dict[tuple[str, ...], list[tuple[Any, Any]]] = {}
    for way, container, key in places:
        if way[-1:] not in (("name",), ("description",)):
            named.setdefault(way, []).append((container, key))
    return named[source.choice(sorted(named))]


def _other(value: Any, source: random.Random) -> Any:
    """Another value of the same type."""
    kinds: Mapping[type, Callable[[Any, random.Random], Any]] = {
        bool: lambda v, _: not v,
        int: _other_integer,
        float: _other_float,
        bytes: _other_bytes,
        np.ndarray: _other_array,
    }
    change = kinds.get(type(value))
    return value if change is None else change(value, source)


def _other_integer(value: int, source: random.Random) -> int:
    if source.random() < 0.5:
        return value + source.choice((-2, -1, 1, 2))
    return source.choice(_INTEGERS)


def _other_float(value: float, source: random.Random) -> float:
    if source.random() < 0.5:
        return value * source.choice((0.01, 0.5, 1.5, 2.0, 100.0, -1.0))
    return source.choice(_FLOATS)


def _other_bytes(value: bytes, source: random.Random) -> bytes:
    if not value or source.random() < 0.2:
        return source.randbytes(source.randrange(9))
    if source.random() < 0.2:
        return value[: source.randrange(len(value))]
    changed = bytearray(value)
    for _ in range(source.choice((1, 4, 16))):
        changed[source.randrange(len(changed))] = source.choice((0, 1, 2, 127, 128, 255))
    return bytes(changed)


def _other_array(value: np.ndarray, source: random.Random) -> np.ndarray:
    how = source.random()
    if how < 0.15 or not value.size:
        return np.append(value, value[:1] if value.size else [source.choice((0, 1, 2))]).astype(
            value.dtype
        )
    if how < 0.3:
        return np.delete(value, source.randrange(value.size))
    changed = value.copy()
    at = source.randrange(value.size)
    is_float = value.dtype.kind == "f"
    other = (_other_float if is_float else _other_integer)(value[at].item(), source)
    if not is_float:
        limits = np.iinfo(value.dtype)
        other = min(max(other, limits.min), limits.max)
    with np.errstate(over="ignore"):
        changed[at] = other
    return changed


def _drop_or_repeat(values: Values, source: random.Random) -> None:
    """An operator, a tensor or a blob less, or twice."""
    graph = source.choice(values["subgraphs"])
    rows = source.choice([graph.get("operators"), graph.get("tensors"), values["buffers"]])
    if rows:
        at = source.randrange(len(rows))
        if source.random() < 0.5:
            del rows[at]
        else:
            rows.insert(source.randrange(len(rows) + 1), rows[at])
