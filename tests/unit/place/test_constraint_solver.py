"""The constraint solver against the level search, block by block and pair by pair."""

from __future__ import annotations

import random

import pytest

from mcucomp.memory import Lifetime
from mcucomp.place import Block, highest_byte, live_peak
from mcucomp.place.constraint_solver import solver_fit
from mcucomp.place.level_search import level_search

# No placement of these meets the live peak of 9; found by drawing.
GAP = [
    Block(size, Lifetime(start, end))
    for size, start, end in [
        (3, 0, 1),
        (2, 1, 2),
        (1, 1, 3),
        (2, 0, 6),
        (1, 2, 6),
        (1, 3, 7),
        (3, 6, 7),
        (4, 0, 9),
        (1, 2, 9),
        (4, 7, 9),
    ]
]


def overlaps(blocks: list[Block], offsets: tuple[int, ...]) -> bool:
    return any(
        a.lifetime.start < b.lifetime.end
        and b.lifetime.start < a.lifetime.end
        and low < base + b.size_bytes
        and base < low + a.size_bytes
        for k, (a, low) in enumerate(zip(blocks, offsets, strict=True))
        for b, base in zip(blocks[:k], offsets[:k], strict=True)
    )


def drawn_blocks(seed: int) -> list[Block]:
    draw = random.Random(seed)
    blocks = []
    for _ in range(14):
        start = draw.randint(0, 9)
        blocks.append(Block(draw.randint(0, 30), Lifetime(start, start + draw.randint(1, 6))))
    return blocks


@pytest.mark.parametrize("seed", range(20))
def test_it_agrees_with_the_level_search(seed: int) -> None:
    blocks = drawn_blocks(seed)
    peak_bytes = live_peak(blocks, 4)
    for capacity_bytes in (peak_bytes - 4, peak_bytes, peak_bytes + 4):
        fit = solver_fit(blocks, 4, capacity_bytes, 20)
        other = level_search(blocks, 4, capacity_bytes, 200_000)
        assert (fit.offsets is None) == (other.offsets is None)
        if fit.offsets is None:
            assert fit.impossible
            continue
        assert not overlaps(blocks, fit.offsets)
        assert min(fit.offsets) >= 0
        assert all(offset % 4 == 0 for offset in fit.offsets)
        assert highest_byte(blocks, fit.offsets) <= capacity_bytes


def test_a_gap_above_the_live_peak_is_known_to_both() -> None:
    assert live_peak(GAP, 1) == 9
    assert solver_fit(GAP, 1, 9, 5).impossible
    assert level_search(GAP, 1, 9, 100_000).impossible
    fit = solver_fit(GAP, 1, 10, 5)
    assert fit.offsets is not None
    assert not overlaps(GAP, fit.offsets)


def test_the_same_blocks_have_the_same_answer() -> None:
    blocks = drawn_blocks(3)
    capacity_bytes = live_peak(blocks, 1)
    assert solver_fit(blocks, 1, capacity_bytes, 9) == solver_fit(blocks, 1, capacity_bytes, 9)


def test_nothing_to_place_and_nothing_that_fits() -> None:
    assert solver_fit([Block(0, Lifetime(0, 2))], 4, 0, 1).offsets == (0,)
    assert solver_fit([Block(9, Lifetime(0, 2))], 4, 8, 1).impossible
    assert solver_fit(GAP, 1, 9, 0).offsets is None
    assert not solver_fit(GAP, 1, 9, 0).impossible
