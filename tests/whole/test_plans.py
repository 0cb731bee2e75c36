"""Every shared model of static shape: planned, proven, certified, in time."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from mcucomp import ir, tflite
from mcucomp.errors import UnsupportedModel
from mcucomp.planning import ModelPlan, check_document, plan_document, plan_graphs
from tests.support.shared import models_directory, shared_model, shared_models

# Live bytes of the first graph, unrounded: in the file's order, and the best there is.
KNOWN = {
    "mww-okay-nabu-v2-int8": (4_032, 2_944),
    "silabs-kws-heygecko-int8": (43_648, 39_680),
    "lyra-soundstream-encoder": (45_568, 41_472),
    "dfnet2-stateful-int16x8": (137_856, 122_944),
    "lyra-quantizer-f32": (12_036, 1_124),
}


def planned(path: Path, alignment: int, io: str = "shared") -> ModelPlan:
    model = tflite.load(path)
    ir.verify(model)
    return plan_graphs(model, alignment, io=io)


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_known_peaks_are_reached_and_proven(name: str) -> None:
    path = shared_model(name)
    found = planned(path, 1).main.plan
    assert found.verdict == "proven"
    assert (found.peak_bytes, found.arena_bytes) == (KNOWN[name][1], KNOWN[name][1])


@pytest.mark.parametrize(("alignment", "io"), [(4, "shared"), (16, "held")])
def test_every_static_model_is_proven_and_its_certificate_holds(alignment: int, io: str) -> None:
    for path in shared_models():
        try:
            found = planned(path, alignment, io)
        except UnsupportedModel:
            continue
        for graph in found.graphs:
            assert graph.plan.verdict == "proven", path.name
            assert graph.plan.floor_kind not in ("exhaustion", "ilp"), path.name
        document = json.loads(json.dumps(plan_document(found)))
        assert check_document(document, found.model)


def test_the_tiny_models_take_less_than_a_second_each_and_five_together() -> None:
    manifest = models_directory() / "manifest.json"
    if not manifest.is_file():
        pytest.skip("skipped: no shared models (set MCUCOMP_MODELS to their directory)")
    tiny = [m for m in json.loads(manifest.read_text())["models"] if m["tiny16"]]
    assert len(tiny) == 16
    total_s = 0.0
    for entry in tiny:
        started_s = time.process_time()
        planned(models_directory() / entry["file"], 4)
        took_s = time.process_time() - started_s
        assert took_s < 1.0, entry["name"]
        total_s += took_s
    assert total_s < 5.0
