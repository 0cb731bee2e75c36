"""Offsets to prescribe: nothing overlaps but what shares a start on purpose."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mcucomp.memory import Lifetime
from mcucomp.tflm.blocks import Block, overlapping
from mcucomp.tflm.placement import Placement, bound_bytes, groups_of, place


def _block(size_bytes: int, start: int, end: int, operator: int | None = None) -> Block:
    return Block(0, None if operator is not None else 0, operator, size_bytes, Lifetime(start, end))


@st.composite
def _problems(draw: st.DrawFn) -> tuple[list[Block], list[tuple[int, int]]]:
    """Blocks, some of them scratch, and chains in which each dies where the next is born."""
    blocks, shared = [], []
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, 8))
        end = start + draw(st.integers(1, 5))
        blocks.append(_block(16 * draw(st.integers(1, 6)), start, end))
        while draw(st.booleans()):
            start, end = end - 1, end + draw(st.integers(1, 3))
            shared.append((len(blocks) - 1, len(blocks)))
            blocks.append(_block(16 * draw(st.integers(1, 6)), start, end))
    blocks += [_block(16, s, s + 1, s) for s in draw(st.lists(st.integers(0, 9), max_size=4))]
    return blocks, shared


def _by_block(
    blocks: list[Block], shared: list[tuple[int, int]]
) -> tuple[dict[int, int], Placement]:
    groups = groups_of(blocks, shared)
    placed = place(groups)
    assert placed.bound_bytes == bound_bytes(groups)
    return {
        index: offset
        for group, offset in zip(groups, placed.offsets, strict=True)
        for index in group.blocks
    }, placed


@settings(max_examples=200, deadline=None)
@given(_problems())
def test_only_what_shares_overlaps(problem: tuple[list[Block], list[tuple[int, int]]]) -> None:
    blocks, shared = problem
    offsets, placed = _by_block(blocks, shared)
    for a, b in shared:
        assert offsets[a] == offsets[b]
    for a in offsets:
        for b in offsets:
            if (
                a < b
                and (a, b) not in shared
                and overlapping(blocks[a].lifetime, blocks[b].lifetime)
            ):
                apart = (
                    offsets[a] + blocks[a].size_bytes <= offsets[b]
                    or offsets[b] + blocks[b].size_bytes <= offsets[a]
                )
                assert apart, (a, b)
    assert placed.bound_bytes <= placed.highest_bytes


def test_a_hole_is_left_for_all_scratch_of_an_operator() -> None:
    blocks = [_block(64, 0, 3), _block(64, 1, 3), _block(16, 1, 2, 0), _block(32, 1, 2, 0)]
    offsets, placed = _by_block(blocks, [])
    assert placed.highest_bytes == placed.bound_bytes == 176
    assert set(offsets) == {0, 1}
