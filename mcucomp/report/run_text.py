"""What a device did, told to a person."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from mcucomp.errors import short_name
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.build_directory import BuildDirectory
    from mcucomp.check import Mismatch, Trace, Verdict
    from mcucomp.device import Run

SHOWN_ELEMENTS = 12


def run_text(build: BuildDirectory, run: Run) -> None:
    """Print one run: what was measured, each step's count, each output."""
    _measured(build, run)
    _steps(build, run)
    for name, data, index in zip(build.output_names, run.outputs, build.graph.outputs, strict=True):
        tensor = build.graph.tensors[index]
        values = np.frombuffer(data, np.dtype(tensor.dtype.value)).tolist()
        shown = " ".join(f"{v:g}" for v in values[:SHOWN_ELEMENTS])
        more = f" ... ({len(values):,} in all)" if len(values) > SHOWN_ELEMENTS else ""
        stdout().print(
            f"output     {short_name(name)}: {len(data):,} B, CRC-32 {zlib.crc32(data):08x}: "
            f"{shown}{more}"
        )


def agreement(measured: Collection[int], possible: Collection[int], predicted_bytes: int) -> str:
    """What is said of measured peaks, of the possible ones, and of the greatest of these."""
    if not set(measured) <= set(possible):
        return f"PREDICTED WERE {predicted_bytes:,} B"
    if max(measured) == predicted_bytes:
        return "as predicted"
    return f"as predicted where some branches do not run ({predicted_bytes:,} B where they do)"


def count_unit(run: Run) -> str:
    """What the steps of a run were counted in; an emulator counts no cycles."""
    return "instructions" if run.instructions is not None else "cycles"


def _measured(build: BuildDirectory, run: Run) -> None:
    line = stdout().print
    verdict = agreement([run.arena_peak_bytes], build.possible_peaks_bytes, build.arena_peak_bytes)
    line(f"board      {run.board} ({run.transport})")
    line(f"arena      peak of {run.arena_peak_bytes:,} B measured, {verdict}")
    line(f"guards     {'whole' if run.guards_ok else 'OVERWRITTEN'}")
    if run.stack_bytes is not None:
        line(f"stack      {run.stack_bytes:,} B deep")
    if run.instructions is not None:
        line(f"executed   {run.instructions:,} instructions (counted; these are not cycles)")
    if run.cycles is not None:
        line(f"took       {run.cycles:,} cycles")


def _steps(build: BuildDirectory, run: Run) -> None:
    if run.steps is None:
        return
    unit = count_unit(run)
    counts = [getattr(step, unit) or 0 for step in run.steps]
    total = sum(counts)
    rows = table(
        "step", "operator", unit, "share", "per MAC", right=("step", unit, "share", "per MAC")
    )
    for operator, count in zip(build.report["operators"], counts, strict=True):
        rows.add_row(
            str(operator["step"]),
            operator["kind"],
            f"{count:,}",
            f"{100 * count / total:.1f} %" if total else "",
            f"{count / operator['macs']:.2f}" if operator["macs"] else "",
        )
    stdout().print(rows)


def _sequences(verdict: Verdict) -> str:
    """How inputs followed each other, where they did."""
    if verdict.sequence == 1:
        return ""
    return f" ({min(verdict.sequence, verdict.inputs)} at a time in sequence)"


def check_text(build: BuildDirectory, verdict: Verdict, trace: Trace | None = None) -> None:
    """Print a verdict: outputs, peak, on a mismatch where it begins, and what a trace found."""
    line = stdout().print
    first = verdict.runs[0]
    line(f"board      {first.board} ({first.transport})")
    compared = sum(len(data) for run in verdict.runs for data in run.outputs)
    if verdict.mismatching_bytes == 0:
        line(
            f"outputs    {verdict.inputs} inputs{_sequences(verdict)}, {compared:,} output bytes: "
            f"{'all' if not verdict.near_numbers else 'all but below'} equal to {verdict.whose}"
        )
        if verdict.near_numbers:
            line(
                f"floats     {verdict.near_numbers:,} off by at most {verdict.most_ulps} in the "
                "last place, as another C library's functions may be"
            )
    else:
        line(f"outputs    {verdict.mismatching_bytes:,} of {compared:,} output bytes DIFFER")
    peaks = sorted({run.arena_peak_bytes for run in verdict.runs})
    measured = ", ".join(f"{p:,}" for p in peaks)
    agree = agreement(peaks, verdict.possible_peaks_bytes, verdict.predicted_peak_bytes)
    line(f"arena      peak of {measured} B measured, {agree}")
    line(f"guards     {'whole' if verdict.guards_ok else 'OVERWRITTEN'}")
    mismatch = verdict.first_mismatch
    if mismatch is not None:
        name = short_name(build.output_names[mismatch.output])
        line(
            f"first      input {mismatch.input}, output {name}, element {mismatch.element}: "
            f"expected {mismatch.expected:g}, found {mismatch.found:g}"
        )
        beginning = _beginning(mismatch)
        if beginning is not None:
            line(f"begins     {beginning}")
    if trace is not None and trace.violation is None:
        line(f"trace      {trace.steps} steps, each touched the bytes that it declares alone")
    elif trace is not None:
        line(f"trace      NOT AS DECLARED at step {trace.steps - 1}")


def _beginning(mismatch: Mismatch) -> str | None:
    """Where the first wrong byte is from, as far as that is known."""
    if mismatch.operator is not None:
        return f"at {mismatch.operator}"
    if mismatch.was_traced:
        return "nowhere: run step by step, every operator gave TFLM's bytes"
    return None
