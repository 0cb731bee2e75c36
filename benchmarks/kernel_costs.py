"""Measures what kernels take, and writes it where choices are made from.

    python benchmarks/kernel_costs.py [--seed N] [--code-only]

Calls of the size of real layers run on an emulated Cortex-M4, portable kernel
and rival one after the other; to the executed instructions of each kernel a
sum of its features is fitted, none of them negative, with relative errors
least. Code is measured by linking each kernel alone; functions that an image
has once, however many kernels call them, are told apart. The table and how far
off it is go to mcucomp/backends/costs.toml. With --code-only instructions stay
as they were measured before.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from elftools.elf.elffile import ELFFile
from scipy.optimize import nnls

from mcucomp import backends, boards
from mcucomp.backends import costs, dsp
from mcucomp.backends.base import Refused
from mcucomp.build.toolchain import LANGUAGE_FLAGS, MODEL_OPTIMISATION, SIZE_OPTIMISATION
from mcucomp.ops import KernelCall
from mcucomp.paths import firmware_folder
from tests.oracle.cases import Draw
from tests.support import drawn_calls
from tests.support.device_runner import Pair, instructions

CASES = 60
PAIRS_AN_IMAGE = 30
BOARD = "mps2-an386"

DRAWN: list[Callable[..., tuple[KernelCall, int, int]]] = [
    drawn_calls.convolution,
    drawn_calls.convolution_3x3,
    drawn_calls.pointwise,
    drawn_calls.depthwise_3x3,
    drawn_calls.depthwise_row,
    drawn_calls.depthwise,
    drawn_calls.fully_connected,
    drawn_calls.add,
    drawn_calls.average_pool,
    drawn_calls.max_pool,
]


def drawn_pairs(seed: int) -> list[Pair]:
    pairs = []
    for draws in DRAWN:
        for case in range(CASES):
            call, input_bytes, output_bytes = draws(Draw(seed + case), drawn_calls.REAL)
            for rule in dsp.BACKEND.rules[call.kernel]:
                try:
                    tested = rule(call)
                except Refused:
                    continue
                pairs.append(Pair(call, tested, (input_bytes,) * len(call.reads), output_bytes))
    return pairs


def row_pairs(seed: int) -> list[Pair]:
    """The same calls row by row, with portable kernels and with rivals."""
    pairs = []
    for draws in DRAWN:
        for case in range(CASES):
            call, input_bytes, output_bytes = draws(Draw(seed + case), drawn_calls.REAL)
            pairs += [
                Pair(call, tested, (input_bytes,) * len(call.reads), output_bytes, form=form)
                for tested, form in drawn_calls.in_rows(call, input_bytes, output_bytes)
            ]
    return pairs


@dataclass(frozen=True, slots=True)
class Measured:
    """What so many runs of one call executed."""

    call: KernelCall
    runs: int
    instructions: int


def measured(pairs: list[Pair]) -> dict[str, list[Measured]]:
    """For each kernel what its calls executed; rows of a call are so many runs of a step."""
    rows: dict[str, list[Measured]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(pairs), PAIRS_AN_IMAGE):
            image = pairs[start : start + PAIRS_AN_IMAGE]
            for pair, counts in zip(image, instructions(image, Path(folder)), strict=True):
                portable, tested = counts
                if pair.form is None:
                    found = [Measured(pair.portable, 1, portable), Measured(pair.tested, 1, tested)]
                else:
                    step = costs.step_call(pair.form)
                    found = [Measured(step, costs.steps(pair.form), tested)]
                for each in found:
                    rows.setdefault(each.call.kernel, []).append(each)
    return rows


def fitted(rows: list[Measured]) -> tuple[dict[str, float], float]:
    """Instructions of each feature, and the largest relative error."""
    names = list(costs.features(rows[0].call))
    counts = np.array([row.instructions for row in rows], float)
    matrix = np.array(
        [[row.runs * costs.features(row.call)[name] for name in names] for row in rows], float
    )
    found, _ = nnls(matrix / counts[:, None], np.ones(len(rows)))
    error = float(np.abs(matrix @ found / counts - 1).max())
    return dict(zip(names, found.tolist(), strict=True)), error


def code(kernel: str, optimisation: tuple[str, ...]) -> tuple[int, dict[str, int]]:
    """Bytes of the kernel's code and constants, as builds compile it; those of what it shares."""
    board, firmware = boards.find(BOARD), firmware_folder()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "kernel.elf"
        command = [f"{board.toolchain}gcc", *board.architecture_flags, *LANGUAGE_FLAGS]
        command += [*optimisation, f"-I{firmware / 'include'}", "-nostdlib", "-Wl,--gc-sections"]
        command += [f"-Wl,-e,{kernel}", "-Wl,--unresolved-symbols=ignore-all"]
        source = firmware / backends.source(kernel)
        subprocess.run([*command, str(source), "-o", str(target)], check=True)
        with target.open("rb") as stream:
            elf = ELFFile(stream)
            code_bytes = sum(
                section["sh_size"]
                for section in elf.iter_sections()
                if section.name.startswith((".text", ".rodata"))
            )
            symbols = elf.get_section_by_name(".symtab").iter_symbols()
            shared = {
                symbol.name: symbol["st_size"]
                for symbol in symbols
                if symbol["st_info"]["bind"] == "STB_WEAK" and symbol["st_size"] > 0
            }
    return code_bytes, dict(sorted(shared.items()))


def fits(seed: int) -> dict[str, dict[str, Any]]:
    """For each kernel what was found of its instructions, as the table has it."""
    rows, entries = measured(drawn_pairs(seed) + row_pairs(seed)), {}
    for kernel in costs.MEASURED_KERNELS:
        found, error = fitted(rows[kernel])
        entries[kernel] = {
            "measured_calls": len(rows[kernel]),
            "largest_error": error,
            "instructions": found,
        }
    return entries


def inline(values: Mapping[str, float]) -> str:
    return f"{{ {', '.join(f'{name} = {value:.4g}' for name, value in values.items())} }}"


def table(entries: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "# Written by benchmarks/kernel_costs.py; do not edit. For each kernel bytes of code, for",
        "# speed and for size, with those of functions that it shares with other kernels, and",
        "# instructions of an emulated Cortex-M4 for each feature of a call, as",
        "# mcucomp/backends/costs.py counts them.",
    ]
    for kernel in costs.MEASURED_KERNELS:
        lines += ["", f"[{kernel}]"]
        for prefix, optimisation in (("", MODEL_OPTIMISATION), ("small_", SIZE_OPTIMISATION)):
            code_bytes, shared = code(kernel, optimisation)
            lines.append(f"{prefix}code_bytes = {code_bytes}")
            if shared:
                lines.append(f"{prefix}code_shared = {inline(shared)}")
        entry = entries[kernel]
        lines.append(f"measured_calls = {entry['measured_calls']}")
        lines.append(f"largest_error = {entry['largest_error']:.3f}")
        lines.append(f"instructions = {inline(entry['instructions'])}")
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--code-only", is_flag=True, help="Measure code alone, which takes seconds.")
def main(seed: int, code_only: bool) -> None:
    """Measure all kernels and write the table."""
    entries = costs.table() if code_only else fits(seed)
    costs.TABLE.write_text(table(entries), encoding="utf-8")
    click.echo(costs.TABLE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
