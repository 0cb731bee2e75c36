"""Files whose offsets lie are refused, whole messages, before they cost time."""

from __future__ import annotations

import struct
import time

import pytest

from mcucomp.errors import InvalidModel
from mcucomp.tflite.verify import verify
from tests.support.files import file_of, minimal_values
from tests.support.models import residual_network
from tests.support.shared import shared_models

# A file by hand: root offset, identifier, vtable at byte 8, table after it, then `rest`.
VTABLE = 8


def raw_file(
    fields: list[int],
    table: list[int],
    rest: bytes = b"",
    *,
    vtable_bytes: int | None = None,
    table_bytes: int | None = None,
    back: int | None = None,
) -> bytes:
    """A Model of `fields` (offsets in the table by slot) over the words of `table`."""
    size = 4 + 2 * len(fields)
    position = -(-(VTABLE + size) // 4) * 4
    vtable = struct.pack(
        f"<HH{len(fields)}H",
        size if vtable_bytes is None else vtable_bytes,
        4 + 4 * len(table) if table_bytes is None else table_bytes,
        *fields,
    )
    head = struct.pack("<I", position) + b"TFL3" + vtable
    words = struct.pack(f"<i{len(table)}I", position - VTABLE if back is None else back, *table)
    return head.ljust(position, b"\0") + words + rest


def refused(data: bytes) -> str:
    with pytest.raises(InvalidModel) as caught:
        verify(data, "m.tflite")
    what, fix = str(caught.value).split("\n")
    assert fix == "  fix: download or convert the file again"
    return what.removeprefix("m.tflite: ")


def test_whole_files_pass() -> None:
    verify(file_of(minimal_values()), "m")
    verify(residual_network().bytes(), "m")
    verify(raw_file([4], [3]), "m")


def test_shared_models_pass() -> None:
    for path in shared_models():
        verify(path.read_bytes(), path.name)


def test_vector_that_claims_more_than_there_is() -> None:
    data = raw_file([4, 0, 8], [3, 4], struct.pack("<I", 0xFFFFFFFF))
    assert refused(data) == (
        "cut short or damaged: subgraphs of the table Model at byte 32 goes on to byte"
        " 17179869216; the file has 36 B"
    )


def test_string_that_claims_more_than_there_is() -> None:
    data = raw_file([0, 0, 0, 4], [4], struct.pack("<I", 5) + b"abcd")
    assert refused(data) == (
        "cut short or damaged: description of the table Model at byte 28 goes on to byte 37;"
        " the file has 36 B"
    )


def test_root_outside_of_the_file() -> None:
    data = struct.pack("<I", 0x7FFFFFF0) + b"TFL3"
    assert refused(data) == (
        "cut short or damaged: the root table at byte 2147483632 goes on to byte 2147483636;"
        " the file has 8 B"
    )


def test_offset_that_would_wrap_around() -> None:
    data = raw_file([0, 0, 4], [0xFFFFFFFC])
    assert refused(data) == (
        "cut short or damaged: subgraphs of the table Model at byte 4294967316 goes on to byte"
        " 4294967320; the file has 28 B"
    )


def test_offset_of_zero() -> None:
    assert refused(raw_file([0, 0, 4], [0])) == (
        "damaged: the offset of subgraphs of the table Model at byte 24 is 0"
    )


def test_misaligned_offset() -> None:
    assert refused(raw_file([0, 0, 4], [5], bytes(8))) == (
        "damaged: subgraphs of the table Model at byte 29 is not aligned to 4 bytes"
    )


def test_misaligned_root() -> None:
    assert refused(b"\x09\x00\x00\x00TFL3" + bytes(8)) == (
        "damaged: the table Model at byte 9 is not aligned to 4 bytes"
    )


def test_vtable_before_the_file() -> None:
    assert refused(raw_file([4], [3], back=100)) == (
        "damaged: the vtable of table Model lies 84 bytes before the file's start"
    )


def test_vtable_after_the_file() -> None:
    assert refused(raw_file([4], [3], back=-100)) == (
        "cut short or damaged: the vtable of table Model at byte 116 goes on to byte 120;"
        " the file has 24 B"
    )


@pytest.mark.parametrize("size", [2, 7])
def test_vtable_of_no_sensible_size(size: int) -> None:
    assert refused(raw_file([4], [3], vtable_bytes=size)) == (
        f"damaged: the vtable of table Model at byte 8 has a size of {size} bytes"
    )


def test_vtable_that_goes_past_the_end() -> None:
    assert refused(raw_file([4], [3], vtable_bytes=2000)) == (
        "cut short or damaged: the vtable of table Model at byte 12 goes on to byte 2008;"
        " the file has 24 B"
    )


def test_table_smaller_than_its_own_offset() -> None:
    assert refused(raw_file([4], [3], table_bytes=2)) == (
        "damaged: the vtable of table Model at byte 8 states a table of 2 bytes"
    )


def test_table_that_goes_past_the_end() -> None:
    assert refused(raw_file([4], [3], table_bytes=12)) == (
        "cut short or damaged: the table Model at byte 16 goes on to byte 28; the file has 24 B"
    )


@pytest.mark.parametrize("offset", [2, 5, 8])
def test_field_outside_of_its_table(offset: int) -> None:
    assert refused(raw_file([offset], [3])) == (
        f"damaged: version of the table Model at byte 16 lies {offset} bytes into a table of 8"
    )


def shared_elements(count: int, fields: list[int], offsets: list[int], element: bytes) -> bytes:
    """A file with a vector of `count` offsets to one and the same `element`, after it."""
    distances = [4 * (count - i) for i in range(count)]
    vector = struct.pack(f"<{count + 1}I", count, *distances)
    return raw_file(fields, offsets, vector + element)


EMPTY_TABLE = struct.pack("<iHH", -4, 4, 4)  # its vtable stands behind it


def test_one_table_may_be_shared() -> None:
    verify(shared_elements(100, [0, 4], [4], EMPTY_TABLE), "m")


def test_vectors_that_lie_over_each_other() -> None:
    # operator_codes and buffers are the same 100 offsets, in a file of 446 bytes
    data = shared_elements(100, [0, 4, 0, 0, 8], [8, 4], EMPTY_TABLE)
    assert refused(data) == "damaged: buffers of the table Model at byte 36 overlaps other parts"


def test_sharing_that_multiplies_work() -> None:
    text = b"x" * 100_000
    # the table, then its vtable, then the name, 12 bytes after the field that refers to it
    metadata = struct.pack("<iIHHHH", -8, 12, 6, 8, 4, 0)
    element = metadata + struct.pack("<I", len(text)) + text
    count = 20_000
    data = shared_elements(count, [0, 0, 0, 0, 0, 0, 4], [4], element)
    assert len(data) < 200_000
    started = time.perf_counter()
    assert refused(data) == (
        "damaged: the table Model at byte 28 shares its parts beyond all measure"
    )
    assert time.perf_counter() - started < 2.0
