"""Operators that only say how bytes are looked at: no step, no copy, TFLM's bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mcucomp import build_directory, check, pipeline
from mcucomp.check.inputs import drawn
from tests.support import tools
from tests.support.models import ModelBuilder

Q: dict[str, Any] = {"scale": 0.1}
VIEWS = ("RESHAPE", "SQUEEZE", "EXPAND_DIMS", "SPLIT", "SPLIT_V", "UNPACK", "PACK", "CONCATENATION")


def looked_at_in_every_way() -> ModelBuilder:
    """Additions between which each kind stands once, along the outermost dimension."""
    b = ModelBuilder("views.tflite")

    def numbers(*values: int) -> int:
        return b.constant(np.array(values, np.int32))

    def added(x: int, shape: tuple[int, ...]) -> int:
        return b.operator("ADD", (x, x), shape, **Q)

    x = added(b.input((1, 4, 8), **Q), (1, 4, 8))
    x = b.operator("SQUEEZE", (x,), (4, 8), **Q, squeeze_dims=(0,))
    axis = b.constant(np.array(0, np.int32))
    halves = [b.tensor((2, 8), **Q) for _ in range(2)]
    b.operator_into("SPLIT", (axis, x), halves, num_splits=2)
    rows = [b.tensor((1, 8), **Q) for _ in range(2)]
    b.operator_into("SPLIT_V", (added(halves[0], (2, 8)), numbers(1, 1), axis), rows, num_splits=2)
    flat = [b.tensor((8,), **Q) for _ in range(2)]
    b.operator_into("UNPACK", (added(halves[1], (2, 8)),), flat, axis=0, num=2)
    packed = b.operator("PACK", [added(f, (8,)) for f in flat], (2, 8), **Q, axis=0, values_count=2)
    parts = [added(rows[0], (1, 8)), added(rows[1], (1, 8)), packed]
    whole = b.operator("CONCATENATION", parts, (4, 8), **Q, axis=0)
    again = b.operator("RESHAPE", (whole, numbers(8, 4)), (8, 4), **Q, new_shape=(8, 4))
    deep = b.operator("EXPAND_DIMS", (added(again, (8, 4)), axis), (1, 8, 4), **Q)
    added(deep, (1, 8, 4))
    return b


def test_each_kind_of_view_is_no_step(tmp_path: Path) -> None:
    tools.require("gcc", "tflite_micro")
    b = looked_at_in_every_way()
    assert {o.kind for o in b.operators} == {*VIEWS, "ADD"}
    (tmp_path / "views.tflite").write_bytes(b.bytes())
    options = pipeline.Options(sanitize=True)
    pipeline.build(tmp_path / "views.tflite", "host", tmp_path / "out", options)
    build = build_directory.load(tmp_path / "out")
    assert {operator["kind"] for operator in build.report["operators"]} == {"ADD"}
    inputs = drawn(build.graph, 5, 1)
    with check.session(build) as device:
        verdict = check.compare(build, device, inputs, lambda what, done, total: None)
        traced = check.trace(build, device, inputs[0], lambda what, done, total: None)
    assert verdict.problems == ()
    assert traced.problems == ()
    # The image that is taken apart, and the one that is put together; nothing else.
    assert build.arena_peak_bytes == 64
