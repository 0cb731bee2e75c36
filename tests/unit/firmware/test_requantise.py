"""The forms of requantisation that mcuc_dsp.h states are exact, on 10^8 tuples."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support import tools

SOURCE = Path(__file__).with_name("requantise.c")
TUPLES = 100_000_000


def test_requantisation_in_one_multiplication_is_exact(tmp_path: Path) -> None:
    tools.require("gcc")
    program = tmp_path / "requantise"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, str(SOURCE), "-o", str(program)], check=True)
    run = subprocess.run([program, str(TUPLES)], capture_output=True, text=True, check=True)
    found = dict(line.split() for line in run.stdout.splitlines())
    assert int(found["compared"]) >= TUPLES
    assert (found["doubled"], found["clamped"], found["clamped_256"]) == ("0", "0", "0")
    # The comparison can fail: a linear layer without the sign is wrong at ties.
    assert int(found["without_sign"]) > 0
