"""What is said about models that cannot be compiled as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.errors import UnsupportedModel
from mcucomp.ops import lower
from tests.support.models import ModelBuilder


def test_outputs_that_are_constant() -> None:
    b = ModelBuilder()
    y = b.operator("ABS", (b.input((2,), scale=0.5),), (2,), scale=0.5)
    fixed = b.constant(np.ones(2, np.int8), [0.5], name="anchors")
    with pytest.raises(UnsupportedModel) as caught:
        lower(b.finish(outputs=(y, fixed)))
    assert str(caught.value) == (
        "test.tflite: outputs that are constant cannot be given out\n"
        "  tensor 2 anchors\n"
        "  fix: take these outputs out of the model; their values are in the file"
    )
