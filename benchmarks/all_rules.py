"""Are all models right with all rules, here and on an emulated board, and what do overlaps cost?

    python benchmarks/all_rules.py [--tiny] [--kernels SET] [--inputs N] [--docs] [--json FILE]
                                   [--rows FILE]... [MODEL.tflite ...]

Without models: all in MCUCOMP_MODELS (default: the folder ../shared/models beside the checkout),
with --tiny those that its manifest calls tiny. Each is built with all rules for this computer and
for the first board of BOARDS that holds it in QEMU, if one does; every output byte of N drawn
inputs is compared with TensorFlow Lite Micro's (floats on a board as `mcucomp check` does), every
measured arena peak with the predicted one. Instructions are executed ones of one inference, exact,
against the same build without overlaps; those of a model that may execute more than the board's
counter holds are the sums of its steps', and left out where a step alone may. Models that cannot
be compiled, or that TensorFlow Lite Micro does not run, are named with the reason. Exit status 1
where anything differs or fails, or takes 1 % more than without. With --rows nothing is measured:
the rows are those that --json wrote, of one file or several; of two for one model and kernels the
later counts. --docs puts a table for each set of kernels into docs/overlap.md.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from measurements import DOCS, Place, kept_rows, models_folder, rows_option

from mcucomp import build_directory, check, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import drawn, pattern
from mcucomp.errors import DoesNotFit, McucompError, ToolFailed, UnsupportedModel
from mcucomp.report.terminal import stdout, table
from mcucomp.rules import ALL

BOARDS = ("stm32", "mps2-an386", "mps3-an547")
PLACE = Place(
    DOCS / "overlap.md",
    "<!-- table: benchmarks/all_rules.py --docs -->",
    "<!-- end of instructions -->",
)
COUNTER_TICKS = 1 << 32
# Instructions of a step may be this many times as many as its kernel's estimate,
ESTIMATE_MARGIN = 2
# and this many for a MAC or an output element where there is no estimate.
INSTRUCTIONS_A_MAC = 25
MOST_MORE_INSTRUCTIONS = 0.01
SEED = 1
HOST_ONLY = "this computer alone"
NUMBERS = ("arena", "bytes compared", "instructions without overlaps", "with", "change")


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
        "near_numbers": verdict.near_numbers,
        "problems": list(verdict.problems),
    }


def most_instructions(operator: dict[str, Any]) -> int:
    """An operator of a report never executes more."""
    if operator["estimated_instructions"]:
        return ESTIMATE_MARGIN * int(operator["estimated_instructions"])
    return INSTRUCTIONS_A_MAC * int(operator["macs"] + operator["output_elements"])


def instructions(build: BuildDirectory) -> int | None:
    """Of one inference; None where the counter of the board might wrap within a step."""
    held = build.board.emulators["qemu"].instructions(COUNTER_TICKS)
    most = [most_instructions(operator) for operator in build.report["operators"]]
    if max(most, default=0) > held:
        return None
    with check.session(build, emulator="qemu") as session:
        run = session.infer(pattern(build.graph), profile=sum(most) > held)
    if run.steps is None:
        return run.instructions
    return sum(step.instructions or 0 for step in run.steps)


def built(
    model: Path, board: str, folder: Path, kernels: KernelSet, *, overlap: bool
) -> BuildDirectory:
    place = folder / f"{board}-{overlap}"
    options = pipeline.Options(rules=replace(ALL, overlap=overlap), kernels=Wanted(kernels))
    pipeline.build(model, board, place, options)
    return build_directory.load(place)


def without_overlap(model: Path, folder: Path, kernels: KernelSet) -> BuildDirectory | None:
    """A build for the first board that holds the model even without overlaps, if one does."""
    for board in BOARDS:
        with contextlib.suppress(DoesNotFit):
            return built(model, board, folder, kernels, overlap=False)
    return None


def measure(model: Path, folder: Path, kernels: KernelSet, inputs: int) -> dict[str, Any]:
    """One row; McucompError where the model cannot be built or run."""
    build = built(model, "host", folder, kernels, overlap=True)
    host = compared(build, None, inputs)
    row = {
        "model": model.stem,
        "kernels": kernels.value,
        "board": None,
        "arena_bytes": build.report["memory"]["arena_bytes"],
        "compared_bytes": host["bytes"],
        "near_numbers": 0,
        "problems": [f"host: {p}" for p in host["problems"]],
        "instructions_without": None,
        "instructions": None,
    }
    without = without_overlap(model, folder, kernels)
    if without is None:
        return row
    board = without.board.name
    build = built(model, board, folder, kernels, overlap=True)
    emulated = compared(build, "qemu", inputs)
    row["board"] = board
    row["arena_bytes"] = build.report["memory"]["arena_bytes"]
    row["compared_bytes"] += emulated["bytes"]
    row["near_numbers"] = emulated["near_numbers"]
    row["problems"] += [f"{board}: {p}" for p in emulated["problems"]]
    row["instructions_without"] = instructions(without)
    row["instructions"] = instructions(build)
    return row


def outcome(model: Path, kernels: KernelSet, inputs: int) -> dict[str, Any]:
    """One row; of a model that cannot be compared it has the reason alone."""
    row: dict[str, Any] = {"model": model.stem, "kernels": kernels.value}
    with tempfile.TemporaryDirectory() as folder:
        try:
            return measure(model, Path(folder), kernels, inputs)
        except UnsupportedModel as error:
            return row | {"reason": error.what}
        except ToolFailed as error:
            # What TensorFlow Lite Micro does not run cannot be compared with it.
            if error.what.startswith("TensorFlow Lite Micro"):
                return row | {"reason": error.what}
            return row | {"board": None, "problems": [error.what]}
        except McucompError as error:
            return row | {"board": None, "problems": [str(error).splitlines()[0]]}


def change(row: dict[str, Any]) -> float | None:
    """How many more instructions overlaps take, as a share; None where they were not counted."""
    if not row.get("instructions") or not row["instructions_without"]:
        return None
    return float(row["instructions"] / row["instructions_without"] - 1)


def cells(row: dict[str, Any]) -> list[str]:
    """The numbers of a row, in the order of NUMBERS; empty where something was not measured."""
    keys = ("arena_bytes", "compared_bytes", "instructions_without", "instructions")
    more = change(row)
    shown = ["" if row.get(key) is None else f"{row[key]:,}" for key in keys]
    return [*shown, "" if more is None else f"{100 * more:+.2f} %"]


def _near(row: dict[str, Any]) -> str:
    near = row.get("near_numbers")
    return f" but {near} floats that another C library's functions turn" if near else ""


def print_rows(rows: list[dict[str, Any]]) -> None:
    result = table("model", "kernels", "board", *NUMBERS, "verdict", right=NUMBERS)
    for row in rows:
        good = f"the same bytes{_near(row)}, peak as predicted"
        verdict = row["reason"] if "reason" in row else "; ".join(row["problems"]) or good
        result.add_row(
            row["model"], row["kernels"], row.get("board") or HOST_ONLY, *cells(row), verdict
        )
    stdout().print(result)


def markdown(rows: list[dict[str, Any]]) -> str:
    """A table a set of kernels, and what could not be compared, for a page."""
    parts = []
    for kernels in KernelSet:
        measured = [r for r in rows if r["kernels"] == kernels.value and "reason" not in r]
        if not measured:
            continue
        name = "default" if kernels is KernelSet.AUTO else kernels.value
        titles = " | ".join(NUMBERS)
        lines = [
            f"| model, {name} kernels | board | {titles} |",
            "|---|---|---:|---:|---:|---:|---:|",
        ]
        for row in measured:
            shown = " | ".join(cells(row))
            lines.append(f"| {row['model']} | {row['board'] or HOST_ONLY} | {shown} |")
        parts.append("\n".join(lines))
    wrong = [(row, problem) for row in rows for problem in row.get("problems", ())]
    if wrong:
        lines = [f"- {row['model']}, {row['kernels']} kernels: {text}" for row, text in wrong]
        parts.append("\n".join(["Not as they should be:", "", *lines]))
    near = [row for row in rows if row.get("near_numbers")]
    if near:
        lines = [f"- {row['model']}: {row['near_numbers']}" for row in near]
        title = (
            "Floats on the board that its C library's functions put within what operators state:"
        )
        parts.append("\n".join([title, "", *lines]))
    refused = {row["model"]: row["reason"] for row in rows if "reason" in row}
    if refused:
        listed_reasons = [f"- {model}: {reason}" for model, reason in refused.items()]
        parts.append("\n".join(["Not compared:", "", *listed_reasons]))
    return "\n\n".join(parts)


def failures(rows: list[dict[str, Any]]) -> list[str]:
    """The models that are not as they should be."""
    return [
        row["model"]
        for row in rows
        if row.get("problems") or (change(row) or 0) > MOST_MORE_INSTRUCTIONS
    ]


@click.command()
@click.argument("models", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tiny", is_flag=True, help="Only the tiny models of the manifest.")
@click.option(
    "--kernels", type=click.Choice([k.value for k in KernelSet]), default="auto", show_default=True
)
@click.option("--inputs", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--docs", is_flag=True, help="Put the table into docs/overlap.md.")
@rows_option
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
def main(
    models: tuple[Path, ...],
    tiny: bool,
    kernels: str,
    inputs: int,
    docs: bool,
    row_files: tuple[Path, ...],
    json_file: Path | None,
) -> None:
    """Build, run and compare models with all rules."""
    rows = kept_rows(row_files)
    for model in models or (() if row_files else listed(tiny)):
        rows.append(outcome(model, KernelSet(kernels), inputs))
        click.echo(f"{model.stem}: done", err=True)
        if json_file is not None:
            json_file.write_text(json.dumps({"schema": 2, "rows": rows}, indent=2) + "\n")
    rows = list({(row["model"], row["kernels"]): row for row in rows}.values())
    rows.sort(key=lambda row: row["model"])
    print_rows(rows)
    if docs:
        PLACE.put(f"\n{markdown(rows)}\n")
    if failed := failures(rows):
        raise click.ClickException("not as they should be: " + ", ".join(failed))


if __name__ == "__main__":
    main()
