"""Flash and RAM by part of models built for a board, without running them.

    python benchmarks/sizes.py [--board BOARD] [--optimize WHAT]
                               [--json FILE] [--before FILE] [MODEL.tflite ...]

Without models: those of peer.toml that are in MCUCOMP_MODELS (default: the
folder ../shared/models beside the checkout). With --before, a file that --json
wrote at another revision, differences to it are printed instead.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent))

from instructions import peer_models, print_differences

from mcucomp import build_directory, pipeline
from mcucomp.backends import Optimize, Wanted
from mcucomp.errors import DoesNotFit
from mcucomp.report.terminal import stdout, table

COLUMNS = {
    "weights_bytes": "weights",
    "model_bytes": "model",
    "kernels_bytes": "kernels",
    "rest_bytes": "rest",
    "flash_bytes": "flash",
    "arena_bytes": "arena",
    "data_bytes": "data",
}


def measure(model: Path, board: str, folder: Path, wanted: Wanted) -> dict[str, Any]:
    """One row, from the sections of the image."""
    pipeline.build(model, board, folder, pipeline.Options(kernels=wanted))
    sizes = build_directory.load(folder).report["sizes"]
    parts = {**sizes["ram"], **sizes["flash"], "flash_bytes": sizes["flash_bytes"]}
    return {"model": model.stem, **{name: parts[name] for name in COLUMNS}}


def print_rows(rows: list[dict[str, Any]]) -> None:
    result = table("model", *COLUMNS.values(), right=tuple(COLUMNS.values()))
    for row in rows:
        result.add_row(row["model"], *(f"{row[name]:,}" for name in COLUMNS))
    stdout().print(result)


@click.command()
@click.argument("models", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--board", default="mps2-an386", show_default=True)
@click.option(
    "--optimize",
    type=click.Choice([o.value for o in Optimize]),
    default="balanced",
    show_default=True,
)
@click.option("--before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
def main(
    models: tuple[Path, ...],
    board: str,
    optimize: str,
    before: Path | None,
    json_file: Path | None,
) -> None:
    """Build models and print what their parts take."""
    rows, wanted = [], Wanted(optimize=Optimize(optimize))
    with tempfile.TemporaryDirectory() as folder:
        for model in models or peer_models():
            try:
                rows.append(measure(model, board, Path(folder) / model.stem, wanted))
            except DoesNotFit as error:
                click.echo(str(error).splitlines()[0], err=True)
    if before is None:
        print_rows(rows)
    else:
        print_differences(rows, json.loads(before.read_text(encoding="utf-8"))["rows"], COLUMNS)
    if json_file is not None:
        document = {"schema": 1, "board": board, "rows": rows}
        json_file.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
