"""The child process in which TensorFlow Lite Micro's arena is tried.

    python -m mcucomp.check.interpreter_process MODEL INPUTS

INPUTS is how many inputs the model has. Answers each line of stdin, a size of the
arena in bytes and whether to run, with one of stdout: `ok HEAD TAIL` or `no`.
The interpreter itself writes its figures to the C library's stderr, which is
caught in a file, and let through where the answer is no.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from tflite_micro import runtime

_FIGURE = re.compile(rb"Arena allocation (head|tail) (\d+) bytes")
_STDERR = 2


def answer(model: bytes, inputs: int, arena_bytes: int, run: bool) -> str:
    """Load the model into an arena of this size, and perhaps run it once."""
    with tempfile.TemporaryFile() as caught:
        kept = os.dup(_STDERR)
        os.dup2(caught.fileno(), _STDERR)
        works = True
        try:
            interpreter = runtime.Interpreter.from_bytes(model, arena_size=arena_bytes)
            interpreter.print_allocations()
            if run:
                for position in range(inputs):
                    interpreter.set_input(_pattern(interpreter, position), position)
                interpreter.invoke()
        except RuntimeError:
            works = False
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
        caught.seek(0)
        said = caught.read()
    if not works:
        print(said.decode("utf-8", "replace"), file=sys.stderr, flush=True)
        return "no"
    figures = dict(_FIGURE.findall(said))
    return f"ok {int(figures[b'head'])} {int(figures[b'tail'])}"


def _pattern(interpreter: runtime.Interpreter, position: int) -> np.ndarray:
    """An input with which a loop that waits for a change does not wait for ever."""
    details = interpreter.get_input_details(position)
    values = (37 * np.arange(int(np.prod(details["shape"]))) + 11) & 0x7F
    return values.astype(details["dtype"]).reshape(details["shape"])


def main() -> None:
    """Answer until stdin ends."""
    model, inputs = Path(sys.argv[1]).read_bytes(), int(sys.argv[2])
    for line in sys.stdin:
        size, _, run = line.partition(" ")
        print(answer(model, inputs, int(size), run.strip() == "run"), flush=True)


if __name__ == "__main__":
    main()
