"""Is a rewritten file the same model, and does it need less?

In: the bytes of both files, and the head predicted for each. Out: a
`Comparison` of what TensorFlow Lite Micro's own interpreter did with them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcucomp.check import interpreter, reference
from mcucomp.check.inputs import drawn
from mcucomp.check.interpreter import Measured
from mcucomp.errors import CheckFailed
from mcucomp.ir import Model

Story = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the interpreter took for both files; every output byte was the same."""

    before: Measured
    after: Measured
    inputs: int
    output_bytes: int


def compare_files(
    model: Model,
    files: tuple[bytes, bytes],
    predicted_heads: tuple[int, int],
    count: int,
    seed: int,
    story: Story,
) -> Comparison:
    """Run both files on `count` inputs drawn with `seed`, one interpreter each, and measure them.

    `model` is the first of both. Models with state keep it between the
    inferences.

    Raises:
        CheckFailed: outputs differ, or a head is not the predicted one.
        ToolFailed: the interpreter cannot run the first file.
    """
    graph = model.graphs[0]
    inputs = drawn(graph, count, seed)
    story("measure the file as it is")
    before = interpreter.measure(files[0], len(graph.inputs), model.source)
    expected = reference.outputs(files[0], graph, inputs)
    story("measure the rewritten file")
    after = interpreter.measure(files[1], len(graph.inputs), model.source)
    found = reference.outputs(files[1], graph, inputs)
    for what, measured, predicted in (
        ("the file as it is", before, predicted_heads[0]),
        ("the rewritten file", after, predicted_heads[1]),
    ):
        if measured.head_bytes != predicted:
            raise CheckFailed(
                f"TensorFlow Lite Micro takes {measured.head_bytes:,} B of head for {what};"
                f" {predicted:,} B were predicted",
                fix="this is a bug of ours, or another version of TFLM; please report it",
            )
    differing = sum(a != b for a, b in zip(expected, found, strict=True))
    if differing:
        raise CheckFailed(
            f"the rewritten file gives other outputs for {differing} of {count} inputs",
            fix="this is a bug of ours; please report it with the model",
        )
    return Comparison(before, after, count, sum(len(b) for row in expected for b in row))
