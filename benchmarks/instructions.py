"""Instructions, flash and RAM of models on an emulated Cortex-M4, beside TFLM's.

    python benchmarks/instructions.py [--board BOARD] [--kernels SET] [--optimize WHAT]
                                      [--rules RULES] [--json FILE] [--before FILE]
                                      [MODEL.tflite ...]

Without models: those of peer.toml that are in MCUCOMP_MODELS (default: the
folder ../shared/models beside the checkout). Counts are executed instructions
of the first inference, exact, not cycles; the ratio is ours to the peer's.
With --before, a file that --json wrote at another revision, differences to it
are printed instead.
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from measurements import models_folder

from mcucomp import build_directory, check, pipeline
from mcucomp.backends import KernelSet, Optimize, Wanted
from mcucomp.check.inputs import pattern
from mcucomp.device import Run
from mcucomp.errors import DoesNotFit
from mcucomp.report.terminal import stdout, table
from mcucomp.rules import DEFAULT, Rules, parse

HERE = Path(__file__).resolve().parent
COLUMNS = {
    "instructions": "instructions",
    "code_bytes": "code",
    "flash_bytes": "flash",
    "arena_bytes": "arena",
    "ram_bytes": "RAM",
    "stack_bytes": "stack",
}
PEER: dict[str, dict[str, Any]] = tomllib.loads((HERE / "peer.toml").read_text("utf-8"))


def peer_models() -> tuple[Path, ...]:
    """Those of peer.toml that are at hand.

    Raises:
        click.ClickException: none is.
    """
    found = tuple(path for name in PEER if (path := models_folder() / f"{name}.tflite").is_file())
    if not found:
        raise click.ClickException("no models: name some, or set MCUCOMP_MODELS to their folder")
    return found


def measure(
    model: Path,
    board: str,
    folder: Path,
    wanted: Wanted,
    timeout_s: float | None = None,
    rules: Rules = DEFAULT,
) -> dict[str, Any]:
    """One row: what the build takes and what one inference executes; that may take `timeout_s`."""
    pipeline.build(model, board, folder, pipeline.Options(kernels=wanted, rules=rules))
    build = build_directory.load(folder)
    with check.session(build, emulator="qemu", timeout_s=timeout_s) as session:
        run = session.infer(pattern(build.graph), profile=False)
    sizes = build.report["sizes"]
    return {
        "model": model.stem,
        "macs": sum(operator["macs"] for operator in build.report["operators"]),
        "instructions": run.instructions,
        "arena_bytes": build.report["memory"]["arena_bytes"],
        "measured_peak_bytes": run.arena_peak_bytes,
        "stack_bytes": run.stack_bytes,
        "ram_bytes": _ram_bytes(build, run),
        "code_bytes": sizes["code_bytes"],
        "kernels_bytes": sizes["flash"]["kernels_bytes"],
        "flash_bytes": sizes["flash_bytes"],
    }


def _ram_bytes(build: build_directory.BuildDirectory, run: Run) -> int | None:
    """Arena, variables (those of the harness too) and the stack that was used."""
    if run.stack_bytes is None:
        return None
    data_bytes: int = build.report["sizes"]["ram"]["data_bytes"]
    arena_bytes: int = build.report["memory"]["arena_bytes"]
    return arena_bytes + data_bytes + run.stack_bytes


def print_rows(rows: list[dict[str, Any]]) -> None:
    numbers = ("MACs", "instructions", "per MAC", "of TFLM", "of CMSIS-NN", "arena", "stack")
    numbers += ("RAM", "of CMSIS-NN's", "code", "of CMSIS-NN's", "kernels", "flash")
    result = table("model", *numbers, right=numbers)
    for row in rows:
        peer = PEER.get(row["model"], {})
        ratios = [
            f"{row['instructions'] / peer[key]:.3f}" if key in peer else ""
            for key in ("reference_instructions", "cmsis_nn_instructions")
        ]
        shares = {
            key: f"{row[key] / peer[f'cmsis_nn_{key}']:.3f}" if f"cmsis_nn_{key}" in peer else ""
            for key in ("ram_bytes", "code_bytes")
        }
        per_mac = f"{row['instructions'] / row['macs']:.2f}" if row["macs"] else ""
        result.add_row(
            row["model"],
            f"{row['macs']:,}",
            f"{row['instructions']:,}",
            per_mac,
            *ratios,
            f"{row['arena_bytes']:,}",
            f"{row['stack_bytes']:,}",
            f"{row['ram_bytes']:,}",
            shares["ram_bytes"],
            f"{row['code_bytes']:,}",
            shares["code_bytes"],
            f"{row['kernels_bytes']:,}",
            f"{row['flash_bytes']:,}",
        )
    stdout().print(result)


def print_differences(
    rows: list[dict[str, Any]], before: list[dict[str, Any]], columns: Mapping[str, str]
) -> None:
    """What changed since `before` in the members that `columns` names, a line a model."""
    result = table("model", *columns.values(), right=tuple(columns.values()))
    earlier = {row["model"]: row for row in before}
    for row in rows:
        old = earlier.get(row["model"], {})
        cells = [_difference(row[n], old[n]) if n in old else "new" for n in columns]
        result.add_row(row["model"], *cells)
    stdout().print(result)


def _difference(now: int, then: int) -> str:
    share = f" ({100 * (now - then) / then:+.1f} %)" if now != then and then else ""
    return f"{now - then:+,}{share}" if now != then else "same"


@click.command()
@click.argument("models", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--board", default="stm32", show_default=True)
@click.option(
    "--kernels", type=click.Choice([k.value for k in KernelSet]), default="auto", show_default=True
)
@click.option(
    "--optimize",
    type=click.Choice([o.value for o in Optimize]),
    default="balanced",
    show_default=True,
)
@click.option("--rules", default="all,free-rows", show_default=True, help="such as all,rows")
@click.option("--before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
def main(
    models: tuple[Path, ...],
    board: str,
    kernels: str,
    optimize: str,
    rules: str,
    before: Path | None,
    json_file: Path | None,
) -> None:
    """Measure models on an emulated board."""
    wanted = Wanted(KernelSet(kernels), Optimize(optimize))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in models or peer_models():
            try:
                out = Path(folder) / model.stem
                rows.append(measure(model, board, out, wanted, rules=parse(rules)))
            except DoesNotFit as error:
                click.echo(str(error).splitlines()[0], err=True)
    if before is None:
        print_rows(rows)
    else:
        print_differences(rows, json.loads(before.read_text(encoding="utf-8"))["rows"], COLUMNS)
    if json_file is not None:
        json_file.write_text(
            json.dumps({"schema": 1, "board": board, "rows": rows}, indent=2) + "\n"
        )


if __name__ == "__main__":
    main()
