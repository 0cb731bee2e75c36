"""Does TFLM give the same bytes for every layout that is considered, and take the head foreseen?

Drawn graphs of operators, all layouts of each, in the real interpreter: the
layout that a rewrite would choose and those that it would not.
"""

from __future__ import annotations

from mcucomp import ir, tflite
from mcucomp.tflm import KERNELS, Rules, arena_of
from mcucomp.tflm.rewrite import Layout, candidates, patched
from tests.support.drawn_graphs import draw
from tests.support.tflm_pairs import Pair, outcomes

GRAPHS = 200


def _cases() -> list[tuple[int, Pair, int, Layout]]:
    """(seed, pair, head before, layout) for every layout of every graph that can be planned."""
    found = []
    for seed in range(GRAPHS):
        builder = draw(seed)
        if not builder.operators:
            continue
        data = builder.bytes()
        model = tflite.read(data, builder.source)
        ir.verify(model)
        before = arena_of(model, KERNELS["reference"]).head_bytes
        ends = len(model.graphs[0].inputs), len(model.graphs[0].outputs)
        layouts = {
            (layout.orders, tuple(sorted((layout.offsets or {}).items()))): layout
            for layout in candidates(model, Rules.INPLACE, KERNELS["reference"])
        }
        for layout in layouts.values():
            found.append((seed, Pair(data, patched(model, data, layout), *ends), before, layout))
    return found


def test_every_layout_gives_the_same_bytes_with_the_head_foreseen() -> None:
    cases = _cases()
    found = outcomes([pair for _, pair, _, _ in cases])
    shared, seeds = 0, set()
    for index, outcome in found.items():
        seed, _, before, layout = cases[index]
        assert outcome is not None, f"seed {seed}: TFLM crashed with {layout}"
        assert outcome.wrong == 0, f"seed {seed}: outputs differ with {layout}"
        assert outcome.head_bytes == (before, layout.head_bytes), f"seed {seed}"
        shared += layout.shared
        seeds.add(seed)
    # Lest the drawn graphs become such that nothing is tested.
    assert len(seeds) > 0.6 * GRAPHS
    assert shared > 5 * GRAPHS
