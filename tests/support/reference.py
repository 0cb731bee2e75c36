"""What does TensorFlow Lite Micro itself answer?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

# So large that the C library maps fresh pages of zeros: TFLM's SPACE_TO_BATCH_ND fills with what
# it finds in memory that it has not written.
ARENA_BYTES = 64 << 20


def tflm_outputs(data: bytes, inputs: list[np.ndarray], outputs: int = 1) -> list[np.ndarray]:
    """The first `outputs` outputs of the model in `data`.

    Skips the calling test, visibly, where TFLM is not installed.
    """
    return tflm_sequence(data, [inputs], outputs)[0]


def tflm_sequence(
    data: bytes, steps: Sequence[list[np.ndarray]], outputs: int = 1, reset_before: int = -1
) -> list[list[np.ndarray]]:
    """The same for inferences that follow each other; before that one all state is reset."""
    tflite_micro = pytest.importorskip(
        "tflite_micro",
        reason="skipped: tflite-micro is not installed (pip install mcucomp[reference])",
        exc_type=ImportError,
    )
    interpreter = tflite_micro.runtime.Interpreter.from_bytes(data, arena_size=ARENA_BYTES)
    results = []
    for step, inputs in enumerate(steps):
        if step == reset_before:
            interpreter.reset()
        for i, values in enumerate(inputs):
            interpreter.set_input(values, i)
        interpreter.invoke()
        results.append([np.array(interpreter.get_output(i)) for i in range(outputs)])
    return results
