"""The table of benchmarks/boards.py: every kind of row, and its exit status."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner

from tests.support import tools
from tests.support.models import ModelBuilder

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = CHECKOUT / "benchmarks" / "boards.py"
    spec = importlib.util.spec_from_file_location("board_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def large_model(folder: Path) -> Path:
    """A model whose arena is larger than all RAM of a micro:bit."""
    b = ModelBuilder()
    x = b.input((1, 20_000), scale=0.5)
    shape = b.constant(np.array([20_000, 1], np.int32))
    b.operator("RESHAPE", (x, shape), (20_000, 1), scale=0.5)
    path = folder / "large.tflite"
    path.write_bytes(b.bytes())
    return path


def test_a_model_that_fits_and_one_that_does_not(benchmark: ModuleType, tmp_path: Path) -> None:
    rows_file = tmp_path / "rows.json"
    arguments = ["--board", "microbit", "--json", str(rows_file)]
    arguments += [str(benchmark.DIGITS), str(large_model(tmp_path))]
    result = CliRunner().invoke(benchmark.main, arguments)
    assert result.exit_code == 0, result.output
    fits, large = json.loads(rows_file.read_text())["rows"]
    assert (fits["board"], fits["emulator"], fits["model"]) == ("microbit", "qemu", "digits")
    assert fits["measured_peak_bytes"] == fits["predicted_peak_bytes"] > 0
    assert fits["instructions"] > 100_000
    assert large["fits"] is False
    assert "needs " in large["reason"]
    shown = result.output.splitlines()
    assert f"{fits['instructions']:,}" in shown[1]
    assert f"no: {large['reason']}" in shown[2]


def test_a_wrong_peak_is_a_no(benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    right = {
        "board": "b",
        "emulator": "qemu",
        "model": "m",
        "fits": True,
        "flash_bytes": 1,
        "ram_bytes": 1,
        "predicted_peak_bytes": 100,
        "measured_peak_bytes": 100,
        "guards_ok": True,
        "instructions": 1,
    }
    for change in ({"measured_peak_bytes": 99}, {"guards_ok": False}):
        monkeypatch.setattr(benchmark, "measure", lambda *_, c=change: {**right, **c})
        result = CliRunner().invoke(benchmark.main, ["--board", "stm32"])
        assert result.exit_code == 1
    failed = {k: v for k, v in right.items() if not k.startswith(("measured", "guards", "instr"))}
    monkeypatch.setattr(benchmark, "measure", lambda *_: {**failed, "failed": "qemu ended"})
    result = CliRunner().invoke(benchmark.main, ["--board", "stm32"])
    assert result.exit_code == 1
    assert "qemu ended" in result.output
