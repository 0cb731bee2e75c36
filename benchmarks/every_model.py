"""Every int8 model at hand, with chosen and with portable kernels: is one slower for the choice?

    python benchmarks/every_model.py [--cpu CPU]... [--json FILE] [--docs]
                                     [--rows FILE]... [MODEL.tflite ...]

Without models: all of MCUCOMP_MODELS (default: the folder ../shared/models
beside the checkout) whose names say int8. For each CPU a table of instructions
and instructions per MAC of the first inference, counted on an emulated MPS2
board; a Cortex-M0+ has portable kernels alone, and its code runs on the
emulated Cortex-M3. What cannot be built, or does not fit, is named with the
reason. With --rows nothing is measured: the rows are those that --json wrote,
of one file or several. With --docs the tables of docs/kernels.md are written
anew. Ends with status 1 where a model is slower than its portable build.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent))

from instructions import measure
from measurements import DOCS, Place, kept_rows, models_folder, rows_option

from mcucomp import boards, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.errors import InvalidInput, McucompError
from mcucomp.paths import boards_folder
from mcucomp.rules import Rules

PLACE = Place(
    DOCS / "kernels.md", "<!-- benchmarks/every_model.py writes from here -->", "<!-- to here -->"
)
# The largest take minutes where the machine is slow.
TIMEOUT_S = 900.0
# Counts are rounded from ticks of a timer: the same code may be counted as one more.
ROUNDING_INSTRUCTIONS = 1
PORTABLE, CHOSEN = KernelSet.PORTABLE, KernelSet.AUTO


@dataclass(frozen=True, slots=True)
class Target:
    """A CPU, the board that it is emulated on, and the kernels that are compared there."""

    title: str
    board: str
    kernels: tuple[KernelSet, ...]


TARGETS = {
    "cortex-m4": Target("Cortex-M4", "mps2-an386", (PORTABLE, CHOSEN)),
    "cortex-m7": Target("Cortex-M7", "mps2-an500", (PORTABLE, CHOSEN)),
    "cortex-m0plus": Target("Cortex-M0+ (on the emulated Cortex-M3)", "mps2-an385", (PORTABLE,)),
}
# Of the Cortex-M3's board file, for the code of a Cortex-M0+ on it.
M0PLUS = {
    'cpu = "cortex-m3"': 'cpu = "cortex-m0plus"',
    '"-mcpu=cortex-m3"': '"-mcpu=cortex-m0plus"',
}
# Time an instruction takes in the emulator: less than usual, so that the board's counter of 32
# bits wraps later; still more than a tick, so that counts are exact.
SLOWER = {"icount_shift = 8": "icount_shift = 6"}
COUNTER_TICKS = 1 << 32
# No model of these needs more for a MAC.
INSTRUCTIONS_A_MAC = 25


def board_of(cpu: str, folder: Path) -> str:
    """The path of a file for the CPU's board, made in `folder` from the one that mcucomp has."""
    board = TARGETS[cpu].board
    text = (boards_folder() / f"{board}.toml").read_text("utf-8")
    for old, new in (SLOWER | (M0PLUS if cpu == "cortex-m0plus" else {})).items():
        assert text.count(old) == 1, f"{board}.toml no longer says {old}"
        text = text.replace(old, new)
    path = folder / f"{board}-{cpu}.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def require_countable(model: Path, board: str) -> None:
    """The counter must not wrap, for then a count would be wrong and look right.

    Raises:
        InvalidInput: the model may execute more than it holds.
    """
    planned = pipeline.plan_model(model.read_bytes(), model.name, rules=Rules())
    most = boards.find(board).emulators["qemu"].instructions(COUNTER_TICKS)
    macs = sum(call.macs for call in planned.main.calls)
    if macs * INSTRUCTIONS_A_MAC > most:
        raise InvalidInput(
            f"{macs:,} MACs may be more than the {most:,} instructions that the board counts",
            at=model.name,
            fix="measure it by operators, with mcucomp profile",
        )


