"""A plan in which any number was changed is refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from mcucomp.certify import certificate, check
from mcucomp.certify.digest import digest_of
from mcucomp.errors import CheckFailed
from mcucomp.memory import StepGraph
from mcucomp.planner import plan
from tests.oracle import brute_force
from tests.support.step_graphs import drawn_graph

SHA256 = "0" * 64


def numbers_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every number of a document but those under `timing`."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "timing":
                yield from numbers_in(inner, (*path, key))
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from numbers_in(inner, (*path, k))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


def changed(document: Any, path: tuple[Any, ...], by: int) -> Any:
    result = copy.deepcopy(document)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] += by
    return result


def written(seed: int) -> tuple[StepGraph, Any]:
    graph = drawn_graph(random.Random(seed))
    return graph, json.loads(json.dumps(certificate(plan(graph), SHA256, graph)))


@pytest.mark.parametrize("seed", range(200))
def test_any_changed_number_is_noticed(seed: int) -> None:
    graph, document = written(seed)
    assert check(document, graph, SHA256)
    draw = random.Random(seed)
    for path in numbers_in(document):
        with pytest.raises(CheckFailed):
            check(changed(document, path, draw.choice([-16, -1, 1, 16])), graph, SHA256)


@pytest.mark.parametrize("seed", range(100))
def test_what_passes_with_a_renewed_digest_is_true(seed: int) -> None:
    """Some changes leave a plan that is as good: another free place, another valid witness."""
    graph, document = written(seed)
    draw = random.Random(seed)
    least_bytes = brute_force.least_peak(graph)
    for path in numbers_in(document):
        mutant = changed(document, path, draw.choice([-16, -1, 1, 16]))
        mutant["digest"] = digest_of(mutant)
        try:
            check(mutant, graph, SHA256)
        except CheckFailed:
            continue
        assert path[-1] not in ("size_bytes", "arena_bytes", "peak_bytes", "floor_bytes")
        assert mutant["memory"]["floor_bytes"] <= least_bytes
        assert brute_force.peak(graph, mutant["order"]) == mutant["memory"]["peak_bytes"]
        assert_no_overlap(graph, mutant)


def assert_no_overlap(graph: StepGraph, document: Any) -> None:
    """Byte by byte, position by position."""
    order = document["order"]
    for position in range(len(order)):
        taken: set[int] = set()
        for buffer, row in zip(graph.buffers, document["buffers"], strict=True):
            places = [order.index(s) for s in (*buffer.writers, *buffer.readers)]
            places += [0] if buffer.from_start or not buffer.writers else []
            places += [len(order) - 1] if buffer.held else []
            if min(places) <= position <= max(places):
                own = set(range(row["offset"], row["offset"] + buffer.size_bytes))
                assert not own & taken
                taken |= own
