"""Plans in rows of public models: figures, proofs, and every read in an arena of that size."""

from __future__ import annotations

import json

import pytest

from mcucomp import ir, tflite
from mcucomp.memory.row_graph import STREAMED_INPUT
from mcucomp.ops import lower
from mcucomp.planning import check_document, plan_document, plan_graphs
from mcucomp.rules import parse
from tests.support.row_arena import RowArena
from tests.support.shared import shared_model

SHARED = "shared"
RULES = parse("all,rows")

# (model, io): the least live peak of any order (proven), and the most that the arena may take.
FIGURES = {
    ("mlperf-kws-dscnn-int8", SHARED): (3_482, 3_622),
    ("mlperf-kws-dscnn-int8", STREAMED_INPUT): (3_168, 3_500),
    ("mlperf-sww-streaming-int8", SHARED): (2_948, 3_000),
    ("mlperf-sww-streaming-int8", STREAMED_INPUT): (2_508, 2_600),
    ("tflm-micro-speech-int8", SHARED): (2_136, 2_222),
    ("tflm-micro-speech-int8", STREAMED_INPUT): (540, 700),
    ("mlperf-ic-resnet8-int8", SHARED): (9_696, 10_083),
    ("mlperf-ic-resnet8-int8", STREAMED_INPUT): (8_544, 9_100),
    ("tflm-person-detect-int8", SHARED): (11_552, 12_014),
}


@pytest.mark.parametrize(("name", "io"), FIGURES, ids=lambda value: str(value))
def test_a_public_model_meets_its_figures(name: str, io: str) -> None:
    least_bytes, most_bytes = FIGURES[name, io]
    model = tflite.load(shared_model(name))
    ir.verify(model)
    planned = plan_graphs(model, 4, io=io, rules=RULES)
    plan, rows = planned.main.plan, planned.main.rows
    assert rows is not None
    assert plan.floor_bytes == plan.peak_bytes == least_bytes
    assert plan.arena_bytes <= most_bytes
    arena = RowArena(
        planned.model.graphs[0], lower(planned.model)[0], rows.model.forms, rows.row_plan
    )
    assert arena.run() == plan.high_water_bytes
    sentences = check_document(json.loads(json.dumps(plan_document(planned))), model)
    assert any(f"no order needs less than {least_bytes:,} B" in told for told in sentences)