def measured(models: tuple[Path, ...], cpu: str, folder: Path) -> list[dict[str, Any]]:
    """A row a model: instructions by set of kernels, or why there are none."""
    board, rows = board_of(cpu, folder), []
    assert boards.find(board).cpu == cpu
    for model in models:
        click.echo(f"{cpu}: {model.stem}", err=True)
        row: dict[str, Any] = {"cpu": cpu, "model": model.stem, "instructions": {}}
        try:
            require_countable(model, board)
            for kernels in TARGETS[cpu].kernels:
                work = folder / f"{model.stem}-{kernels}"
                found = measure(model, board, work, Wanted(kernels), TIMEOUT_S)
                row["instructions"][kernels.value] = found["instructions"]
                row["macs"] = found["macs"]
        except McucompError as error:
            row["reason"] = str(error).splitlines()[0].partition(": ")[2]
        rows.append(row)
    return rows


def is_slower(row: dict[str, Any]) -> bool:
    """Whether what was chosen executes more than portable kernels do, by more than is rounded."""
    counts = row["instructions"]
    return len(counts) > 1 and counts[CHOSEN.value] > counts[PORTABLE.value] + ROUNDING_INSTRUCTIONS


def table(rows: list[dict[str, Any]], kernels: tuple[KernelSet, ...]) -> str:
    """The rows of one CPU as Markdown."""
    names = {PORTABLE: "portable", CHOSEN: "chosen"}
    heads = ["model", "MACs", *(f"{names[k]} | per MAC" for k in kernels)]
    heads += ["ratio"] if len(kernels) > 1 else []
    titles = " | ".join(heads)
    lines = [f"| {titles} |", "|---" + "|--:" * titles.count(" | ") + "|"]
    for row in rows:
        if "reason" in row:
            continue
        cells = [row["model"], f"{row['macs']:,}"]
        for count in row["instructions"].values():
            cells += [f"{count:,}", f"{count / row['macs']:.2f}" if row["macs"] else ""]
        if len(kernels) > 1:
            cells.append(f"{count / row['instructions'][PORTABLE.value]:.3f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def text(rows: list[dict[str, Any]]) -> str:
    """All tables, and what is in none of them."""
    parts = []
    for cpu, target in TARGETS.items():
        of_cpu = [row for row in rows if row["cpu"] == cpu]
        if of_cpu:
            parts += [f"{target.title}:", table(of_cpu, target.kernels)]
    reasons = {row["model"]: row["reason"] for row in rows if "reason" in row}
    if reasons:
        parts.append("Not measured:")
        parts.append("\n".join(f"- {model}: {reason}" for model, reason in reasons.items()))
    return "\n\n".join(parts)


@click.command()
@click.argument("named", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--cpu", "only", multiple=True, type=click.Choice(list(TARGETS)))
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
@rows_option
@click.option("--docs", is_flag=True, help="Write the tables to docs/kernels.md.")
def main(
    named: tuple[Path, ...],
    only: tuple[str, ...],
    json_file: Path | None,
    row_files: tuple[Path, ...],
    docs: bool,
) -> None:
    """Measure every model on every CPU."""
    rows = kept_rows(row_files)
    if not row_files:
        models = named or tuple(sorted(models_folder().glob("*-int8.tflite")))
        if not models:
            message = "no models: name some, or set MCUCOMP_MODELS to their folder"
            raise click.ClickException(message)
        with tempfile.TemporaryDirectory() as folder:
            for cpu in only or TARGETS:
                rows += measured(models, cpu, Path(folder))
    rows.sort(key=lambda row: (list(TARGETS).index(row["cpu"]), row["model"]))
    click.echo(text(rows))
    if json_file is not None:
        json_file.write_text(json.dumps({"schema": 1, "rows": rows}, indent=2) + "\n")
    if docs:
        PLACE.put(f"\n{text(rows)}\n")
    slower = [f"{row['model']} on {row['cpu']}" for row in rows if is_slower(row)]
    if slower:
        raise click.ClickException(f"slower than portable kernels: {', '.join(slower)}")


if __name__ == "__main__":
    main()
