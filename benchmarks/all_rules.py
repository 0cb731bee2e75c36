"""Are all models right with all rules, here and on an emulated board, and what do overlaps cost?

    python benchmarks/all_rules.py [--tiny] [--kernels SET] [--inputs N] [--docs] [--json FILE]
                                   [MODEL.tflite ...]

Without models: all in MCUCOMP_MODELS (default: the folder ../shared/models beside the
checkout), with --tiny those that its manifest calls tiny. Each is built with all rules for
this computer and for the first board of BOARDS that holds it in QEMU; every output byte of N
drawn inputs is compared with TensorFlow Lite Micro's, every measured arena peak with the
predicted one. Instructions are executed ones of one inference, exact, against the same build
without overlaps. Exit status 1 where anything differs, or takes 1 % more than without.
--docs puts the table into docs/overlap.md.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mcucomp import build_directory, check, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import drawn, pattern
from mcucomp.errors import DoesNotFit, McucompError
from mcucomp.report.terminal import stdout, table
from mcucomp.rules import ALL

HERE = Path(__file__).resolve().parent
BOARDS = ("stm32", "mps2-an386", "mps3-an547")
PAGE = HERE.parent / "docs" / "overlap.md"
BEGIN, END = "<!-- table: benchmarks/all_rules.py --tiny --docs -->", "<!-- end of instructions -->"
MOST_MORE_INSTRUCTIONS = 0.01
SEED = 1
NUMBERS = ("arena", "bytes compared", "without overlap", "with", "change")


def models_folder() -> Path:
    named = os.environ.get("MCUCOMP_MODELS")
    return Path(named) if named else HERE.parents[1] / "shared" / "models"


def listed(tiny: bool) -> list[Path]:
    """The models at hand, or the tiny ones of them as the manifest lists them."""
    if not tiny:
        return sorted(models_folder().glob("*.tflite"))
    manifest = json.loads((models_folder() / "manifest.json").read_text("utf-8"))
    return [models_folder() / entry["file"] for entry in manifest["models"] if entry["tiny16"]]


def compared(build: BuildDirectory, emulator: str | None, inputs: int) -> dict[str, Any]:
    """What a check of the build finds."""
    with check.session(build, emulator=emulator) as session:
        verdict = check.compare(
            build, session, drawn(build.graph, inputs, SEED), lambda what, done, total: None
        )
    return {
        "bytes": sum(len(data) for run in verdict.runs for data in run.outputs),
        "problems": list(verdict.problems),
    }


def instructions(build: BuildDirectory) -> int | None:
    with check.session(build, emulator="qemu") as session:
        return session.infer(pattern(build.graph)).instructions


def built(
    model: Path, board: str, folder: Path, kernels: KernelSet, *, overlap: bool
) -> BuildDirectory:
    place = folder / f"{board}-{overlap}"
    options = pipeline.Options(rules=replace(ALL, overlap=overlap), kernels=Wanted(kernels))
    pipeline.build(model, board, place, options)
    return build_directory.load(place)


def without_overlap(model: Path, folder: Path, kernels: KernelSet) -> tuple[str, BuildDirectory]:
    """The first board that holds the model even without overlaps, and this build for it."""
    for board in BOARDS[:-1]:
        with contextlib.suppress(DoesNotFit):
            return board, built(model, board, folder, kernels, overlap=False)
    return BOARDS[-1], built(model, BOARDS[-1], folder, kernels, overlap=False)


def measure(model: Path, folder: Path, kernels: KernelSet, inputs: int) -> dict[str, Any]:
    """One row; McucompError where the model cannot be built or run."""
    host = compared(built(model, "host", folder, kernels, overlap=True), None, inputs)
    board, without = without_overlap(model, folder, kernels)
    build = built(model, board, folder, kernels, overlap=True)
    emulated = compared(build, "qemu", inputs)
    return {
        "model": model.stem,
        "board": board,
        "arena_bytes": build.report["memory"]["arena_bytes"],
        "compared_bytes": host["bytes"] + emulated["bytes"],
        "problems": [f"host: {p}" for p in host["problems"]]
        + [f"{board}: {p}" for p in emulated["problems"]],
        "instructions_without": instructions(without),
        "instructions": instructions(build),
    }


def change(row: dict[str, Any]) -> float:
    """How many more instructions overlaps take, as a share."""
    return float(row["instructions"] / row["instructions_without"] - 1)


def print_rows(rows: list[dict[str, Any]]) -> None:
    result = table("model", "board", *NUMBERS, "verdict", right=NUMBERS)
    for row in rows:
        if "board" not in row:
            result.add_row(row["model"], "", *[""] * len(NUMBERS), row["reason"])
            continue
        result.add_row(
            row["model"],
            row["board"],
            f"{row['arena_bytes']:,}",
            f"{row['compared_bytes']:,}",
            f"{row['instructions_without']:,}",
            f"{row['instructions']:,}",
            f"{100 * change(row):+.2f} %",
            "; ".join(row["problems"]) or "the same bytes, peak as predicted",
        )
    stdout().print(result)


def markdown(rows: list[dict[str, Any]]) -> str:
    """The models that could be built, for a page."""
    lines = [
        "| model | board | bytes compared | instructions without overlaps | with | change |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['model']} | {row['board']} | {row['compared_bytes']:,} |"
        f" {row['instructions_without']:,} | {row['instructions']:,} | {100 * change(row):+.2f} % |"
        for row in rows
        if "board" in row
    ]
    return "\n".join(lines)


def failures(rows: list[dict[str, Any]]) -> list[str]:
    """The models that are not as they should be."""
    return [
        row["model"]
        for row in rows
        if "board" in row and (row["problems"] or change(row) > MOST_MORE_INSTRUCTIONS)
    ]


@click.command()
@click.argument("models", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tiny", is_flag=True, help="Only the tiny models of the manifest.")
@click.option(
    "--kernels", type=click.Choice([k.value for k in KernelSet]), default="auto", show_default=True
)
@click.option("--inputs", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--docs", is_flag=True, help="Put the table into docs/overlap.md.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
def main(
    models: tuple[Path, ...],
    tiny: bool,
    kernels: str,
    inputs: int,
    docs: bool,
    json_file: Path | None,
) -> None:
    """Build, run and compare models with all rules."""
    rows = []
    for model in models or listed(tiny):
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows.append(measure(model, Path(folder), KernelSet(kernels), inputs))
            except McucompError as error:
                rows.append({"model": model.stem, "reason": str(error).splitlines()[0]})
        click.echo(f"{model.stem}: done", err=True)
    print_rows(rows)
    if json_file is not None:
        json_file.write_text(json.dumps({"schema": 1, "rows": rows}, indent=2) + "\n")
    if docs:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n{markdown(rows)}\n{END}{after}", "utf-8")
    if failed := failures(rows):
        raise click.ClickException("not as they should be: " + ", ".join(failed))


if __name__ == "__main__":
    main()
