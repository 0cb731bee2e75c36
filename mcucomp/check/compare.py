"""Comparing what a device answered with TensorFlow Lite Micro, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mcucomp.build_directory import BuildDirectory
from mcucomp.check import reference
from mcucomp.check.inputs import numpy_dtype
from mcucomp.device import Run, Session
from mcucomp.errors import printable

Story = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first byte that differs, and the first operator whose output does.

    `input` and `output` are positions; `element` counts elements of the
    output's type. `operator` is None where every operator on its own gave the
    reference's bytes when the inference was repeated step by step.
    """

    input: int
    output: int
    element: int
    expected: float
    found: float
    operator: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. `runs` has the run of each input, in order, of which `sequence`
    at a time followed each other. A run may measure any of `possible_peaks_bytes`.
    """

    runs: tuple[Run, ...]
    sequence: int
    predicted_peak_bytes: int
    possible_peaks_bytes: frozenset[int]
    mismatching_bytes: int
    first_mismatch: Mismatch | None

    @property
    def inputs(self) -> int:
        return len(self.runs)

    @property
    def peak_ok(self) -> bool:
        """Every run measured a predicted peak, to the byte."""
        return all(run.arena_peak_bytes in self.possible_peaks_bytes for run in self.runs)

    @property
    def guards_ok(self) -> bool:
        return all(run.guards_ok for run in self.runs)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, in words; empty where all is well."""
        found = []
        if self.mismatching_bytes:
            found.append("outputs differ from TensorFlow Lite Micro's")
        if not self.peak_ok:
            found.append("the measured arena peak is not the predicted one")
        if not self.guards_ok:
            found.append("a guard byte beside the arena was overwritten")
        return tuple(found)

    @property
    def ok(self) -> bool:
        return not self.problems


def compare(
    build: BuildDirectory,
    session: Session,
    inputs: Sequence[Sequence[bytes]],
    story: Story,
    sequence: int = 1,
) -> Verdict:
    """Run each of `inputs` on the device and in TFLM, and compare every output byte.

    Each `sequence` of them follow each other; then the model begins anew.
    """
    expected = reference.outputs(build.model, build.graph, inputs, sequence)
    runs: list[Run] = []
    for start in range(0, len(inputs), sequence):
        story("run and compare", start, len(inputs))
        runs += session.infer_sequence(inputs[start : start + sequence])
    mismatching_bytes, first = 0, None
    for number, (run, wanted) in enumerate(zip(runs, expected, strict=True)):
        for output, (a, b) in enumerate(zip(wanted, run.outputs, strict=True)):
            difference = np.frombuffer(a, np.uint8) != np.frombuffer(b, np.uint8)
            mismatching_bytes += int(difference.sum())
            if first is None and difference.any():
                first = (number, output, int(difference.argmax()), a, b)
    mismatch = None
    if first is not None:
        start = first[0] // sequence * sequence
        mismatch = _explain(build, session, inputs[start : first[0] + 1], *first)
    return Verdict(
        tuple(runs),
        sequence,
        build.arena_peak_bytes,
        build.possible_peaks_bytes,
        mismatching_bytes,
        mismatch,
    )


def _explain(
    build: BuildDirectory,
    session: Session,
    rows: Sequence[Sequence[bytes]],
    number: int,
    output: int,
    byte: int,
    expected: bytes,
    found: bytes,
) -> Mismatch:
    dtype = numpy_dtype(build.graph.tensors[build.graph.outputs[output]].dtype)
    element = byte // dtype.itemsize
    return Mismatch(
        input=number,
        output=output,
        element=element,
        expected=np.frombuffer(expected, dtype)[element].item(),
        found=np.frombuffer(found, dtype)[element].item(),
        operator=_first_operator(build, session, rows),
    )


def _first_operator(
    build: BuildDirectory, session: Session, rows: Sequence[Sequence[bytes]]
) -> str | None:
    """The first operator, in the order that ran, whose output in the last of `rows` is wrong."""
    wanted = reference.tensors(build.model, build.graph, rows)
    traced = iter(session.infer_sequence(rows, trace=True)[-1].traced)
    for operator in build.report["operators"]:
        for tensor in operator["writes"]:
            if next(traced) != wanted[tensor]:
                name = printable(build.graph.tensors[tensor].name)
                return f"operator {operator['operator']} {operator['kind']} ({name})"
    return None
