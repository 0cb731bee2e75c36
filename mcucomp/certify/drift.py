"""Is there no room for a chain of buffers in fewer bytes than a certificate says?

In: a certificate of the kind `drift` and the step graph. Out: the bytes that it proves.

Each buffer of the chain shares a step with the next: both are live then, so they lie apart
or as an overlap allows, and the step's scratch apart from both. All places of the first buffer
within a number of bytes are followed along the chain: from each, the places that the next buffer
may have. Where none is left, the bytes do not suffice, whatever the order.
"""

from __future__ import annotations

import itertools
from typing import Any

from mcucomp.certify.reading import member, numbers, wrong
from mcucomp.certify.rounding import rounded
from mcucomp.memory.types import StepGraph

Places = list[tuple[int, int]]  # ranges of offsets, both ends included; in units of the alignment


def check_drift(
    certificate: Any, step_graph: StepGraph, path: str, claimed_bytes: int
) -> tuple[int, ...]:
    """Verify that the chain of the certificate needs exactly the bytes claimed; its buffers."""
    chain = numbers(
        member(certificate, path, "chain", list), f"{path}.chain", len(step_graph.buffers)
    )
    if len(chain) < 2 or len(set(chain)) != len(chain):
        raise wrong(f"{path}.chain", "must hold at least two buffers, and each once")
    for first, second in itertools.pairwise(chain):
        if not _steps_of(step_graph, first) & _steps_of(step_graph, second):
            raise wrong(f"{path}.chain", f"no step touches both buffer {first} and {second}")
    unit = step_graph.alignment
    if claimed_bytes % unit:
        raise wrong(f"{path}.bytes", f"is {claimed_bytes:,}; it must be a multiple of {unit}")
    if not _has_room(step_graph, chain, claimed_bytes // unit):
        raise wrong(f"{path}.bytes", f"is {claimed_bytes:,}; its chain needs more")
    if _has_room(step_graph, chain, claimed_bytes // unit - 1):
        raise wrong(f"{path}.bytes", f"is {claimed_bytes:,}; its chain needs less")
    return tuple(chain)


def _steps_of(step_graph: StepGraph, buffer: int) -> set[int]:
    touched = step_graph.buffers[buffer]
    return {*touched.writers, *touched.readers}


def _has_room(step_graph: StepGraph, chain: list[int], units: int) -> bool:
    """Whether the chain can lie within that many units."""
    sizes = [_units(step_graph, step_graph.buffers[buffer].size_bytes) for buffer in chain]
    places: Places = [(0, units - sizes[0])] if units >= sizes[0] else []
    for k, (first, second) in enumerate(itertools.pairwise(chain)):
        distances = _distances(step_graph, first, second, units)
        pair = (sizes[k], sizes[k + 1])
        places = _next_places(places, distances, pair, _scratch(step_graph, first, second), units)
    return bool(places)


def _next_places(
    places: Places, distances: Places, sizes: tuple[int, int], scratch: int, units: int
) -> Places:
    """Where the second of two buffers may start, whose first starts at one of `places`.

    Scratch of a step that touches both has room behind both, before both, or between them
    where the distance leaves a gap for it.
    """
    gaps = [(sizes[1] + scratch, units), (-units, -sizes[0] - scratch)]
    cases = [(0, scratch, distances), (scratch, 0, distances), (0, 0, gaps)]
    found: Places = []
    for before, behind, allowed in cases:
        for (low, high), (least, most) in itertools.product(places, allowed):
            lowest, highest = max(low, before), min(high, units - sizes[0] - behind)
            start = max(before, lowest - most)
            end = min(units - sizes[1] - behind, highest - least)
            if lowest <= highest and start <= end:
                found.append((start, end))
    return _merged(found)


def _scratch(step_graph: StepGraph, first: int, second: int) -> int:
    """The most units of scratch of a step that touches both buffers."""
    steps = _steps_of(step_graph, first) & _steps_of(step_graph, second)
    return max(_units(step_graph, step_graph.steps[step].scratch_bytes) for step in steps)


def _units(step_graph: StepGraph, size_bytes: int) -> int:
    return rounded(size_bytes, step_graph.alignment) // step_graph.alignment


def _distances(step_graph: StepGraph, first: int, second: int, units: int) -> Places:
    """Offset of `first` less that of `second`: apart either way, or as an overlap allows."""
    unit = step_graph.alignment
    sizes = [_units(step_graph, step_graph.buffers[b].size_bytes) for b in (first, second)]
    found = [(sizes[1], units), (-units, -sizes[0])]
    for overlap in step_graph.overlaps:
        if {overlap.read, overlap.written} != {first, second}:
            continue
        if step_graph.buffers[overlap.read].held:
            continue
        low = -units if overlap.low_bytes is None else -(-overlap.low_bytes // unit)
        high = units if overlap.high_bytes is None else overlap.high_bytes // unit
        found.append((low, high) if overlap.read == first else (-high, -low))
    return [(low, high) for low, high in found if low <= high]


def _merged(places: Places) -> Places:
    """The same places in ranges that do not touch."""
    result: Places = []
    for low, high in sorted(places):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return result
