"""What does a table of the TFLite schema consist of?

In: the accessor classes of the package `tflite`, which flatc generated from
the schema. Out: a `Table` for each, with its fields' names, slots, types and
defaults. Nothing is written down twice: each accessor is called once on a
recording stand-in for the flatbuffers runtime, and what it asks for is the
description. The verifier, the options and the writer are driven by it.
"""

from __future__ import annotations

import enum
import functools
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tflite
from flatbuffers import number_types


class FieldKind(enum.Enum):
    """How a field is stored: in the table itself, or behind an offset."""

    SCALAR = "scalar"
    STRING = "string"
    TABLE = "table"
    UNION = "union"
    SCALARS = "vector of scalars"
    TABLES = "vector of tables"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a table.

    `name` is the schema's (`stride_w`), `accessor` the method's (`StrideW`).
    `scalar_bytes` and `numpy_type` describe a scalar or a vector's element,
    `table` names the table that is referred to, `default` is a scalar's value
    where the file has none. `slot` counts from 0.
    """

    name: str
    accessor: str
    slot: int
    kind: FieldKind
    scalar_bytes: int = 0
    numpy_type: str = ""
    table: str = ""
    default: int | float | bool = 0

    @property
    def inline_bytes(self) -> int:
        """Bytes in the table itself: of the scalar, or of the offset to the rest."""
        return self.scalar_bytes if self.kind is FieldKind.SCALAR else _OFFSET_BYTES


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the schema; `fields` by name, in the order of their slots."""

    name: str
    fields: Mapping[str, Field]


# The members of a union have the names of their tables; its type field is one slot before.
UNIONS: Mapping[str, type] = {
    "builtin_options": tflite.BuiltinOptions,
    "builtin_options2": tflite.BuiltinOptions2,
    "details": tflite.QuantizationDetails,
    "array_segments": tflite.SparseIndexVector,
    "array_indices": tflite.SparseIndexVector,
}

_OFFSET_BYTES = 4
_FIRST_SLOT_OFFSET = 4  # in a vtable, after its own size and the table's


@functools.cache
def table(name: str) -> Table:
    """The description of the table `name`; KeyError if the schema has none."""
    accessors = getattr(tflite, name, None)
    if not inspect.isclass(accessors) or "_tab" not in getattr(accessors, "__slots__", ()):
        raise KeyError(name)
    fields = (_field(accessors, a) for a in _field_accessors(accessors))
    return Table(name, {f.name: f for f in sorted(fields, key=lambda f: f.slot)})


@functools.cache
def members(enumeration: type) -> Mapping[int, str]:
    """The names of a schema enumeration by value."""
    return {v: k for k, v in vars(enumeration).items() if isinstance(v, int)}


def raw_scalar(accessors: Any, name: str) -> int:
    """A scalar as it is stored, where the package's accessor does more than read it."""
    field = table(type(accessors).__name__).fields[name]
    offset = accessors._tab.Offset(_FIRST_SLOT_OFFSET + 2 * field.slot)
    if offset == 0:
        return int(field.default)
    flags = getattr(number_types, f"{field.numpy_type.capitalize()}Flags")
    return int(accessors._tab.Get(flags, offset + accessors._tab.Pos))


def snake_case(accessor: str) -> str:
    """The schema's name of a field from its accessor's: `StrideW` is `stride_w`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", accessor).lower()


def _field_accessors(accessors: type) -> list[str]:
    """The methods that read a field, without constructors and companions of vectors."""
    methods = [m for m in vars(accessors) if m[0].isupper() and not m.startswith("GetRootAs")]
    companions = {m + suffix for m in methods for suffix in ("AsNumpy", "Length", "IsNone")}
    return [
        m
        for m in methods
        if m != "Init" and m not in companions and not m.endswith("BufferHasIdentifier")
    ]


class _Recorder:
    """Stands in for `flatbuffers.table.Table` and notes what an accessor asks for."""

    def __init__(self, present: bool) -> None:
        self.present = present
        self.vtable_offset = 0
        self.flags: Any = None
        self.asked: set[str] = set()
        self.Pos = 0
        self.Bytes = bytearray()

    def Offset(self, vtable_offset: int) -> int:  # noqa: N802
        self.vtable_offset = self.vtable_offset or vtable_offset
        return 1 if self.present else 0

    def Get(self, flags: Any, _position: int) -> int:  # noqa: N802
        self.flags = self.flags or flags
        return 0

    def Vector(self, _offset: int) -> int:  # noqa: N802
        return self._note("vector")

    def Indirect(self, _offset: int) -> int:  # noqa: N802
        return self._note("table")

    def String(self, _offset: int) -> bytes:  # noqa: N802
        self._note("string")
        return b""

    def Union(self, _table: Any, _offset: int) -> None:  # noqa: N802
        self._note("union")

    def _note(self, what: str) -> int:
        self.asked.add(what)
        return 0


def _call(accessors: type, accessor: str, present: bool) -> tuple[_Recorder, Any]:
    method = getattr(accessors, accessor)
    item, recorder = accessors(), _Recorder(present)
    item._tab = recorder
    takes_index = len(inspect.signature(method).parameters) == 2
    return recorder, method(item, 0) if takes_index else method(item)


_KINDS = {
    frozenset(): FieldKind.SCALAR,
    frozenset({"string"}): FieldKind.STRING,
    frozenset({"table"}): FieldKind.TABLE,
    frozenset({"union"}): FieldKind.UNION,
    frozenset({"vector"}): FieldKind.SCALARS,
    frozenset({"vector", "table"}): FieldKind.TABLES,
}


def _field(accessors: type, accessor: str) -> Field:
    """The field that `accessor` reads, from one call with it present and one without."""
    recorder, value = _call(accessors, accessor, present=True)
    kind = _KINDS[frozenset(recorder.asked)]
    is_scalar = kind is FieldKind.SCALAR
    refers_to_table = kind in (FieldKind.TABLE, FieldKind.TABLES)
    flags = recorder.flags
    return Field(
        name=snake_case(accessor),
        accessor=accessor,
        slot=(recorder.vtable_offset - _FIRST_SLOT_OFFSET) // 2,
        kind=kind,
        scalar_bytes=flags.bytewidth if flags else _OFFSET_BYTES,
        numpy_type=number_types.to_numpy_type(flags).name if flags else "",
        table=type(value).__name__ if refers_to_table else "",
        default=_call(accessors, accessor, present=False)[1] if is_scalar else 0,
    )
