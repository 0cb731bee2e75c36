"""Fitting blocks into a capacity, against the integer program and by hand."""

from __future__ import annotations

import random

import pytest

from mcucomp.memory import Lifetime
from mcucomp.place import Block, highest_byte, live_peak, place
from mcucomp.place.integer_program import fits, solve_offsets
from mcucomp.place.level_search import level_search


def drawn_blocks(seed: int, count: int) -> list[Block]:
    draw = random.Random(seed)
    blocks = []
    for _ in range(count):
        start = draw.randint(0, 9)
        life = Lifetime(start, start + draw.randint(1, 6))
        blocks.append(Block(draw.randint(0, 9), life))
    return blocks


@pytest.mark.parametrize("seed", range(40))
def test_the_search_and_the_integer_program_agree(seed: int) -> None:
    blocks = drawn_blocks(seed, 9)
    peak_bytes = live_peak(blocks, 1)
    stacked = [sum(b.size_bytes for b in blocks[:k]) for k in range(len(blocks))]
    solved = solve_offsets(blocks, 1, peak_bytes, stacked)
    assert solved is not None
    least_bytes = highest_byte(blocks, solved)
    fit = level_search(blocks, 1, least_bytes, 1_000_000)
    assert fit.offsets is not None
    assert fits(blocks, 1, fit.offsets)
    assert highest_byte(blocks, fit.offsets) <= least_bytes
    if least_bytes > 0:
        assert level_search(blocks, 1, least_bytes - 1, 1_000_000).impossible
    assert place(blocks, 1, peak_bytes).high_water_bytes == least_bytes


def test_offsets_are_aligned_and_sizes_rounded() -> None:
    blocks = [Block(5, Lifetime(0, 2)), Block(3, Lifetime(0, 1)), Block(7, Lifetime(1, 2))]
    fit = level_search(blocks, 4, 16, 1_000)
    assert fit.offsets is not None
    assert all(offset % 4 == 0 for offset in fit.offsets)
    assert fits(blocks, 4, fit.offsets)


def test_nothing_to_place_fits_into_nothing() -> None:
    assert level_search([], 16, 0, 10).offsets == ()
    assert level_search([Block(0, Lifetime(0, 3))], 16, 0, 10).offsets == (0,)


def test_a_gap_that_live_bytes_do_not_show_is_found() -> None:
    """The live peak is 4, and no placement needs less than 5."""
    blocks = [
        Block(size, Lifetime(start, end))
        for size, start, end in [
            (1, 0, 2),
            (2, 0, 1),
            (1, 0, 4),
            (1, 1, 3),
            (1, 1, 2),
            (2, 3, 5),
            (1, 2, 5),
        ]
    ]
    peak_bytes = live_peak(blocks, 1)
    found = place(blocks, 1, peak_bytes)
    assert fits(blocks, 1, found.offsets)
    if found.high_water_bytes > peak_bytes:
        assert level_search(blocks, 1, peak_bytes, 1_000_000).impossible
