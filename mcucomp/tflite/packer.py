"""How do values become a flatbuffers table?

In: a table's name in the TFLite schema and a mapping from its fields' names to
values. Out: the table in a flatbuffers builder. Driven by `schema`, it writes
every table alike through the generated builder functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import flatbuffers
import numpy as np
import tflite

from mcucomp.tflite.schema import UNIONS, Field, FieldKind, members, table

# TFLM reads a constant's elements in place, so the schema asks for this alignment.
CONSTANT_ALIGNMENT_BYTES = 16


def pack(builder: flatbuffers.Builder, name: str, values: Mapping[str, Any]) -> int:
    """Write a table `name` with `values`, give its offset in the builder.

    Scalars are numbers, strings are text or its bytes, vectors are sequences or bytes, a
    sub-table is a mapping, a union is a pair (member's name, mapping). Fields
    that are not named keep their defaults. Raises KeyError for an unknown field.
    """
    fields = table(name).fields
    stored: dict[str, Any] = {}
    for field_name, value in values.items():
        field = fields[field_name]
        stored[field.accessor] = _PACK[field.kind](builder, field, value)
        if field.kind is FieldKind.UNION:
            numbers = {member: number for number, member in members(UNIONS[field_name]).items()}
            stored[fields[f"{field_name}_type"].accessor] = numbers[value[0]]
    getattr(tflite, f"{name}Start")(builder)
    for accessor, value in stored.items():
        getattr(tflite, f"{name}Add{accessor}")(builder, value)
    offset: int = getattr(tflite, f"{name}End")(builder)
    return offset


def _scalar(_builder: flatbuffers.Builder, _field: Field, value: Any) -> Any:
    return value


def _string(builder: flatbuffers.Builder, _field: Field, value: str | bytes) -> Any:
    return builder.CreateString(value)


def _sub_table(builder: flatbuffers.Builder, field: Field, value: Mapping[str, Any]) -> Any:
    return pack(builder, field.table, value)


def _union(builder: flatbuffers.Builder, _field: Field, value: tuple[str, Any]) -> Any:
    return pack(builder, *value)


def _scalars(builder: flatbuffers.Builder, field: Field, value: Sequence[Any]) -> Any:
    if isinstance(value, bytes):
        return _aligned_bytes(builder, value)
    return builder.CreateNumpyVector(np.array(value, dtype=field.numpy_type))


def _tables(builder: flatbuffers.Builder, field: Field, value: Sequence[Any]) -> Any:
    offsets = [pack(builder, field.table, item) for item in value]
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def _aligned_bytes(builder: flatbuffers.Builder, value: bytes) -> Any:
    """Bytes that start at a multiple of 16; the builder's own function aligns them to 1."""
    builder.StartVector(1, len(value), CONSTANT_ALIGNMENT_BYTES)
    head = builder.Head() - len(value)
    builder.head = head
    builder.Bytes[head : head + len(value)] = value
    return builder.EndVector()


_PACK: Mapping[FieldKind, Callable[[flatbuffers.Builder, Field, Any], Any]] = {
    FieldKind.SCALAR: _scalar,
    FieldKind.STRING: _string,
    FieldKind.TABLE: _sub_table,
    FieldKind.UNION: _union,
    FieldKind.SCALARS: _scalars,
    FieldKind.TABLES: _tables,
}
