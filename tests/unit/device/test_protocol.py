"""Lines: whatever happens to one on the way, it is never taken for a whole one."""

from __future__ import annotations

import string
import zlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcucomp.device.protocol import MOST_LINE_BYTES, Damaged, Line, Other, Splitter, decode, encode
from mcucomp.errors import DeviceError

WORDS = st.text(string.ascii_lowercase + "_", min_size=1, max_size=12)
KEYS = st.text(string.ascii_lowercase + string.digits + "_", min_size=1, max_size=8)
VALUES = st.dictionaries(
    KEYS.filter(lambda key: key != "crc"),
    st.one_of(st.integers(0, (1 << 32) - 1), st.binary(min_size=1, max_size=192)),
    max_size=6,
)


@given(WORDS, VALUES)
def test_what_is_encoded_is_decoded(word: str, values: dict[str, int | bytes]) -> None:
    line = decode(encode(word, values).removesuffix(b"\n"))
    assert isinstance(line, Line)
    assert line.word == word
    assert list(line.values) == list(values)
    for key, value in values.items():
        assert value == (line.data(key) if isinstance(value, bytes) else line.number(key))


@given(WORDS, VALUES, st.data())
def test_a_cut_line_is_never_whole(
    word: str, values: dict[str, int | bytes], data: st.DataObject
) -> None:
    raw = encode(word, values).removesuffix(b"\n")
    end = data.draw(st.integers(0, len(raw) - 1))
    start = data.draw(st.integers(0, len(raw)))
    assert not isinstance(decode(raw[:end]), Line)
    assert start == 0 or not isinstance(decode(raw[start:]), Line)


@given(WORDS, VALUES, st.data())
def test_a_changed_byte_is_noticed(
    word: str, values: dict[str, int | bytes], data: st.DataObject
) -> None:
    raw = bytearray(encode(word, values).removesuffix(b"\n"))
    for position in data.draw(
        st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=4, unique=True)
    ):
        raw[position] ^= data.draw(st.integers(1, 255))
    assert not isinstance(decode(bytes(raw)), Line)


@given(WORDS, VALUES, st.data())
def test_a_lost_or_repeated_part_is_noticed(
    word: str, values: dict[str, int | bytes], data: st.DataObject
) -> None:
    raw = encode(word, values).removesuffix(b"\n")
    start = data.draw(st.integers(0, len(raw) - 1))
    end = data.draw(st.integers(start + 1, len(raw)))
    lost = raw[:start] + raw[end:]
    repeated = raw[:end] + raw[start:end] + raw[end:]
    assert not isinstance(decode(lost), Line)
    assert not isinstance(decode(repeated), Line)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_no_line(raw: bytes) -> None:
    assert not isinstance(decode(raw), Line)
    assert not isinstance(decode(b"mcuc 1 " + raw), Line)


@given(st.lists(st.binary(max_size=30).filter(lambda b: b"\n" not in b)), st.data())
def test_lines_are_the_same_however_the_stream_is_cut(
    parts: list[bytes], data: st.DataObject
) -> None:
    assume(all(not part.endswith(b"\r") for part in parts))
    stream = b"".join(part + b"\n" for part in parts) + b"rest"
    splitter, found, at = Splitter(), [], 0
    while at < len(stream):
        step = data.draw(st.integers(1, 40))
        found += splitter.feed(stream[at : at + step])
        at += step
    assert found == [part for part in parts if part]
    assert splitter.rest == b"rest"


def test_other_text_passes() -> None:
    assert decode(b"hello from the model") == Other(b"hello from the model")
    assert decode(b"mcuc 2 hello") == Damaged(b"mcuc 2 hello")


def test_a_key_that_comes_twice_is_damage() -> None:
    assert isinstance(decode(encode("x", {"a": 1})[:-1]), Line)
    body = b"mcuc 1 x a=1 a=2"
    assert isinstance(decode(body + b" crc=%08X" % zlib.crc32(body)), Damaged)


def test_a_line_without_end_is_cut_off() -> None:
    splitter = Splitter()
    assert splitter.feed(b"x" * MOST_LINE_BYTES) == []
    assert splitter.feed(b"x") == [b"x" * (MOST_LINE_BYTES + 1)]
    assert splitter.rest == b""


@pytest.mark.parametrize(
    ("read", "value", "reason"),
    [
        (Line.number, "-1", "no number of 32 bits: -1"),
        (Line.number, "007", "no number of 32 bits: 007"),
        (Line.number, "4294967296", "no number of 32 bits: 4294967296"),
        (Line.hex32, "abcdef01", "no eight hexadecimal digits: abcdef01"),
        (Line.data, "AAA", "no base64"),
        (Line.data, "AA*=", "no base64"),
    ],
)
def test_values_are_read_strictly(read: object, value: str, reason: str) -> None:
    with pytest.raises(DeviceError) as caught:
        read(Line("result", {"peak": value}), "peak")  # type: ignore[operator]
    assert str(caught.value) == (
        f"the device's line 'result' has a wrong value for 'peak': {reason}\n"
        "  fix: firmware and mcucomp are of different versions: build again and flash it"
    )


def test_a_missing_value_is_told() -> None:
    with pytest.raises(DeviceError) as caught:
        Line("result", {}).count("peak")
    assert caught.value.what == (
        "the device's line 'result' has a wrong value for 'peak': it is missing"
    )
