"""How many of the held-out digits does the int8 model get right?

    python examples/digits/evaluate.py

TensorFlow Lite Micro itself runs the model (package tflite-micro), so that this
answer depends on nothing in mcucomp.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from data import Digits, as_input, load

from mcucomp.errors import McucompError, ToolMissing
from mcucomp.ir import Quantization

MODEL = Path(__file__).with_name("digits.tflite")

# Far more than the model needs; the interpreter's own guess is ten times the file.
ARENA_BYTES = 1 << 20


def classify(model: bytes, digits: Digits) -> npt.NDArray[np.int64]:
    """The digit that `model`, run by TFLM, sees in each image (n,).

    Raises ToolMissing where tflite-micro is not installed.
    """
    try:
        from tflite_micro import runtime
    except ImportError:
        raise ToolMissing(
            "TensorFlow Lite Micro is not installed",
            fix="pip install -e '.[reference]' in the checkout",
        ) from None
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA_BYTES)
    stated = interpreter.get_input_details(0)["quantization_parameters"]
    quantization = Quantization(
        scales=tuple(float(scale) for scale in stated["scales"]),
        zero_points=tuple(int(zero_point) for zero_point in stated["zero_points"]),
    )
    seen = []
    for image in as_input(digits.images, quantization):
        interpreter.set_input(image[np.newaxis], 0)
        interpreter.invoke()
        seen.append(interpreter.get_output(0).argmax())
    return np.array(seen, np.int64)


def correct(model: bytes, digits: Digits) -> int:
    """The number of `digits` that `model` gets right."""
    return int((classify(model, digits) == digits.labels).sum())


def main() -> None:
    _, test = load()
    right, total = correct(MODEL.read_bytes(), test), len(test.labels)
    print(f"{MODEL.name}, int8 in TFLM: {right} of {total} held-out digits ({right / total:.2%})")


if __name__ == "__main__":
    try:
        main()
    except McucompError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
