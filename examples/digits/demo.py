"""The demonstration: a network that reads handwriting, on an STM32 that is not there.

    python examples/digits/demo.py [--board stm32] [--emulator qemu] [--count 20]

Builds digits.tflite, runs the image in an emulator on digits that the network
was not trained on, and compares every output byte with TensorFlow Lite Micro's
and the measured arena peak with the predicted one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from data import CLASSES, IMAGE_SIZE, Images, as_input, load
from evaluate import MODEL

from mcucomp import build_directory, check, pipeline, tflite
from mcucomp.errors import McucompError
from mcucomp.ir import Quantization
from mcucomp.report.build_text import build_text
from mcucomp.report.run_text import check_text
from mcucomp.report.terminal import story

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


SHOWN = 5


def show(labels: Sequence[int], outputs: Sequence[bytes]) -> None:
    """Print the first digits as pictures, and under each what the board made of it."""
    shades = shades_for(sys.stdout.encoding)
    images = demo_images(min(SHOWN, len(labels)))
    print("\n".join(side_by_side([picture(image, shades) for image in images])))
    readings = [answer(output) for output in outputs[:SHOWN]]
    captions = [
        f"{digit} ({probability:.0%}){'' if digit == label else f', is {label}'}"
        for (digit, probability), label in zip(readings, labels, strict=False)
    ]
    print("  ".join(f"{caption:<{2 * IMAGE_SIZE}}" for caption in captions).rstrip())


@click.command()
@click.option("--board", default="stm32", show_default=True)
@click.option("--emulator", default="qemu", show_default=True)
@click.option("--count", default=20, show_default=True, help="How many digits to read.")
def main(board: str, emulator: str, count: int) -> None:
    """Build the digits model, run it on held-out digits, compare with TFLM and the plan."""
    inputs, labels = demo_inputs(count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "digits"
        built = pipeline.build(MODEL, board, folder, pipeline.Options())
        print(f"$ mcucomp build {MODEL.name} --board {board}")
        build_text(built)
        build = build_directory.load(folder)
        with story() as tell, check.session(build, emulator=emulator, story=tell) as session:
            verdict = check.compare(build, session, [[data] for data in inputs], tell)
    outputs = [run.outputs[0] for run in verdict.runs]
    print(f"\n$ mcucomp check digits-{board} --emulator {emulator}")
    check_text(build, verdict)
    print()
    show(labels, outputs)
    right = sum(answer(out)[0] == label for out, label in zip(outputs, labels, strict=True))
    print(f"\n{right} of {count} held-out digits read right on {board} ({emulator})")
    if not verdict.ok:
        sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except McucompError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
