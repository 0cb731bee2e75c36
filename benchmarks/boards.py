"""Every board that has an emulator, over a few models: does it fit, and what is measured?

    python benchmarks/boards.py [--board B]... [--json FILE] [MODEL.tflite ...]

Without models: keyword spotting, ResNet-8 and person detection of MCUCOMP_MODELS (default:
the folder ../shared/models beside the checkout), or the digits of examples/ where
they are absent. Renode is used where it is installed. Ends with status 1 where a
measured peak is not the predicted one, or a guard was overwritten.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measurements import CHECKOUT, models_folder

from mcucomp import boards, build_directory, check, pipeline
from mcucomp.check.inputs import pattern
from mcucomp.device import renode_program
from mcucomp.errors import DoesNotFit, OutsideError
from mcucomp.report.terminal import stdout, table

MODELS = ("mlperf-kws-dscnn-int8", "mlperf-ic-resnet8-int8", "tflm-person-detect-int8")
DIGITS = CHECKOUT / "examples" / "digits" / "digits.tflite"


def models() -> list[Path]:
    """The models to take where none is named."""
    found = (models_folder() / f"{name}.tflite" for name in MODELS)
    return [path for path in found if path.is_file()] or [DIGITS]


def measure(model: Path, board: str, emulator: str, folder: Path) -> dict[str, Any]:
    """One row; `fits` is false, with the reason, where the board has too little memory."""
    row: dict[str, Any] = {"board": board, "emulator": emulator, "model": model.stem}
    try:
        pipeline.build(model, board, folder, pipeline.Options())
    except DoesNotFit as error:
        return {**row, "fits": False, "reason": str(error).splitlines()[0]}
    build = build_directory.load(folder)
    sizes = build.report["sizes"]
    row |= {
        "fits": True,
        "flash_bytes": sizes["flash_bytes"],
        "ram_bytes": sizes["ram_bytes"],
        "predicted_peak_bytes": build.arena_peak_bytes,
    }
    try:
        with check.session(build, emulator=emulator) as session:
            run = session.infer(pattern(build.graph), profile=False)
    except OutsideError as error:
        return {**row, "failed": str(error).splitlines()[0]}
    return {
        **row,
        "measured_peak_bytes": run.arena_peak_bytes,
        "guards_ok": run.guards_ok,
        "instructions": run.instructions,
    }


def is_right(row: dict[str, Any]) -> bool:
    """Whether a row says nothing that should not be so; not to fit is an answer."""
    if not row["fits"]:
        return True
    as_predicted = row.get("measured_peak_bytes") == row["predicted_peak_bytes"]
    return as_predicted and bool(row["guards_ok"])


def print_rows(rows: list[dict[str, Any]]) -> None:
    numbers = ("flash", "RAM", "peak predicted", "measured", "instructions")
    result = table("board", "emulator", "model", "fits", *numbers, right=numbers)
    keys = ("flash_bytes", "ram_bytes", "predicted_peak_bytes", "measured_peak_bytes")
    for row in rows:
        shown = [f"{row[k]:,}" if row.get(k) is not None else "" for k in (*keys, "instructions")]
        verdict = row.get("failed") or ("yes" if row["fits"] else f"no: {row['reason']}")
        result.add_row(row["board"], row["emulator"], row["model"], verdict, *shown)
    stdout().print(result)


@click.command()
@click.argument("named", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--board", "only", multiple=True, help="Only this board; may come more than once.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
def main(named: tuple[Path, ...], only: tuple[str, ...], json_file: Path | None) -> None:
    """Build, run and measure models on every emulated board."""
    usable = {"qemu"} | ({"renode"} if renode_program() else set())
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, board in boards.known().items():
            if only and name not in only:
                continue
            for emulator in sorted(usable & set(board.emulators)):
                for model in named or models():
                    work = Path(folder) / f"{name}-{emulator}-{model.stem}"
                    rows.append(measure(model, name, emulator, work))
    print_rows(rows)
    if "renode" not in usable:
        click.echo("renode not found: boards that only it has are not shown", err=True)
    if json_file is not None:
        json_file.write_text(json.dumps({"schema": 1, "rows": rows}, indent=2) + "\n")
    if not all(map(is_right, rows)):
        sys.exit(1)


if __name__ == "__main__":
    main()
