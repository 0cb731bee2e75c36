"""What does TensorFlow Lite Micro itself answer?

The interpreter runs in a child process: a model that crashes it must not
take us along, and it writes to the C library's stderr as it likes.
"""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mcucomp.check.inputs import numpy_dtype
from mcucomp.errors import ToolFailed, ToolMissing
from mcucomp.ir import Graph

PACKAGE = "tflite_micro"
TIMEOUT_S = 600
# As `reference_process` has it, which cannot be imported where TFLM is not installed.
REFUSED = 3
_LINES_SHOWN = 8


def require_installed() -> None:
    """Raise ToolMissing where the package `tflite-micro` is not installed."""
    if importlib.util.find_spec(PACKAGE) is None:
        raise ToolMissing(
            "the Python package tflite-micro is not installed; "
            "it is the reference that outputs are compared with",
            fix="pip install 'mcucomp[reference]'",
        )


def outputs(
    model: bytes, graph: Graph, inputs: Sequence[Sequence[bytes]], sequence: int | None = None
) -> list[list[bytes]]:
    """TFLM's outputs, as raw bytes, for each of `inputs`, which follow each other.

    After every `sequence` of them a new interpreter begins, without what the last one kept.
    """
    arrays = _run(model, graph, inputs, "outputs", sequence)
    return [
        [arrays[f"out{run}_{k}"].tobytes() for k in range(len(graph.outputs))]
        for run in range(len(inputs))
    ]


def tensors(model: bytes, graph: Graph, inputs: Sequence[Sequence[bytes]]) -> dict[int, bytes]:
    """Every tensor that an operator of the first graph writes, by index, after the last of
    `inputs`, which follow each other."""
    arrays = _run(model, graph, inputs, "tensors")
    return {
        int(name.removeprefix("tensor")): array.tobytes()
        for name, array in arrays.items()
        if name.startswith("tensor")
    }


def _run(
    model: bytes,
    graph: Graph,
    inputs: Sequence[Sequence[bytes]],
    what: str,
    sequence: int | None = None,
) -> Mapping[str, np.ndarray]:
    require_installed()
    with tempfile.TemporaryDirectory(prefix="mcucomp-reference-") as name:
        folder = Path(name)
        (folder / "model.tflite").write_bytes(model)
        written = sorted({t for op in graph.operators for t in op.outputs})
        given: dict[str, Any] = dict(
            runs=np.array(len(inputs)),
            sequence=np.array(sequence or len(inputs)),
            input_count=np.array(len(graph.inputs)),
            output_count=np.array(len(graph.outputs)),
            written=np.array(written, dtype=np.int64),
            **{
                f"in{run}_{k}": np.frombuffer(data, numpy_dtype(tensor.dtype)).reshape(tensor.shape)
                for run, row in enumerate(inputs)
                for k, data in enumerate(row)
                for tensor in (graph.tensors[graph.inputs[k]],)
            },
        )
        np.savez(folder / "inputs.npz", **given)
        command = [sys.executable, "-m", "mcucomp.check.reference_process", str(folder), what]
        try:
            result = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _failure(f"takes longer than {TIMEOUT_S} s to run the model", "") from None
        if result.returncode != 0:
            raise _failure(_verb(result.returncode), result.stderr)
        with np.load(folder / "outputs.npz") as archive:
            return dict(archive)


def _verb(status: int) -> str:
    """What became of TFLM, by the exit status of its process."""
    if status == REFUSED:
        return "refuses the model"
    if status < 0:
        return f"crashes on the model ({signal.strsignal(-status)})"
    return f"could not run the model (its process ended with status {status})"


def _failure(verb: str, said: str) -> ToolFailed:
    """Its own words, each line once, without the way through the Python that called it."""
    words, _, _ = said.partition("Traceback (most recent call last)")
    lines = dict.fromkeys(line.strip() for line in words.splitlines() if line.strip())
    return ToolFailed(
        f"TensorFlow Lite Micro {verb}",
        details=list(lines)[-_LINES_SHOWN:],
        fix="give the outputs that you expect with --input FILE and --expect FILE",
    )
