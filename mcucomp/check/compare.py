"""Comparing what a device answered with the outputs that are right, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import numpy_dtype
from mcucomp.check.judges import Judge, Tflm
from mcucomp.device import Run, Session
from mcucomp.errors import ToolFailed, printable

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
    """What a check found. `runs` has the run of each input, in order.

    `whose` are the outputs that are right: "TensorFlow Lite Micro's", say.
    """

    runs: tuple[Run, ...]
    predicted_peak_bytes: int
    mismatching_bytes: int
    first_mismatch: Mismatch | None
    whose: str

    @property
    def inputs(self) -> int:
        return len(self.runs)

    @property
    def peak_ok(self) -> bool:
        """Every run measured the predicted peak, to the byte."""
        return all(run.arena_peak_bytes == self.predicted_peak_bytes for run in self.runs)

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
    judge: Judge | None = None,
) -> Verdict:
    """Run each of `inputs` on the device, and compare every output byte with what `judge` says.

    Without one, TensorFlow Lite Micro judges.
    """
    judge = judge or Tflm(build.model, build.graph)
    expected = judge.outputs(inputs)
    runs, mismatching_bytes, first = [], 0, None
    for number, (row, wanted) in enumerate(zip(inputs, expected, strict=True)):
        story("run and compare", number, len(inputs))
        run = session.infer(row)
        runs.append(run)
        for output, (a, b) in enumerate(zip(wanted, run.outputs, strict=True)):
            difference = np.frombuffer(a, np.uint8) != np.frombuffer(b, np.uint8)
            mismatching_bytes += int(difference.sum())
            if first is None and difference.any():
                first = (number, output, int(difference.argmax()), a, b)
    mismatch = None
    if first is not None:
        mismatch = _mismatch(build, *first)
        wanted_tensors = _tensors_if_known(judge, inputs[first[0]])
        if wanted_tensors is not None:
            operator = _first_operator(build, session, inputs[first[0]], wanted_tensors)
            mismatch = replace(mismatch, was_traced=True, operator=operator)
    return Verdict(tuple(runs), build.arena_peak_bytes, mismatching_bytes, mismatch, judge.whose)


def _tensors_if_known(judge: Judge, row: Sequence[bytes]) -> Mapping[int, bytes] | None:
    """None where TFLM runs the model but cannot keep its tensors."""
    try:
        return judge.tensors(row)
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
    build: BuildDirectory, session: Session, row: Sequence[bytes], wanted: Mapping[int, bytes]
) -> str | None:
    """The first operator, in the order that ran, whose output is not the right one."""
    traced = iter(session.infer(row, trace=True).traced)
    for operator in build.report["operators"]:
        for tensor in operator["writes"]:
            if next(traced) != wanted[tensor]:
                name = printable(build.graph.tensors[tensor].name)
                return f"operator {operator['operator']} {operator['kind']} ({name})"
    return None
