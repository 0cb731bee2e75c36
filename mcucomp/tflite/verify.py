"""Can everything that the reader wants from these bytes be read at all?

The flatbuffers runtime for Python follows any offset it finds. So before an
accessor is used, everything that the reader will touch is walked here: root,
vtables, tables, vectors, strings, unions. Each offset, length and alignment is
checked against the file's size. In: bytes. Out: nothing, or InvalidModel.

The work is bounded by the file's size: a table is walked once, however often
it is referred to; the elements of all vectors of tables together cannot be
more than the file has room for; and what the reader would have to read, every
reference counted, is limited too.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from mcucomp.errors import InvalidModel
from mcucomp.tflite.schema import UNIONS, Field, FieldKind, Table, members, table

# What the reader uses. Tables that are not named here (all options) are walked whole;
# an empty row stands for a table of which only the presence matters.
_READ: Mapping[str, tuple[str, ...]] = {
    "Model": ("version", "operator_codes", "subgraphs", "description", "buffers", "metadata"),
    "SubGraph": ("tensors", "inputs", "outputs", "operators", "name"),
    "Tensor": ("shape", "type", "buffer", "name", "quantization", "is_variable", "sparsity"),
    "QuantizationParameters": ("scale", "zero_point", "quantized_dimension"),
    "SparsityParameters": (),
    "Operator": (
        "opcode_index",
        "inputs",
        "outputs",
        "builtin_options_type",
        "builtin_options",
        "custom_options",
        "large_custom_options_offset",
        "builtin_options2_type",
        "builtin_options2",
    ),
}

_OFFSET_BYTES = 4
_LENGTH_BYTES = 4
_VTABLE_HEADER_BYTES = 4

# How often parts of a file may be shared before reading it is refused as a trap: bytes to
# read for each byte of the file, and a little for files that are nearly empty.
_SHARING = 8
_SHARING_BASE_BYTES = 65536

_FIX = "download or convert the file again"


def verify(data: bytes, source: str, whole: bool = False) -> None:
    """Check all that the reader will touch in `data`, whose root is a Model.

    With `whole`, all fields of all tables, which is what `unpack` will touch.

    Raises InvalidModel that names the first part that cannot be read, its
    byte, and the file's size.
    """
    walk = _Walk(data, source, {} if whole else _READ)
    walk.table(walk.target(0, "the root table"), table("Model"))


class _Walk:
    """One pass over a file. Positions are bytes from the file's start."""

    def __init__(self, data: bytes, source: str, read: Mapping[str, tuple[str, ...]]) -> None:
        self._data = data
        self._read = read
        self._source = source
        self._elements_left = len(data) // _OFFSET_BYTES
        self._bytes_to_read_limit = _SHARING * len(data) + _SHARING_BASE_BYTES
        self._tables: dict[tuple[int, str], int] = {}
        self._vectors: dict[tuple[int, str], int] = {}

    def table(self, position: int, description: Table) -> int:
        """Walk a table; give the bytes that reading it takes, all it refers to included."""
        key = (position, description.name)
        if key not in self._tables:
            self._tables[key] = self._walk_table(position, description)
        return self._tables[key]

    def target(self, position: int, part: str) -> int:
        """Where the offset at `position` points to."""
        (distance,) = self._unpack("<I", position, f"the offset of {part}")
        if distance == 0:
            raise self._damaged(f"the offset of {part} at byte {position} is 0")
        target: int = position + distance
        self._within(target, _OFFSET_BYTES, part)
        return target

    def _walk_table(self, position: int, description: Table) -> int:
        part = f"the table {description.name}"
        (back,) = self._unpack("<i", position, part)
        offsets, table_bytes = self._vtable(position - back, part)
        self._within(position, table_bytes, part)
        to_read = table_bytes
        for name in self._read.get(description.name, tuple(description.fields)):
            field = description.fields[name]
            offset = offsets[field.slot] if field.slot < len(offsets) else 0
            if offset == 0:
                continue
            if not _OFFSET_BYTES <= offset <= table_bytes - field.inline_bytes:
                raise self._damaged(
                    f"{name} of {part} at byte {position} lies {offset} bytes into a table"
                    f" of {table_bytes}"
                )
            self._aligned(position + offset, field.inline_bytes, f"{name} of {part}")
            to_read += self._field(position, offset, offsets, field, description)
        if to_read > self._bytes_to_read_limit:
            raise self._damaged(f"{part} at byte {position} shares its parts beyond all measure")
        return to_read

    def _vtable(self, position: int, part: str) -> tuple[tuple[int, ...], int]:
        """The fields' offsets in the table (0: absent), and the table's size in bytes."""
        of = f"the vtable of {part.removeprefix('the ')}"
        if position < 0:
            raise self._damaged(f"{of} lies {-position} bytes before the file's start")
        vtable_bytes, table_bytes = self._unpack("<HH", position, of, alignment=2)
        if vtable_bytes < _VTABLE_HEADER_BYTES or vtable_bytes % 2:
            raise self._damaged(f"{of} at byte {position} has a size of {vtable_bytes} bytes")
        if table_bytes < _OFFSET_BYTES:
            raise self._damaged(f"{of} at byte {position} states a table of {table_bytes} bytes")
        count = (vtable_bytes - _VTABLE_HEADER_BYTES) // 2
        fields_position = position + _VTABLE_HEADER_BYTES
        return self._unpack(f"<{count}H", fields_position, of, alignment=2), table_bytes

    def _field(
        self, position: int, offset: int, offsets: tuple[int, ...], field: Field, of: Table
    ) -> int:
        """Walk what a field refers to; give the bytes that reading it takes."""
        if field.kind is FieldKind.SCALAR:
            return 0
        part = f"{field.name} of the table {of.name}"
        if field.kind is FieldKind.UNION:
            member = self._union_member(position, offsets, field)
            if member is None:
                return 0
            return self.table(self.target(position + offset, part), table(member))
        target = self.target(position + offset, part)
        if field.kind is FieldKind.TABLE:
            return self.table(target, table(field.table))
        if field.kind is FieldKind.TABLES:
            return self._vector_of_tables(target, field, part)
        element_bytes = 1 if field.kind is FieldKind.STRING else field.scalar_bytes
        return self._vector(target, element_bytes, part) * element_bytes

    def _union_member(self, position: int, offsets: tuple[int, ...], field: Field) -> str | None:
        """The union's table by the type field before it; None where the reader ignores it."""
        type_offset = offsets[field.slot - 1]
        number = self._data[position + type_offset] if type_offset else 0
        member = members(UNIONS[field.name]).get(number)
        return None if member == "NONE" else member

    def _vector(self, position: int, element_bytes: int, part: str) -> int:
        """The number of a vector's elements, all of which are within the file."""
        (count,) = self._unpack("<I", position, part)
        self._within(position, _LENGTH_BYTES + count * element_bytes, part)
        self._aligned(position + _LENGTH_BYTES, element_bytes, part)
        return int(count)

    def _vector_of_tables(self, position: int, field: Field, part: str) -> int:
        key = (position, field.table)
        if key in self._vectors:
            return self._vectors[key]
        count = self._vector(position, _OFFSET_BYTES, part)
        self._elements_left -= count
        if self._elements_left < 0:
            raise self._damaged(f"{part} at byte {position} overlaps other parts")
        element = table(field.table)
        first = position + _LENGTH_BYTES
        ends = range(first, first + count * _OFFSET_BYTES, _OFFSET_BYTES)
        to_read = sum(self.table(self.target(at, f"an element of {part}"), element) for at in ends)
        self._vectors[key] = count * _OFFSET_BYTES + to_read
        return self._vectors[key]

    def _unpack(
        self, layout: str, position: int, part: str, alignment: int = _OFFSET_BYTES
    ) -> tuple[int, ...]:
        self._within(position, struct.calcsize(layout), part)
        self._aligned(position, alignment, part)
        return struct.unpack_from(layout, self._data, position)

    def _within(self, position: int, size_bytes: int, part: str) -> None:
        end = position + size_bytes
        if end > len(self._data):
            raise self._damaged(
                f"{part} at byte {position} goes on to byte {end}; the file has"
                f" {len(self._data)} B",
                "cut short or damaged",
            )

    def _aligned(self, position: int, alignment: int, part: str) -> None:
        # Public files hold vectors of 8-byte numbers at multiples of 4.
        alignment = min(alignment, _OFFSET_BYTES)
        if position % alignment:
            raise self._damaged(f"{part} at byte {position} is not aligned to {alignment} bytes")

    def _damaged(self, what: str, verdict: str = "damaged") -> InvalidModel:
        return InvalidModel(f"{verdict}: {what}", at=self._source, fix=_FIX)
