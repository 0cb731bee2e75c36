"""Where slots of state lie, and how a reset fills them."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.codegen.state import Fill, lay_out
from mcucomp.ops import ConstantArray, Slot

ARRAY = ConstantArray("int16_t", np.array([1, 2, 3], np.int16))


def slot(name: str, size_bytes: int, **fields: object) -> Slot:
    return Slot(("operator", 0, 0, name), size_bytes, **fields)  # type: ignore[arg-type]


def test_nothing_takes_nothing() -> None:
    layout = lay_out([])
    assert (layout.size_bytes, layout.resets, layout.starts) == (0, (), ())


def test_slots_lie_side_by_side_at_multiples_of_what_they_ask_for() -> None:
    layout = lay_out([slot("a", 5), slot("wide", 8, alignment=8), slot("b", 2), slot("a", 5)])
    assert layout.offsets == {
        ("operator", 0, 0, "wide"): 0,
        ("operator", 0, 0, "a"): 8,
        ("operator", 0, 0, "b"): 16,
    }
    assert (layout.size_bytes, layout.word, layout.words) == (24, "uint64_t", 3)
    assert layout.resets == (Fill(0, 18),)


def test_what_starts_differently_is_filled_on_its_own() -> None:
    layout = lay_out([slot("a", 4), slot("b", 4, initial=251), slot("c", 6, initial=ARRAY)])
    assert layout.resets == (Fill(0, 4), Fill(4, 4, 251), Fill(8, 6, values=ARRAY))
    assert (layout.size_bytes, layout.word) == (16, "uint32_t")


def test_what_outlives_a_reset_is_last_and_filled_once() -> None:
    layout = lay_out([slot("has run", 1, alignment=1, outlives_reset=True), slot("a", 6)])
    assert layout.resets == (Fill(0, 6),)
    assert layout.starts == (Fill(6, 1),)
    assert layout.size_bytes == 8


def test_two_kinds_of_one_slot_are_a_bug() -> None:
    with pytest.raises(AssertionError, match="two slots of different kinds"):
        lay_out([slot("a", 4), slot("a", 8)])
