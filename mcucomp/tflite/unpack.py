"""Which values do all tables of a file hold, those included that we have no use for?

In: a file's bytes. Out: its `Model` table as nested values, of the kind that
`packer.pack` takes, so that a file can be changed in one place while
everything else survives: names as bytes, signatures, metadata, vectors that are
empty and vectors that are absent, numbers in the order of the file. `repack`
writes such values as a file again.

A field that the schema at hand does not have cannot be carried over, so a
file that has one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import flatbuffers
import numpy as np
from flatbuffers import number_types
from flatbuffers.table import Table as FlatTable

from mcucomp.errors import UnsupportedModel
from mcucomp.tflite.formats import require_tflite
from mcucomp.tflite.packer import pack
from mcucomp.tflite.schema import UNIONS, Field, FieldKind, Table, members, table
from mcucomp.tflite.verify import verify
from mcucomp.tflite.writer import FILE_IDENTIFIER

Values = dict[str, Any]

_FIRST_SLOT_OFFSET = 4  # in a vtable, after its own size and the table's
_SPARE_BYTES = 4096


def unpack(data: bytes, source: str) -> Values:
    """The fields of the file's `Model` table by name; absent fields are absent.

    Scalars are numbers, strings bytes, vectors of bytes `bytes`, other vectors
    of numbers numpy arrays, tables mappings, vectors of tables lists, a union a
    pair (member's name, mapping).

    Raises InvalidModel for bytes that are no TFLite file or a damaged one,
    UnsupportedModel for fields and union members that the schema does not have.
    """
    require_tflite(data, source)
    verify(data, source, whole=True)
    root = number_types.UOffsetTFlags.packer_type.unpack_from(data, 0)[0]
    return _Unpacking(data, source).table(root, table("Model"))


def repack(values: Mapping[str, Any]) -> bytes:
    """The file that holds these values: the same bytes for the same values."""
    constants_bytes = sum(len(b.get("data", b"")) for b in values.get("buffers", ()))
    builder = flatbuffers.Builder(constants_bytes + _SPARE_BYTES)
    builder.ForceDefaults(True)  # what a file states stays stated, be it the default
    builder.Finish(pack(builder, "Model", values), file_identifier=FILE_IDENTIFIER)
    return bytes(builder.Output())


class _Unpacking:
    """One pass over a verified file. Positions are bytes from the file's start."""

    def __init__(self, data: bytes, source: str) -> None:
        self._data = data
        self._source = source

    def table(self, position: int, description: Table) -> Values:
        """The fields that the table at `position` has."""
        at = FlatTable(self._data, position)
        self._require_known(at, description)
        values: Values = {}
        for field in description.fields.values():
            offset = at.Offset(_FIRST_SLOT_OFFSET + 2 * field.slot)
            if offset:
                values[field.name] = _UNPACK[field.kind](self, at, offset, field)
        for name, field in description.fields.items():
            if field.kind is FieldKind.UNION:
                self._name_union(values, name, at)
        return values

    def _require_known(self, at: FlatTable, description: Table) -> None:
        vtable = at.Pos - at.Get(number_types.SOffsetTFlags, at.Pos)
        vtable_bytes = at.Get(number_types.VOffsetTFlags, vtable)
        known = max((f.slot for f in description.fields.values()), default=-1) + 1
        for slot in range(known, (vtable_bytes - _FIRST_SLOT_OFFSET) // 2):
            if at.Offset(_FIRST_SLOT_OFFSET + 2 * slot):
                raise UnsupportedModel(
                    f"a table {description.name} has a field number {slot}; known are"
                    f" {known}, so that it would be lost",
                    at=self._source,
                    fix="convert the model with the schema of TensorFlow Lite Micro's time",
                )

    def _name_union(self, values: Values, name: str, at: FlatTable) -> None:
        """Put (member's name, its fields) for a union; leave a type without content as it is."""
        if name not in values:
            return
        number = values.pop(f"{name}_type", 0)
        member = members(UNIONS[name]).get(number)
        if member is None:
            raise UnsupportedModel(
                f"its {name} have type {number}; known are 0 to {max(members(UNIONS[name]))}",
                at=self._source,
                fix="convert the model with operators that TensorFlow Lite Micro has",
            )
        if member == "NONE":
            del values[name]
            return
        values[name] = (member, self.table(values[name], table(member)))

    def scalar(self, at: FlatTable, offset: int, field: Field) -> Any:
        return at.Get(_flags(field.numpy_type), at.Pos + offset)

    def string(self, at: FlatTable, offset: int, _field: Field) -> bytes:
        return bytes(at.String(at.Pos + offset))

    def sub_table(self, at: FlatTable, offset: int, field: Field) -> Values:
        return self.table(at.Indirect(at.Pos + offset), table(field.table))

    def union(self, at: FlatTable, offset: int, _field: Field) -> int:
        """Where the union's table is; `_name_union` knows which table it is."""
        return int(at.Indirect(at.Pos + offset))

    def scalars(self, at: FlatTable, offset: int, field: Field) -> Any:
        first, count = at.Vector(offset), at.VectorLen(offset)
        numbers = np.frombuffer(
            self._data, np.dtype(field.numpy_type).newbyteorder("<"), count, first
        )
        return numbers.tobytes() if field.numpy_type == "uint8" else numbers.copy()

    def tables(self, at: FlatTable, offset: int, field: Field) -> list[Values]:
        first, description = at.Vector(offset), table(field.table)
        return [
            self.table(at.Indirect(first + 4 * i), description) for i in range(at.VectorLen(offset))
        ]


def _flags(numpy_type: str) -> Any:
    return getattr(number_types, f"{numpy_type.capitalize()}Flags")


_UNPACK: Mapping[FieldKind, Callable[[_Unpacking, FlatTable, int, Field], Any]] = {
    FieldKind.SCALAR: _Unpacking.scalar,
    FieldKind.STRING: _Unpacking.string,
    FieldKind.TABLE: _Unpacking.sub_table,
    FieldKind.UNION: _Unpacking.union,
    FieldKind.SCALARS: _Unpacking.scalars,
    FieldKind.TABLES: _Unpacking.tables,
}
