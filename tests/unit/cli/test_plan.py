"""`mcucomp plan` and `mcucomp check-plan` from the outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from tests.support.models import ModelBuilder, residual_network


def mcucomp(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcucomp", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.tflite").write_bytes(residual_network().bytes())
    return tmp_path


def test_a_plan_is_written_checked_and_repeatable(folder: Path) -> None:
    first = mcucomp("plan", "m.tflite", "-o", "plan.json", "--json", folder=folder)
    assert first.returncode == 0, first.stderr
    document: dict[str, Any] = json.loads(first.stdout)
    assert document["schema"] == 1
    assert document["memory"]["verdict"] == "proven"
    assert document["memory"]["arena_bytes"] == document["memory"]["floor_bytes"]
    assert json.loads((folder / "plan.json").read_text()) == document
    again = json.loads(mcucomp("plan", "m.tflite", "--json", folder=folder).stdout)
    del document["timing"], again["timing"]
    assert again == document
    checked = mcucomp("check-plan", "plan.json", "m.tflite", folder=folder)
    assert checked.returncode == 0, checked.stderr
    rules = document["rules"]
    assert checked.stdout.splitlines()[-1] == (
        f"so under {rules} no order of these operators has a smaller arena"
    )


def test_the_text_says_arena_verdict_floor_peak_and_order(folder: Path) -> None:
    told = mcucomp("plan", "m.tflite", folder=folder).stdout
    for word in ("arena ", "verdict    proven", "floor ", "live peak ", "order ", "runs, at least"):
        assert word in told


def test_a_budget_that_no_order_can_keep(folder: Path) -> None:
    arena = json.loads(mcucomp("plan", "m.tflite", "--json", folder=folder).stdout)["memory"]
    fits = mcucomp("plan", "m.tflite", "--budget", arena["arena_bytes"], folder=folder)
    assert fits.returncode == 0
    tight = mcucomp(
        "plan", "m.tflite", "-o", "p.json", "--budget", arena["arena_bytes"] - 1, folder=folder
    )
    assert tight.returncode == 1
    assert tight.stdout == ""
    lines = tight.stderr.splitlines()
    assert lines[0] == (
        f"m.tflite: needs {arena['arena_bytes']:,} B of arena;"
        f" the budget is {arena['arena_bytes'] - 1:,} B"
    )
    assert lines[1].startswith("  peak is at step ")
    assert lines[2] == (
        f"  no order of these operators needs less than {arena['floor_bytes']:,} B"
        f" ({arena['floor_kind']})"
    )
    assert not (folder / "p.json").exists()


def test_held_inputs_and_outputs_keep_their_place(folder: Path) -> None:
    held = json.loads(mcucomp("plan", "m.tflite", "--json", "--io", "held", folder=folder).stdout)
    steps = len(held["steps"])
    ends = [row["live"] for row in held["buffers"] if not row["writers"] or row["from_start"]]
    assert len(ends) >= 2
    assert all(live == [0, steps] for live in ends)
    (folder / "plan.json").write_text(json.dumps(held))
    assert mcucomp("check-plan", "plan.json", "m.tflite", folder=folder).returncode == 0


def test_a_changed_plan_is_refused_by_line(folder: Path) -> None:
    mcucomp("plan", "m.tflite", "-o", "plan.json", folder=folder)
    document = json.loads((folder / "plan.json").read_text())
    document["memory"]["arena_bytes"] -= 4
    (folder / "plan.json").write_text(json.dumps(document))
    refused = mcucomp("check-plan", "plan.json", "m.tflite", "--json", folder=folder)
    assert refused.returncode == 1
    error = json.loads(refused.stdout)["error"]
    assert error["kind"] == "check-failed"
    assert error["at"] == "plan.json: memory.arena_bytes"


@pytest.mark.parametrize(
    ("text", "what"),
    [("{", "is no JSON document"), ("[]", "is not an object"), ("\udcff", "is no text in UTF-8")],
)
def test_what_is_no_plan_is_refused(folder: Path, text: str, what: str) -> None:
    (folder / "p.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    refused = mcucomp("check-plan", "p.json", "m.tflite", folder=folder)
    assert refused.returncode in (1, 2)
    assert what in refused.stderr
    assert "Traceback" not in refused.stderr


def test_pages_are_whole_and_names_cannot_leave_their_place(folder: Path) -> None:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 2), scale=0.5)
    b.operator("CUSTOM", (x,), (1, 4, 4, 2), scale=0.5)
    model = b.finish()
    assert model.graphs[0].operators
    (folder / "h.tflite").write_bytes(b.bytes())
    made = mcucomp("plan", "h.tflite", "--html", "p.html", "--svg", "p.svg", folder=folder)
    assert made.returncode == 0, made.stderr
    page = (folder / "p.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    ElementTree.fromstring((folder / "p.svg").read_text())


def test_a_place_that_cannot_be_written_is_told(folder: Path) -> None:
    refused = mcucomp("plan", "m.tflite", "-o", "no/such/plan.json", folder=folder)
    assert refused.returncode == 2
    assert refused.stderr.strip() == (
        "no/such/plan.json: cannot be written: No such file or directory"
    )
