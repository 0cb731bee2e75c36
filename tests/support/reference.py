"""What does TensorFlow Lite Micro itself answer?"""

from __future__ import annotations

import numpy as np
import pytest

ARENA_BYTES = 4 << 20


def tflm_outputs(data: bytes, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """The output of the model in `data`, which has one.

    Skips the calling test, visibly, where TFLM is not installed.
    """
    tflite_micro = pytest.importorskip(
        "tflite_micro",
        reason="skipped: tflite-micro is not installed (pip install mcucomp[reference])",
        exc_type=ImportError,
    )
    interpreter = tflite_micro.runtime.Interpreter.from_bytes(data, arena_size=ARENA_BYTES)
    for i, values in enumerate(inputs):
        interpreter.set_input(values, i)
    interpreter.invoke()
    return [interpreter.get_output(0)]
