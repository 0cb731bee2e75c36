"""Options of custom operators: numbers by name, nothing from bytes that are no map."""

from __future__ import annotations

import random

from mcucomp.tflite.custom_options import read_custom_options, write_custom_options

ENTRIES = {"T": 7, "fft_length": 512, "prefill": True, "scale": 0.5, "large": 2**40}


def test_what_is_written_is_read() -> None:
    assert read_custom_options(write_custom_options(ENTRIES)) == ENTRIES
    assert isinstance(read_custom_options(write_custom_options(ENTRIES))["prefill"], bool)


def test_bytes_that_are_no_map_have_no_entries() -> None:
    for data in (b"", b"\x00", b"\x05\x04\x01", bytes(range(40))):
        assert read_custom_options(data) == {}


def test_damaged_maps_give_numbers_or_nothing() -> None:
    whole, source = write_custom_options(ENTRIES), random.Random(1)
    for _ in range(2000):
        damaged = bytearray(whole)
        for _ in range(source.randint(1, 6)):
            damaged[source.randrange(len(damaged))] = source.randrange(256)
        found = read_custom_options(bytes(damaged[: source.randint(0, len(damaged))]))
        assert all(isinstance(value, int | float) for value in found.values())
