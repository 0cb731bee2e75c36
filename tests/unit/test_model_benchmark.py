"""The tables of benchmarks/every_model.py, what they say of a slower choice, and what is diffed."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from tests.support import tools

CHECKOUT = Path(__file__).resolve().parents[2]
DIGITS = CHECKOUT / "examples" / "digits" / "digits.tflite"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = CHECKOUT / "benchmarks" / "every_model.py"
    spec = importlib.util.spec_from_file_location("every_model", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "every_model", module)
    spec.loader.exec_module(module)
    return module


def row(model: str, cpu: str = "cortex-m4", **instructions: int) -> dict[str, object]:
    return {"cpu": cpu, "model": model, "macs": 100, "instructions": instructions}


def test_tables_and_verdict(benchmark: ModuleType, tmp_path: Path) -> None:
    rows = [
        row("b", portable=400, auto=402),
        row("d", portable=400, auto=401),
        row("a", portable=1000, auto=250),
        row("a", "cortex-m0plus", portable=2000),
        {"cpu": "cortex-m4", "model": "c", "instructions": {}, "reason": "too large"},
    ]
    file = tmp_path / "rows.json"
    file.write_text(json.dumps({"rows": rows}))
    result = CliRunner().invoke(benchmark.main, ["--rows", str(file)])
    assert result.output.splitlines() == [
        "Cortex-M4:",
        "",
        "| model | MACs | portable | per MAC | chosen | per MAC | ratio |",
        "|---|--:|--:|--:|--:|--:|--:|",
        "| a | 100 | 1,000 | 10.00 | 250 | 2.50 | 0.250 |",
        "| b | 100 | 400 | 4.00 | 402 | 4.02 | 1.005 |",
        "| d | 100 | 400 | 4.00 | 401 | 4.01 | 1.002 |",
        "",
        "Cortex-M0+ (on the emulated Cortex-M3):",
        "",
        "| model | MACs | portable | per MAC |",
        "|---|--:|--:|--:|",
        "| a | 100 | 2,000 | 20.00 |",
        "",
        "Not measured:",
        "",
        "- c: too large",
        "Error: slower than portable kernels: b on cortex-m4",
    ]
    assert result.exit_code == 1


def test_the_page_gets_the_tables_between_its_marks(
    benchmark: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, file = tmp_path / "kernels.md", tmp_path / "rows.json"
    place = replace(benchmark.PLACE, page=page)
    page.write_text(f"before\n{place.begin}\nold\n{place.end}\nafter\n")
    file.write_text(json.dumps({"rows": [row("a", portable=1000, auto=250)]}))
    monkeypatch.setattr(benchmark, "PLACE", place)
    result = CliRunner().invoke(benchmark.main, ["--rows", str(file), "--docs"])
    tables = result.output.rstrip("\n")
    assert tables.startswith("Cortex-M4:")
    assert page.read_text() == f"before\n{place.begin}\n\n{tables}\n\n{place.end}\nafter\n"


def test_the_code_of_a_cortex_m0plus_is_measured(benchmark: ModuleType, tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    (found,) = benchmark.measured((DIGITS,), "cortex-m0plus", tmp_path)
    assert found["macs"] > 0
    assert found["instructions"]["portable"] > found["macs"]
    board = (tmp_path / "mps2-an385-cortex-m0plus.toml").read_text()
    assert '"-mcpu=cortex-m0plus"' in board
    assert "-mcpu=cortex-m3" not in board


def test_what_may_wrap_the_counter_is_not_measured(
    benchmark: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "COUNTER_TICKS", 1 << 20)
    (found,) = benchmark.measured((DIGITS,), "cortex-m4", tmp_path)
    assert found["instructions"] == {}
    assert found["reason"].endswith(
        " MACs may be more than the 655,360 instructions that the board counts"
    )
