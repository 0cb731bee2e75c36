"""A chain of overlaps that drifts: its bound is true, tight, and checked by other means."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from typing import Any

import pytest

from mcucomp.certify import certificate, check
from mcucomp.certify.digest import digest_of
from mcucomp.certify.drift import check_drift
from mcucomp.errors import CheckFailed
from mcucomp.memory import Buffer, Overlap, Step, StepGraph
from mcucomp.place.drift import drift_bound
from mcucomp.planner import plan
from mcucomp.report.witness_text import witness_text
from tests.oracle import brute_overlap
from tests.oracle.brute_force import all_orders
from tests.unit.certify.test_mutations import changed, numbers_in

SHA256 = "0" * 64
UNIT = 4
LIMITS = {False: 40, True: 52}  # bytes that hold all that is drawn, without and with scratch


def chain(
    sizes: list[int], overlaps: list[Overlap], scratch: dict[int, int] | None = None
) -> StepGraph:
    """Each step reads the buffer before it and writes the next; some have scratch."""
    last = len(sizes) - 1
    buffers = tuple(
        Buffer(f"b{k}", size, (k - 1,) if k else (), (k,) if k < last else (), held=k == last)
        for k, size in enumerate(sizes)
    )
    steps = tuple(Step(f"s{k}", "CONV_2D", (scratch or {}).get(k, 0)) for k in range(last))
    return StepGraph(steps, buffers, (), UNIT, tuple(overlaps), "orders+overlap")


# The first layer's input must stay ahead of its larger output; the second drifts down by 8.
DRIFTING = chain([16, 40, 40], [Overlap(0, 0, 1, 32), Overlap(1, 1, 2, 8)])
# Over each other the three take 36, b0 and b1 apart 32; b1 and b2 apart 28 and the scratch.
WITH_SCRATCH = chain([16, 16, 12], [Overlap(0, 0, 1, 12), Overlap(1, 1, 2, 8)], {1: 4})


def document(graph: StepGraph = DRIFTING) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(certificate(plan(graph), SHA256, graph)))
    return found


def test_two_layers_that_drift_are_proven_together() -> None:
    found = plan(DRIFTING)
    # Each alone needs 48; but b0 ends 48 above b1, which starts 8 above b2.
    assert (found.peak_bytes, found.arena_bytes, found.verdict) == (48, 56, "proven")
    assert found.floor is not None
    assert (found.floor.kind, found.floor.chain) == ("drift", (0, 1, 2))
    assert check(document(), DRIFTING, SHA256)[-2:] == (
        "no placement, whatever the order, needs less than 56 B"
        " (drift: a chain of 3 buffers; checked)",
        "so under orders+overlap no order of these operators has a smaller arena",
    )
    assert witness_text(found, DRIFTING) == [
        "b0, b1 and b2, each as far over the next as it may lie, take at least 56 B together."
    ]


def test_scratch_lies_apart_from_both_layers_beside_it() -> None:
    found = plan(WITH_SCRATCH)
    assert (found.peak_bytes, found.arena_bytes, found.verdict) == (28, 32, "proven")
    assert found.floor is not None
    assert (found.floor.kind, found.floor.chain) == ("drift", (0, 1, 2))
    without = dataclasses.replace(
        WITH_SCRATCH, steps=tuple(Step(step.name, step.kind) for step in WITH_SCRATCH.steps)
    )
    assert plan(without).arena_bytes == 28
    made_up = document(WITH_SCRATCH)
    assert check(made_up, WITH_SCRATCH, SHA256)[-2].startswith("no placement, whatever the order")
    made_up["certificates"][0]["bytes"] = 28
    made_up["digest"] = digest_of(made_up)
    with pytest.raises(CheckFailed, match="bytes: is 28; its chain needs more"):
        check(made_up, WITH_SCRATCH, SHA256)


def forward(k: int, low_bytes: int) -> Overlap:
    return Overlap(k, k, k + 1, low_bytes)


def backward(k: int, high_bytes: int) -> Overlap:
    return Overlap(k, k, k + 1, None, high_bytes, 1, "backward")


@pytest.mark.parametrize(
    ("graph", "least_bytes"),
    [
        # Scratch above two buffers that lie apart, in the room of a third.
        (chain([12, 12, 12, 8], [forward(0, 12), backward(1, -4), backward(2, -4)],
               {0: 4, 1: 8, 2: 16}), 28),
        # Scratch between two buffers.
        (chain([12, 12, 8, 12], [forward(0, 4), forward(1, 4), forward(2, 8)],
               {0: 16, 1: 12, 2: 16}), 32),
        # Scratch below two buffers: both have to make room.
        (chain([12, 8, 12], [forward(0, 8), forward(1, 4)], {1: 4}), 20),
        (chain([16, 4, 12], [backward(0, -8), forward(1, 4)], {1: 8}), 20),
    ],
)  # fmt: skip
def test_every_place_of_scratch_counts(graph: StepGraph, least_bytes: int) -> None:
    whole = {"chain": list(range(len(graph.buffers)))}
    check_drift(whole, graph, "", least_bytes)
    for wrong_bytes in (least_bytes - UNIT, least_bytes + UNIT):
        with pytest.raises(CheckFailed, match=r"its chain needs (more|less)"):
            check_drift(whole, graph, "", wrong_bytes)
    found = drift_bound(graph, least_bytes - UNIT, 1 << 30)
    assert found is not None
    assert found.bytes == least_bytes
    order = range(len(graph.steps))
    assert brute_overlap.smallest_arena(graph, order, LIMITS[True]) >= least_bytes


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"chain": [0, 2]}, "chain: no step touches both buffer 0 and 2"),
        ({"chain": [0]}, "chain: must hold at least two buffers, and each once"),
        ({"chain": [0, 1, 0]}, "chain: must hold at least two buffers, and each once"),
        ({"chain": [0, 1, 3]}, "chain[2]: is 3; it must be from 0 to 3"),
        ({"chain": [1, 2]}, "bytes: is 56; its chain needs less"),
        ({"bytes": 60}, "bytes: is 60; its chain needs less"),
        ({"bytes": 52}, "bytes: is 52; its chain needs more"),
        ({"bytes": 54}, "bytes: is 54; it must be a multiple of 4"),
    ],
)
def test_a_made_up_chain_is_refused(change: dict[str, Any], expected: str) -> None:
    made_up = document()
    made_up["certificates"][0] |= change
    made_up["digest"] = digest_of(made_up)
    with pytest.raises(CheckFailed) as failure:
        check(made_up, DRIFTING, SHA256)
    assert str(failure.value) == f"plan.json: certificates[0].{expected}"


def drawn(draw: random.Random, *, scratch: bool = False) -> StepGraph:
    units = [draw.randint(1, 4), *(draw.randint(2, 5) for _ in range(draw.choice([2, 2, 2, 3])))]
    sizes = [UNIT * n for n in units]
    overlaps = []
    for step in range(len(sizes) - 1):
        reach = UNIT * draw.randint(0, units[step + 1])
        if draw.random() < 0.9:
            overlaps.append(Overlap(step, step, step + 1, reach))
        if draw.random() < 0.15:
            overlaps.append(Overlap(step, step, step + 1, None, -reach, 1, "backward"))
    steps = range(len(sizes) - 1)
    wanted = {k: UNIT * draw.randint(1, 2) for k in steps if scratch and draw.random() < 0.5}
    return chain(sizes, overlaps, wanted)


@pytest.mark.parametrize(("scratch", "least_above", "least_met"), [(False, 8, 80), (True, 5, 80)])
def test_no_bound_is_above_the_smallest_arena(
    scratch: bool, least_above: int, least_met: int
) -> None:
    above, met = 0, 0
    for seed in range(100):
        graph = drawn(random.Random(seed), scratch=scratch)
        smallest = min(
            brute_overlap.smallest_arena(graph, o, LIMITS[scratch]) for o in all_orders(graph)
        )
        found = drift_bound(graph, 0, 1 << 30)
        if found is None:
            continue
        assert found.bytes <= smallest, seed
        above += found.bytes > brute_overlap.best_peak(graph)
        met += found.bytes == smallest
        check(document(graph), graph, SHA256)
    assert above > least_above
    assert met > least_met


@pytest.mark.parametrize("scratch", [False, True])
def test_what_passes_with_a_renewed_digest_is_true(scratch: bool) -> None:
    drifting = 0
    for seed in range(150 if scratch else 50):
        graph, draw = drawn(random.Random(seed), scratch=scratch), random.Random(seed)
        written = document(graph)
        if written["memory"]["floor_kind"] != "drift":
            continue
        drifting += 1
        smallest = min(
            brute_overlap.smallest_arena(graph, o, LIMITS[scratch]) for o in all_orders(graph)
        )
        for path in numbers_in(written):
            mutant = changed(copy.deepcopy(written), path, draw.choice([-4, -1, 1, 4]))
            mutant["digest"] = digest_of(mutant)
            try:
                check(mutant, graph, SHA256)
            except CheckFailed:
                continue
            assert path[0] in ("buffers", "certificates"), path
            assert mutant["memory"]["floor_bytes"] <= smallest
    assert drifting > 5
