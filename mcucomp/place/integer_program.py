"""Which offsets does an integer program find best?

In: blocks, a proven floor, a placement to start from. Out: offsets, or None
where the solver found none. What it says is rounded and then tested; only an
arena that meets a proven floor is called optimal elsewhere.

Variables, in units of the alignment: offset[b]; for each pair that lives
together one binary, which of the two lies below. Minimise the arena, which is
at least offset[b] + size[b] and at least the floor.
"""

from __future__ import annotations

from collections.abc import Sequence

import pulp

from mcucomp.memory import round_up
from mcucomp.order.solver import solve
from mcucomp.place.blocks import Block


def solve_offsets(
    blocks: Sequence[Block],
    alignment: int,
    floor_bytes: int,
    start: Sequence[int],
    limit_s: float | None = None,
) -> tuple[int, ...] | None:
    """Minimise the arena, starting from the offsets `start`."""
    sizes = [round_up(block.size_bytes, alignment) // alignment for block in blocks]
    units = [offset // alignment for offset in start]
    bound = max((o + s for o, s in zip(units, sizes, strict=True)), default=0)
    model = pulp.LpProblem("offsets", pulp.LpMinimize)
    arena = pulp.LpVariable("arena", floor_bytes // alignment, bound)
    arena.setInitialValue(bound)
    model += arena
    offsets = []
    for b, size in enumerate(sizes):
        offset = pulp.LpVariable(f"offset_{b}", 0, bound - size)
        offset.setInitialValue(units[b])
        offsets.append(offset)
        model += offset + size <= arena
    for a, b in together(blocks):
        below = pulp.LpVariable(f"below_{a}_{b}", cat="Binary")
        below.setInitialValue(int(units[a] + sizes[a] <= units[b]))
        model += offsets[a] + sizes[a] <= offsets[b] + bound * (1 - below)
        model += offsets[b] + sizes[b] <= offsets[a] + bound * below
    solve(model, limit_s)
    if any(offset.varValue is None for offset in offsets):
        return None
    found = tuple(round(offset.varValue) * alignment for offset in offsets)
    return found if fits(blocks, alignment, found) else None


def together(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """The pairs of blocks with bytes that live together."""
    return [
        (a, b)
        for a in range(len(blocks))
        for b in range(a + 1, len(blocks))
        if blocks[a].size_bytes
        and blocks[b].size_bytes
        and blocks[a].lifetime.start < blocks[b].lifetime.end
        and blocks[b].lifetime.start < blocks[a].lifetime.end
    ]


def fits(blocks: Sequence[Block], alignment: int, offsets: Sequence[int]) -> bool:
    """Whether no two blocks that live together overlap."""
    ends = [o + b.size_bytes for o, b in zip(offsets, blocks, strict=True)]
    return all(offset >= 0 for offset in offsets) and all(
        ends[a] <= offsets[b] or ends[b] <= offsets[a] for a, b in together(blocks)
    )
