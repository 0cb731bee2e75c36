"""Tiny models made after reports of faults elsewhere: each gives its bytes, or its message.

The cases lie beside the shared models, with a list that says what to expect. Those
with state or several graphs are built for the host; of the others each operator is
run by its kernel. A case of an operator that is not there is skipped, visibly.
"""

from __future__ import annotations

import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mcucomp import build_directory, check, ir, pipeline, tflite
from mcucomp.errors import McucompError
from mcucomp.ops import registered
from tests.support import tools
from tests.support.kernel_runner import run_model
from tests.support.shared import cases_directory

WANTS_BUILD = ("state", "control flow")
CONSTANT_OUTPUT = "output_is_constant"


@cache
def cases() -> dict[str, dict[str, Any]]:
    listed = cases_directory() / "cases.json"
    if not listed.is_file():
        return {}
    return {case["name"]: case for case in json.loads(listed.read_text())["cases"]}


def named(*expectations: str) -> list[str]:
    """The cases of which this is expected; one that is skipped where there are no cases."""
    found = [name for name, case in cases().items() if case["expect"] in expectations]
    return found or ["none"]


def case_of(name: str) -> tuple[dict[str, Any], bytes]:
    if name not in cases():
        pytest.skip("skipped: no shared cases (set MCUCOMP_MODELS to the models beside them)")
    case = cases()[name]
    return case, (cases_directory() / case["file"]).read_bytes()


def inferences(case: dict[str, Any], model: ir.Model) -> tuple[list[list[Any]], list[list[Any]]]:
    """Inputs and outputs of each step, in the order of the model's."""
    stored, graph = np.load(cases_directory() / case["expected_file"]), model.graphs[0]
    return tuple(
        [
            [stored[f"{word}{step}_{k}"] for k in range(len(tensors))]
            for step in range(case["steps"])
        ]
        for word, tensors in (("in", graph.inputs), ("out", graph.outputs))
    )  # type: ignore[return-value]


def answers_of_a_build(
    case: dict[str, Any], data: bytes, rows: list[list[Any]], folder: Path
) -> list[list[bytes]]:
    """Of the image for the host, in sequences from one reset to the next."""
    tools.require("gcc")
    path = folder / case["file"]
    path.write_bytes(data)
    pipeline.build(path, "host", folder / "out", pipeline.Options(sanitize=True))
    build = build_directory.load(folder / "out")
    starts = [0, *case.get("reset_before", []), len(rows)]
    answers: list[list[bytes]] = []
    with check.session(build) as session:
        for start, end in itertools.pairwise(starts):
            given = [[values.tobytes() for values in row] for row in rows[start:end]]
            runs = session.infer_sequence(given)
            answers += [list(run.outputs) for run in runs]
            assert {run.arena_peak_bytes for run in runs} <= build.possible_peaks_bytes
    return answers


def assert_answers(case: dict[str, Any], data: bytes, folder: Path) -> None:
    model = tflite.read(data, case["file"])
    kinds = {operator.kind for graph in model.graphs for operator in graph.operators}
    if missing := kinds - set(registered()):
        pytest.skip(f"skipped: {', '.join(sorted(missing))} cannot be compiled yet")
    rows, expected = inferences(case, model)
    if case["kind"] in WANTS_BUILD or case["name"] == CONSTANT_OUTPUT:
        found = answers_of_a_build(case, data, rows, folder)
    else:
        # What is left is built too, as far as no compiler is needed.
        pipeline.plan_model(data, case["file"])
        found = [[values.tobytes() for values in run_model(model, row)] for row in rows]
    assert found == [[values.tobytes() for values in row] for row in expected]


def assert_message(case: dict[str, Any], error: McucompError) -> None:
    said = str(error).lower()
    assert error.exit_code == case["exit_status"] == 2
    for words in case["message_names"]:
        assert any(word.lower() in said for word in words), (words, said)


@pytest.mark.parametrize("name", named("run"))
def test_a_case_gives_its_bytes(name: str, tmp_path: Path) -> None:
    case, data = case_of(name)
    assert_answers(case, data, tmp_path)


@pytest.mark.parametrize("name", named("refuse", "either"))
def test_a_case_gives_its_message(name: str, tmp_path: Path) -> None:
    case, data = case_of(name)
    try:
        pipeline.plan_model(data, case["file"])
    except McucompError as error:
        assert_message(case, error)
    else:
        assert case["expect"] == "either"
        assert_answers(case, data, tmp_path)
