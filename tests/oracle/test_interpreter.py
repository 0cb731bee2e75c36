"""The smallest arena is the smallest, and a model that TFLM refuses is told."""

from __future__ import annotations

import pytest

from mcucomp.check.interpreter import STEP_BYTES, _Child, measure
from mcucomp.errors import ToolFailed
from tests.support.models import residual_network
from tests.support.tools import require


def test_one_step_less_does_not_start() -> None:
    require("tflite_micro")
    data = residual_network().bytes()
    found = measure(data, 1, "residual.tflite")
    assert found.smallest_arena_bytes >= found.head_bytes + found.tail_bytes
    with _Child(data, 1) as child:
        assert child.load(found.smallest_arena_bytes - STEP_BYTES) is None
        assert child.load(found.smallest_arena_bytes, run=True) == (
            found.head_bytes,
            found.tail_bytes,
        )


def test_a_model_that_cannot_be_loaded() -> None:
    require("tflite_micro")
    with pytest.raises(ToolFailed) as caught:
        measure(residual_network().bytes()[:200], 1, "cut.tflite")
    assert str(caught.value).startswith("cut.tflite: TensorFlow Lite Micro cannot load the model\n")
