"""The operator that docs/architecture.md adds: its file is as long as stated, and it works."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from mcucomp import build_directory, pipeline
from mcucomp.check import session
from mcucomp.errors import UnsupportedModel
from mcucomp.ops import registered, registering
from tests.support import tools
from tests.support.models import ModelBuilder

CHECKOUT = Path(__file__).resolve().parents[3]
PAGE = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
SCALE, ZERO_POINT = 1 / 64, -7


def the_file() -> str:
    """The module that the page shows."""
    (code,) = re.findall(r"^```python\n(\"\"\"SIGN.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(code)


def model() -> bytes:
    b = ModelBuilder()
    x = b.input((1, 256), scale=0.5, zero_point=3)
    b.operator("SIGN", (x,), (1, 256), scale=SCALE, zero_point=ZERO_POINT)
    return b.bytes()


def test_the_numbers_of_lines_are_those_of_the_files() -> None:
    (stated,) = re.findall(r"`mcucomp/ops/sign.py`, (\d+) lines and no C", PAGE)
    assert int(stated) == len(the_file().splitlines())
    (stated,) = re.findall(r"all of `mcucomp/ops/neg.py` is (\d+) lines", PAGE)
    neg = (CHECKOUT / "mcucomp" / "ops" / "neg.py").read_text("utf-8")
    assert int(stated) == len(neg.splitlines())


def test_the_operator_of_the_page_works(tmp_path: Path) -> None:
    tools.require("gcc")
    assert "SIGN" not in registered(), "show another operator in docs/architecture.md"
    with pytest.raises(UnsupportedModel, match="this operator is not supported"):
        pipeline.plan_model(model(), "m.tflite")
    (tmp_path / "m.tflite").write_bytes(model())
    with registering(()):  # which forgets what is registered meanwhile
        exec(compile(the_file(), "sign.py", "exec"), {})
        built = pipeline.build(
            tmp_path / "m.tflite", "host", tmp_path / "out", pipeline.Options(sanitize=True)
        )
    values = np.arange(-128, 128).astype(np.int8)
    with session(build_directory.load(tmp_path / "out")) as device:
        run = device.infer([values.tobytes()])
    expected = 64 * np.sign(values.astype(int) - 3) + ZERO_POINT
    assert np.array_equal(np.frombuffer(run.outputs[0], np.int8), expected)
    # The output lies over the input.
    assert built.planned.plan.arena_bytes == 256
    assert "SIGN" not in registered()
