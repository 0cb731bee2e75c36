"""What does a custom operator's file say about its options?

In: the bytes of `custom_options`, a FlexBuffers map as TensorFlow writes it.
Out: its entries by name; those that are neither numbers nor truth values are
left out. Bytes that are no such map, damaged ones included, have no entries.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from flatbuffers import flexbuffers

Number = int | float | bool


def read_custom_options(data: bytes) -> Mapping[str, Number]:
    """The numbers in the map that `data` holds."""
    try:
        return _numbers(data)
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError, struct.error):
        return {}


def _numbers(data: bytes) -> dict[str, Number]:
    root = flexbuffers.GetRoot(bytearray(data))
    if not root.IsMap:
        return {}
    entries = root.AsMap
    if not 0 <= len(entries) <= len(data):
        return {}
    keys, values = entries.Keys, entries.Values
    found: dict[str, Number] = {}
    for i in range(len(entries)):
        value = values[i]
        if value.IsBool:
            found[str(keys[i].AsKey)] = bool(value.AsBool)
        elif value.IsInt:
            found[str(keys[i].AsKey)] = int(value.AsInt)
        elif value.IsFloat:
            found[str(keys[i].AsKey)] = float(value.AsFloat)
    return found


def write_custom_options(entries: Mapping[str, Number]) -> bytes:
    """The map that holds `entries`."""
    return bytes(flexbuffers.Dumps(dict(entries)))
