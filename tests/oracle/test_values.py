"""TFLM never leaves the intervals, and gives the same bytes for what is left of a model.

A modest part of `benchmarks/values.py --check`, which does it for every model.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mcucomp import ir, tflite
from mcucomp.rewrite import drop_by_values
from mcucomp.tflm.narrowing import narrowed
from tests.support.planted import drawn
from tests.support.shared import shared_model
from tests.support.tools import require
from tests.unit.values.test_rounding import ties

DRAWN, CLIMBS, STEPS = 3, 2, 6
MODELS = ("mlperf-vww-mobilenet025-int8", "mcunet-vww-int8", "tflm-hello-world-int8")
# Nothing is dropped of these; their layers are of other kinds.
INTERVALS_ALONE = ("silabs-magic-wand-int8", "seanet-transpose-conv1-int16x8", "mlzoo-rnnoise-int8")


@pytest.mark.parametrize("name", [*MODELS, *INTERVALS_ALONE])
def test_whole_models(name: str) -> None:
    require("tflite_micro")
    from tests.support import observed

    data = shared_model(name).read_bytes()
    model = tflite.read(data, name)
    ir.verify(model)
    graph = model.graphs[0]
    observer = observed.Observer(data, graph)
    inputs = [*observed.random_inputs(graph, DRAWN, 1), *observed.constant_inputs(graph)]
    expected = [observer.run(row) for row in inputs]
    for k, target in enumerate(observer.targets(CLIMBS, 1)):
        for row, outputs in observer.climb(target, inputs[k], STEPS, k):
            inputs.append(row)
            expected.append(outputs)
    assert observer.outside == []
    assert observer.seen > 0
    smaller = narrowed(model, data, 1)
    assert (smaller is not None) == (name in MODELS)
    if smaller is not None:
        assert len(smaller) < len(data)
        assert observed.plain_outputs(smaller, graph, inputs) == expected


def test_planted_networks_and_ties() -> None:
    """As files: what the rewriting of graphs makes of them, TFLM runs."""
    require("tflite_micro")
    from tests.support import observed

    changed = 0
    for builder in (ties(), *map(drawn, range(300, 330))):
        model, data = builder.finish(), builder.bytes()
        smaller = narrowed(model, data, 1)
        if smaller is None:
            continue
        graph = model.graphs[0]
        assert tflite.read(smaller, "m").graphs[0].inputs == graph.inputs
        inputs = [*observed.random_inputs(graph, DRAWN, 1), *observed.constant_inputs(graph)]
        wanted = observed.plain_outputs(data, graph, inputs)
        assert observed.plain_outputs(smaller, graph, inputs) == wanted
        changed += 1
    assert changed > 15


def test_the_file_holds_the_graph_that_was_made() -> None:
    builder = drawn(301)
    model, data = builder.finish(), builder.bytes()
    made = drop_by_values(model.graphs[0], 1)
    assert made != model.graphs[0]
    smaller = narrowed(model, data, 1)
    assert smaller is not None
    found = tflite.read(smaller, "m").graphs[0]
    assert len(found.tensors) == len(made.tensors)
    used = {i for operator in made.operators for i in (*operator.inputs, *operator.outputs)}
    for index in sorted(used):
        # A file does not say what became of a tensor.
        assert found.tensors[index] == replace(made.tensors[index], is_changed=False), index
    kept = [(o.kind, o.inputs, o.outputs, o.options) for o in made.operators]
    assert [(o.kind, o.inputs, o.outputs, o.options) for o in found.operators] == kept
    assert np.isin(list(found.inputs), list(model.graphs[0].inputs)).all()
