"""What does the demonstration show to the board, and what does a newcomer see?

In: how many digits. Out: that many held-out digits as the model takes them in,
with the answers, and each digit as a small picture for the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from data import CLASSES, IMAGE_SIZE, Images, as_input, load
from evaluate import MODEL

from mcucomp import tflite
from mcucomp.ir import Quantization

# From paper to ink; two characters a pixel come out about square on a terminal.
BLOCKS = ("  ", "░░", "▒▒", "▓▓", "██")
ASCII = ("  ", "..", "++", "%%", "@@")


def input_quantization() -> Quantization:
    """How digits.tflite stores its input."""
    (graph,) = tflite.load(MODEL).graphs
    quantization = graph.tensors[graph.inputs[0]].quantization
    assert quantization is not None, "quantise.py gives every activation a quantisation"
    return quantization


def demo_inputs(count: int) -> tuple[list[bytes], list[int]]:
    """The first `count` held-out digits: the model's input bytes (64 each), and the labels.

    Raises ValueError if so many were not held out.
    """
    _, test = load()
    if not 0 < count <= len(test.labels):
        raise ValueError(f"count is {count}; 1 to {len(test.labels)} digits were held out")
    stored = as_input(test.images[:count], input_quantization())
    return [image.tobytes() for image in stored], [int(n) for n in test.labels[:count]]


def demo_images(count: int) -> Images:
    """The images of `demo_inputs`, (count, 8, 8, 1) with values 0 to 1."""
    _, test = load()
    return test.images[:count]


def shades_for(encoding: str | None) -> tuple[str, ...]:
    """Block characters where a stream of this encoding can carry them, else ASCII."""
    try:
        "".join(BLOCKS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS


def picture(image: Images, shades: Sequence[str] = BLOCKS) -> list[str]:
    """One image (8, 8, 1) as 8 lines of 16 characters, from blank to solid."""
    levels = (image.reshape(IMAGE_SIZE, IMAGE_SIZE) * (len(shades) - 1) + 0.5).astype(int)
    return ["".join(shades[level] for level in row) for row in levels]


def side_by_side(pictures: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """Several pictures of the same height in one row."""
    return [gap.join(lines).rstrip() for lines in zip(*pictures, strict=True)]


def answer(output: bytes) -> tuple[int, float]:
    """The digit that the model's output (10 int8 codes) names, and its probability.

    Probabilities have TFLite's softmax quantisation: (code + 128) / 256.
    """
    if len(output) != CLASSES:
        raise ValueError(f"the output has {len(output)} bytes; a digit's has {CLASSES}")
    codes = memoryview(output).cast("b").tolist()
    digit = max(range(CLASSES), key=codes.__getitem__)
    return digit, (codes[digit] + 128) / 256
