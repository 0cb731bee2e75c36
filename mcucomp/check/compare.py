"""Comparing what a device answered with the outputs that are right, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import numpy_dtype
from mcucomp.check.judges import Judge, Tflm
from mcucomp.check.row_calls import first_wrong_call
from mcucomp.check.tolerance import allowed_ulps, differences
from mcucomp.device import Run, Session
from mcucomp.errors import ToolFailed

Story = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first byte that differs, and the first operator whose output does.

    `input` and `output` are positions; `element` counts elements of the
    output's type. Where the inference was repeated step by step (`was_traced`),
    `operator` is None if every operator on its own gave the right bytes.
    """

    input: int
    output: int
    element: int
    expected: float
    found: float
    operator: str | None = None
    was_traced: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. `runs` has the run of each input, in order, of which `sequence`
    at a time followed each other. A run may measure any of `possible_peaks_bytes`.

    `whose` are the outputs that are right: "TensorFlow Lite Micro's", say. `near_numbers` float32
    numbers are off, but by no more than `most_ulps` units in the last place, which their operators
    state of other C libraries; their bytes do not count as mismatching.
    """

    runs: tuple[Run, ...]
    sequence: int
    predicted_peak_bytes: int
    possible_peaks_bytes: frozenset[int]
    mismatching_bytes: int
    first_mismatch: Mismatch | None
    whose: str
    near_numbers: int = 0
    most_ulps: int = 0

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
            found.append(f"outputs differ from {self.whose}")
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
    judge: Judge | None = None,
) -> Verdict:
    """Run each of `inputs` on the device, and compare every output byte with what `judge` says.

    Each `sequence` of them follow each other; then the model begins anew. Without a judge,
    TensorFlow Lite Micro is it.
    """
    judge = judge or Tflm(build.model, build.graph)
    expected = judge.outputs(inputs, sequence)
    runs: list[Run] = []
    for start in range(0, len(inputs), sequence):
        story("run and compare", start, len(inputs))
        runs += session.infer_sequence(inputs[start : start + sequence])
    mismatching_bytes, first = 0, None
    allowed = allowed_ulps(build)
    near_ulps: list[int] = []
    for number, (run, wanted) in enumerate(zip(runs, expected, strict=True)):
        for output, (a, b) in enumerate(zip(wanted, run.outputs, strict=True)):
            difference, near = differences(a, b, allowed[output])
            near_ulps += near.tolist()
            mismatching_bytes += int(difference.sum())
            if first is None and difference.any():
                first = (number, output, int(difference.argmax()), a, b)
    mismatch = None
    if first is not None:
        rows = inputs[first[0] // sequence * sequence : first[0] + 1]
        mismatch = _mismatch(build, *first)
        wanted_tensors = _tensors_if_known(judge, rows)
        if wanted_tensors is not None:
            known = build.unchanged(wanted_tensors)
            operator = _first_operator(build, session, rows, known)
            mismatch = replace(mismatch, was_traced=True, operator=operator)
    return Verdict(
        tuple(runs),
        sequence,
        build.arena_peak_bytes,
        build.possible_peaks_bytes,
        mismatching_bytes,
        mismatch,
        judge.whose,
        len(near_ulps),
        max(near_ulps, default=0),
    )


def _tensors_if_known(judge: Judge, rows: Sequence[Sequence[bytes]]) -> Mapping[int, bytes] | None:
    """None where TFLM runs the model but cannot keep its tensors."""
    try:
        return judge.tensors(rows)
    except ToolFailed:
        return None


def _mismatch(
    build: BuildDirectory, number: int, output: int, byte: int, expected: bytes, found: bytes
) -> Mismatch:
    dtype = numpy_dtype(build.graph.tensors[build.graph.outputs[output]].dtype)
    element = byte // dtype.itemsize
    return Mismatch(
        input=number,
        output=output,
        element=element,
        expected=np.frombuffer(expected, dtype)[element].item(),
        found=np.frombuffer(found, dtype)[element].item(),
    )


def _first_operator(
    build: BuildDirectory,
    session: Session,
    rows: Sequence[Sequence[bytes]],
    wanted: Mapping[int, bytes],
) -> str | None:
    """The first operator, in the order that ran, whose output in the last of `rows` is wrong."""
    if build.report.get("written"):
        return first_wrong_call(build, session, rows[-1], wanted)
    traced = iter(session.infer_sequence(rows, trace=True)[-1].traced)
    for operator in build.report["operators"]:
        for tensor in operator["writes"]:
            found = next(traced)
            if found != wanted.get(tensor, found):
                return build.told(operator, tensor)
    return None
