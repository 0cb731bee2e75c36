"""What weights prove about values: how much of each model is dead, and what dropping it saves.

    python benchmarks/values.py [--check] [--inputs N] [--climbs N] [--json FILE] [--markdown]
                                [MODEL ...]

Without models: all of MCUCOMP_MODELS (default: the folder ../shared/models
beside the checkout) that have something to analyse. Before and after are with
all other rules in force, so that the figures are those of the values alone.
With --check each model runs in TensorFlow Lite Micro's own interpreter as it is,
with all tensors preserved, and as `mcucomp rewrite` makes it under +values: on N
drawn inputs, on constant ones, and on every step of seeded climbs, which push
single channels towards the ends of their intervals; all in one sequence, so that
models with state go on from one to the next. Every output byte must be the same,
and every intermediate value within its interval. Exit status 1 if not.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
from measurements import models_folder

from mcucomp import explaining, ir, tflite
from mcucomp.errors import McucompError
from mcucomp.report.terminal import stdout, table
from mcucomp.tflm.narrowing import narrowed

HERE = Path(__file__).resolve().parent
SEED = 1
CLIMBS, CLIMB_STEPS = 8, 12
COLUMNS = (
    "channels",
    "constant",
    "MACs",
    "left",
    "weights",
    "left ",
    "arena",
    "after",
    "file",
    "is",
)


def measure(path: Path) -> dict[str, Any] | None:
    """One row; None for a model with nothing to analyse, or that cannot be read."""
    data = path.read_bytes()
    try:
        model = tflite.read(data, path.name)
        ir.verify(model)
        found = explaining.explain(model, 4)
    except McucompError:
        return None
    analysed = [
        step for step in found.steps if step.operator.outputs[0] in found.values[step.graph].tensors
    ]
    if not analysed:
        return None
    smaller = narrowed(model, data, 1)
    return {
        "model": path.stem,
        "channels": sum(step.channels for step in analysed),
        "constant_channels": sum(step.constant for step in analysed),
        "macs": [found.before.macs, found.after.macs],
        "weights_bytes": [found.before.weights_bytes, found.after.weights_bytes],
        "arena_bytes": list(found.arena_bytes),
        "file_bytes": [len(data), len(data if smaller is None else smaller)],
    }


def check(path: Path, count: int, climbs: int) -> dict[str, Any]:
    """What the interpreter says of one model: counts, and everything that was wrong."""
    from tests.support import observed

    data = path.read_bytes()
    model = tflite.read(data, path.name)
    graph = model.graphs[0]
    observer = observed.Observer(data, graph)
    inputs = observed.random_inputs(graph, count, SEED) + observed.constant_inputs(graph)
    expected = [observer.run(row) for row in inputs]
    for k, target in enumerate(observer.targets(climbs, SEED)):
        for row, outputs in observer.climb(target, inputs[k % count], CLIMB_STEPS, SEED + k):
            inputs.append(row)
            expected.append(outputs)
    smaller, differing = narrowed(model, data, 1), 0
    if smaller is not None:
        got = observed.plain_outputs(smaller, graph, inputs)
        differing = sum(a != b for a, b in zip(got, expected, strict=True))
    return {
        "inputs": len(inputs),
        "output_bytes": sum(len(b) for row in expected for b in row),
        "differing_inputs": differing,
        "different_outputs": len({b"".join(row) for row in expected}),
        "intermediate_values": observer.seen,
        "outside": sorted(set(observer.outside)),
        "same_file": smaller is None,
    }


def _check_into(path: Path, count: int, climbs: int, queue: Any) -> None:
    queue.put(check(path, count, climbs))


def checked(path: Path, count: int, climbs: int) -> dict[str, Any] | None:
    """`check` in a process of its own: what the interpreter cannot run may end it."""
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=_check_into, args=(path, count, climbs, queue))
    process.start()
    process.join()
    return queue.get() if process.exitcode == 0 else None


def cells(row: Mapping[str, Any]) -> list[str]:
    """A row of the table; what does not change is left out."""
    share = f"{100 * row['constant_channels'] / row['channels']:.1f} %"
    found = [row["model"], f"{row['channels']:,}", share if row["constant_channels"] else ""]
    for key in ("macs", "weights_bytes", "arena_bytes", "file_bytes"):
        before, after = row[key]
        found += [f"{before:,}", "" if before == after else f"{after:,}"]
    if "check" in row:
        found.append(verdict(row["check"]))
    return found


def verdict(outcome: Mapping[str, Any] | None) -> str:
    if outcome is None:
        return "TFLM does not run it"
    if outcome["differing_inputs"] or outcome["outside"]:
        return f"WRONG: {outcome['differing_inputs']} inputs, {len(outcome['outside'])} tensors"
    return (
        f"{outcome['inputs']} inputs equal, {outcome['intermediate_values'] / 1e6:,.1f} M"
        " values inside"
    )


def print_rows(rows: list[dict[str, Any]], *, as_markdown: bool) -> None:
    names = ["model", *COLUMNS, *(["checked"] if rows and "check" in rows[0] else [])]
    if as_markdown:
        click.echo("| " + " | ".join(name.strip() for name in names) + " |")
        click.echo("|---" + "|---:" * len(COLUMNS) + "|---" * (len(names) > 1 + len(COLUMNS)) + "|")
        for row in rows:
            click.echo("| " + " | ".join(cells(row)) + " |")
        return
    result = table(*names, right=COLUMNS)
    for row in rows:
        result.add_row(*cells(row))
    stdout().print(result)


@click.command()
@click.argument("models", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--check", "is_checked", is_flag=True, help="Run every model in TFLM, twice.")
@click.option("--inputs", default=100, show_default=True, help="Drawn inputs for --check.")
@click.option("--climbs", default=CLIMBS, show_default=True, help="Climbs for --check.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a table for the docs.")
def main(
    models: tuple[Path, ...],
    is_checked: bool,
    inputs: int,
    climbs: int,
    json_file: Path | None,
    as_markdown: bool,
) -> None:
    """Print the table; sizes are bytes."""
    np.seterr(all="ignore")
    rows = []
    for path in models or sorted(models_folder().glob("*.tflite")):
        row = measure(path)
        if row is None:
            continue
        if is_checked:
            row["check"] = checked(path, inputs, climbs)
            click.echo(f"{row['model']}: {verdict(row['check'])}", err=True)
        rows.append(row)
        if json_file is not None:
            json_file.write_text(json.dumps({"schema": 1, "rows": rows}, indent=2) + "\n")
    print_rows(rows, as_markdown=as_markdown)
    if any(verdict(row["check"]).startswith("WRONG") for row in rows if "check" in row):
        sys.exit(1)


if __name__ == "__main__":
    main()
