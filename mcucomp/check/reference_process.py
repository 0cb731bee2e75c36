"""The child process that runs TensorFlow Lite Micro.

    python -m mcucomp.check.reference_process FOLDER outputs|tensors

Reads FOLDER/model.tflite and FOLDER/inputs.npz, writes FOLDER/outputs.npz. Where the
interpreter refuses the model its words are on stderr, and the exit status is `REFUSED`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from tflite_micro import runtime

ARENA_BYTES = 64 << 20
REFUSED = 3


def _interpreter(model: bytes, preserve: bool) -> runtime.Interpreter:
    configuration = (
        runtime.InterpreterConfig.kPreserveAllTensors
        if preserve
        else runtime.InterpreterConfig.kAllocationRecording
    )
    return runtime.Interpreter.from_bytes(
        model,
        arena_size=ARENA_BYTES,
        intrepreter_config=configuration,  # the package spells it so
    )


def run(folder: Path, what: str) -> None:
    """One interpreter for the runs of a sequence; inputs are written before each, TFLM reuses
    their bytes."""
    given = np.load(folder / "inputs.npz")
    model = (folder / "model.tflite").read_bytes()
    results: dict[str, np.ndarray] = {}
    for step in range(int(given["runs"])):
        if step % int(given["sequence"]) == 0:
            interpreter = _interpreter(model, what == "tensors")
        for k in range(int(given["input_count"])):
            interpreter.set_input(given[f"in{step}_{k}"], k)
        interpreter.invoke()
        for k in range(int(given["output_count"])):
            results[f"out{step}_{k}"] = np.array(interpreter.get_output(k))
    if what == "tensors":
        for index in given["written"].tolist():
            results[f"tensor{index}"] = np.array(interpreter.GetTensor(index, 0)["tensor_data"])
    np.savez(folder / "outputs.npz", **results)  # type: ignore[arg-type]


def main() -> None:
    """The interpreter says no by a RuntimeError; anything else is no answer of its."""
    try:
        run(Path(sys.argv[1]), sys.argv[2])
    except RuntimeError as error:
        print(error, file=sys.stderr)
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
