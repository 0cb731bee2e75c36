"""What 'mcucomp rewrite' saves in TensorFlow Lite Micro: head and smallest arena, measured.

    python benchmarks/rewrite.py [--rules orders|+inplace] [--json FILE] [MODEL.tflite ...]

Without models: all of MCUCOMP_MODELS (default: the folder ../shared/models
beside the checkout). Every figure is of TFLM's own interpreter on this host, and
every row was compared with it: outputs byte for byte, heads with the prediction.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import click
from measurements import models_folder

from mcucomp import rewriting
from mcucomp.errors import AnswerIsNo, CheckFailed, McucompError
from mcucomp.report.terminal import stdout, table
from mcucomp.tflm import Rules

KEYS = ("head_bytes", "smallest_arena_bytes")


def measure(model: Path, rules: Rules, folder: Path) -> dict[str, Any]:
    """One row: the figures before and after, or why there are none after."""
    row: dict[str, Any] = {"model": model.stem, "before": None, "after": None, "note": ""}
    try:
        done = rewriting.rewrite(model, folder / model.name, rules, rewriting.HOST_KERNELS, True)
        assert done.comparison is not None
        for when, measured in (
            ("before", done.comparison.before),
            ("after", done.comparison.after),
        ):
            row[when] = {key: getattr(measured, key) for key in KEYS}
        row["note"] = f"{done.rewrite.moved} operators moved" if done.rewrite.moved else ""
        row["note"] += ", offsets" * done.after.is_prescribed
        row["note"] = row["note"].lstrip(", ")
    except CheckFailed:
        raise
    except AnswerIsNo:
        row["note"] = "nothing better found"
    except McucompError as error:
        row["note"] = error.what
        return row
    if row["before"] is None:
        try:
            host = rewriting.arena(model, rewriting.HOST_KERNELS, True).host
            row["before"] = row["after"] = {key: getattr(host, key) for key in KEYS}
        except McucompError as error:
            row["note"] = error.what
    return row


def cells(row: dict[str, Any]) -> list[str]:
    """A row of the table: before, after and the saving, for both figures."""
    found = [row["model"]]
    for key in KEYS:
        if row["before"] is None:
            found += ["", "", ""]
            continue
        before, after = row["before"][key], row["after"][key]
        saved = f"{100 * (before - after) / before:.1f} %" if after != before else ""
        found += [f"{before:,}", f"{after:,}", saved]
    return [*found, row["note"]]


@click.command()
@click.argument("models", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--rules", type=click.Choice([r.value for r in Rules]), default=Rules.ORDERS.value)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the rows here.")
def main(models: tuple[Path, ...], rules: str, json_file: Path | None) -> None:
    """Print the table; the columns are bytes."""
    paths = models or tuple(sorted(models_folder().glob("*.tflite")))
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(path, Rules(rules), Path(folder)) for path in paths]
    heads = ("head", "after", "saved")
    right = (*heads, "arena", "after ", "saved ")
    result = table("model", *right, "", right=right)
    for row in rows:
        result.add_row(*cells(row))
    stdout().print(result)
    if json_file is not None:
        json_file.write_text(
            json.dumps({"schema": 1, "rules": rules, "rows": rows}, indent=2) + "\n"
        )


if __name__ == "__main__":
    main()
