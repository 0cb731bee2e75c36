"""Quick placements never overlap what lives together, and are tight where that is easy."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcucomp.memory import Lifetime
from mcucomp.place import Block, highest_byte, quick_placement
from mcucomp.place.greedy import SORT_KEYS, first_fit

blocks = st.lists(
    st.builds(
        lambda size, start, length: Block(size, Lifetime(start, start + length)),
        st.integers(1, 100),
        st.integers(0, 8),
        st.integers(1, 5),
    ),
    max_size=12,
)


def _overlaps(blocks: list[Block], offsets: tuple[int, ...]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i in range(len(blocks))
        for j in range(i)
        if blocks[i].lifetime.start < blocks[j].lifetime.end
        and blocks[j].lifetime.start < blocks[i].lifetime.end
        and offsets[i] < offsets[j] + blocks[j].size_bytes
        and offsets[j] < offsets[i] + blocks[i].size_bytes
    ]


@given(blocks, st.sampled_from([1, 4, 16]), st.sampled_from(sorted(SORT_KEYS)))
def test_no_overlap_and_aligned(blocks: list[Block], alignment: int, key: str) -> None:
    sequence = sorted(range(len(blocks)), key=lambda i: SORT_KEYS[key](i, blocks[i]))
    offsets = first_fit(blocks, alignment, sequence)
    assert _overlaps(blocks, offsets) == []
    assert all(offset % alignment == 0 for offset in offsets)


@given(blocks)
def test_best_is_the_least_of_all(blocks: list[Block]) -> None:
    best = highest_byte(blocks, quick_placement(blocks, 4).offsets)
    for key in SORT_KEYS.values():
        sequence = sorted(range(len(blocks)), key=lambda i: key(i, blocks[i]))
        assert best <= highest_byte(blocks, first_fit(blocks, 4, sequence))


def test_a_chain_alternates_between_two_ends() -> None:
    chain = [Block(size, Lifetime(k, k + 2)) for k, size in enumerate((8, 16, 4, 12))]
    assert highest_byte(chain, quick_placement(chain, 4).offsets) == 24


def test_nothing_to_place() -> None:
    assert quick_placement([], 4).offsets == ()
    assert highest_byte([], ()) == 0
