"""Networks with planted dead and nearly dead channels: the provable ones go, and no other.

Which are provable says `tests.support.planted`, which shares no code with the
analysis; that results stay the same say the kernels themselves.
"""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import Graph, Operator
from mcucomp.rewrite import drop_by_values
from mcucomp.values import analyse
from tests.support.kernel_runner import run_graph
from tests.support.planted import Bounds, drawn, oracle

NETWORKS, GROUPS = 200, 4


def _inputs(graph: Graph, seed: int) -> list[np.ndarray]:
    """Noise, both ends, and noise of ends alone."""
    random, shape = np.random.default_rng(seed), graph.tensors[graph.inputs[0]].shape
    return [
        random.integers(-128, 128, shape, dtype=np.int8),
        np.full(shape, -128, np.int8),
        np.full(shape, 127, np.int8),
        random.choice(np.array([-128, 127], np.int8), shape),
    ]


def _needed(
    graph: Graph, proven: dict[int, Bounds], constant: dict[int, set[int]]
) -> dict[int, set[int]]:
    """For each tensor the channels that an output of the graph depends on, one by one."""
    needed = {i: set(range(graph.tensors[i].shape[-1])) for i in graph.outputs}
    for operator in reversed(graph.operators):
        result, source = operator.outputs[0], operator.inputs[0]
        wanted = needed.setdefault(result, set())
        if operator.kind == "CONCATENATION":
            first = 0
            for index in operator.inputs:
                count = graph.tensors[index].shape[-1]
                part = {c - first for c in wanted if first <= c < first + count}
                needed.setdefault(index, set()).update(part)
                first += count
        elif operator.kind == "ADD":
            for index in operator.inputs:
                needed.setdefault(index, set()).update(wanted)
        elif operator.kind == "RESHAPE":
            count = graph.tensors[source].shape[-1]
            needed.setdefault(source, set()).update(c % count for c in wanted)
        elif operator.kind in ("MAX_POOL_2D", "AVERAGE_POOL_2D"):
            needed.setdefault(source, set()).update(wanted)
        else:
            moving = wanted - constant[result]
            needed.setdefault(source, set()).update(_read(graph, operator, moving, proven[source]))
    return needed


def _read(graph: Graph, operator: Operator, moving: set[int], bounds: Bounds) -> set[int]:
    """The inputs of a layer that its outputs `moving` read and that its bias cannot stand for."""
    source = operator.inputs[0]
    tensor, filters = graph.tensors[source], graph.tensors[operator.inputs[1]]
    weights = np.frombuffer(filters.data or b"", np.int8).reshape(filters.shape)
    if operator.kind == "FULLY_CONNECTED":
        flat = {c for c in range(weights.shape[1]) for o in moving if weights[o, c]}
        return {c for c in flat if bounds[c][0] != bounds[c][1]}
    if operator.kind == "DEPTHWISE_CONV_2D":
        return {c for c in moving if weights[0, :, :, c].any()}
    assert tensor.quantization is not None
    found = set()
    for channel in range(weights.shape[3]):
        outputs = [o for o in moving if weights[o, :, :, channel].any()]
        is_constant = bounds[channel][0] == bounds[channel][1]
        is_zero = bounds[channel][0] == tensor.quantization.zero_points[0]
        # Outside the image there is no such channel, whatever it holds inside.
        is_inside = weights.shape[1] == 1 or not any(
            _at_border(weights, o, channel) for o in outputs
        )
        if outputs and not (is_constant and (is_zero or is_inside)):
            found.add(channel)
    return found


def _at_border(weights: np.ndarray, output: int, channel: int) -> bool:
    """Whether a tap that is outside the image for some pixel has a weight: all but the middle."""
    taps = weights[output, :, :, channel].astype(int).copy()
    taps[1, 1] = 0
    return bool(taps.any())


@pytest.mark.parametrize("group", range(GROUPS))
def test_exactly_the_provable_channels_go_and_nothing_changes(group: int) -> None:
    dead = nearly = 0
    for seed in range(group, NETWORKS, GROUPS):
        graph = drawn(seed).finish().graphs[0]
        proven, values = oracle(graph), analyse(graph)
        constant = {}
        for index, bounds in proven.items():
            low, high = values.channels(index)
            assert list(zip(low.tolist(), high.tolist(), strict=True)) == bounds, (seed, index)
            constant[index] = {c for c, (a, b) in enumerate(bounds) if a == b}
            nearly += sum(0 < b - a < 12 for a, b in bounds)
        narrow = drop_by_values(graph, 1)
        needed = _needed(graph, proven, constant)
        dead += _assert_only_needless_go(graph, narrow, needed, constant, seed)
        for values_in in _inputs(graph, seed):
            before, after = run_graph(graph, [values_in]), run_graph(narrow, [values_in])
            for index in graph.outputs:
                assert (before[index] == after[index]).all(), seed
            for index, bounds in proven.items():
                for channel, (low, high) in enumerate(bounds):
                    held = before[index][..., channel]
                    assert low <= held.min() <= held.max() <= high, (seed, index, channel)
        assert drop_by_values(narrow, 1) == narrow
    assert dead > 100
    assert nearly > 20


def _assert_only_needless_go(
    graph: Graph,
    narrow: Graph,
    needed: dict[int, set[int]],
    constant: dict[int, set[int]],
    seed: int,
) -> int:
    """Layers that nothing ties keep what is needed, or one; returns how many channels went.

    A tensor goes that nobody needs, or whose values are all known.
    """
    gone = 0
    tied = {
        i
        for operator in graph.operators
        if operator.kind not in ("CONV_2D", "FULLY_CONNECTED")
        for i in (*operator.inputs, *operator.outputs)
    }
    left = {i for operator in narrow.operators for i in operator.outputs}
    for operator in graph.operators:
        result = operator.outputs[0]
        if result not in left:
            assert needed[result] <= constant[result], (seed, result)
            continue
        channels = narrow.tensors[result].shape[-1]
        gone += graph.tensors[result].shape[-1] - channels
        assert channels >= len(needed[result]), (seed, result)
        if result not in tied:
            assert channels == max(1, len(needed[result])), (seed, result)
    return gone
