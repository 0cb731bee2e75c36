"""Do two files give the same bytes in TensorFlow Lite Micro?

For many pairs of small models in one child process, since a plan that is wrong
may end it. Each pair gets the same drawn inputs, several times over, so that
state is compared too.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

RUNS = 3
_CHILD = """
import os, re, sys, tempfile
from pathlib import Path
import numpy as np
from tflite_micro import runtime

def load(path):
    with tempfile.TemporaryFile() as caught:
        kept = os.dup(2)
        os.dup2(caught.fileno(), 2)
        try:
            it = runtime.Interpreter.from_bytes(path.read_bytes(), arena_size=ARENA)
            it.print_allocations()
        finally:
            os.dup2(kept, 2)
        caught.seek(0)
        head = re.search(rb"Arena allocation head (\\d+)", caught.read())
    return it, int(head[1])

ARENA, RUNS, folder = 4 << 20, int(sys.argv[2]), Path(sys.argv[1])
for first in sorted(folder.glob("*.a")):
    try:
        a, head_a = load(first)
    except RuntimeError:
        print(first.stem, "refused", flush=True)
        continue
    print(first.stem, "begun", flush=True)
    b, head_b = load(first.with_suffix(".b"))
    count, outputs = map(int, first.with_suffix(".n").read_text().split())
    generator, wrong = np.random.default_rng(int(first.stem)), 0
    for _ in range(RUNS):
        for i in range(count):
            details = a.get_input_details(i)
            values = generator.normal(0, 60, tuple(details["shape"])).clip(-128, 127)
            values = values.astype(details["dtype"])
            a.set_input(values, i)
            b.set_input(values, i)
        a.invoke()
        b.invoke()
        for i in range(outputs):
            wrong += a.get_output(i).tobytes() != b.get_output(i).tobytes()
    print(first.stem, "done", head_a, head_b, wrong, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two files with so many inputs and outputs."""

    first: bytes
    second: bytes
    inputs: int
    outputs: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Heads that the interpreter took, and how many outputs differed."""

    head_bytes: tuple[int, int]
    wrong: int


def outcomes(pairs: Sequence[Pair]) -> dict[int, Outcome | None]:
    """What came of each pair, by its index; None where the second file ended the process.

    Pairs whose first file TFLM refuses are left out. Skips the calling test,
    visibly, where TFLM is not installed.
    """
    pytest.importorskip(
        "tflite_micro",
        reason="skipped: tflite-micro is not installed (pip install mcucomp[reference])",
        exc_type=ImportError,
    )
    found: dict[int, Outcome | None] = {}
    with tempfile.TemporaryDirectory(prefix="mcucomp-pairs-") as name:
        folder = Path(name)
        for index, pair in enumerate(pairs):
            (folder / f"{index:06}.a").write_bytes(pair.first)
            (folder / f"{index:06}.b").write_bytes(pair.second)
            (folder / f"{index:06}.n").write_text(f"{pair.inputs} {pair.outputs}")
        while any(folder.glob("*.a")):
            result = subprocess.run(
                [sys.executable, "-c", _CHILD, str(folder), str(RUNS)],
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            seen = re.findall(r"^(\d+) (\w+)(?: (\d+) (\d+) (\d+))?$", result.stdout, re.MULTILINE)
            assert seen, result.stderr[-2000:]
            for stem, what, *numbers in seen:
                if what == "begun":
                    found[int(stem)] = None
                elif what == "done":
                    before, after, wrong = map(int, numbers)
                    found[int(stem)] = Outcome((before, after), wrong)
                (folder / f"{stem}.a").unlink(missing_ok=True)
            if result.returncode == 0:
                break
    return found
