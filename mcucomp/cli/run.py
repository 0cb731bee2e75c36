"""`mcucomp run`: one inference on the device, and what it measured."""

from __future__ import annotations

from pathlib import Path

import click

from mcucomp import build_directory, check
from mcucomp.check.inputs import from_files, pattern
from mcucomp.cli.options import json_option, recording_options, timeout_option, transport_options
from mcucomp.errors import CheckFailed
from mcucomp.report import documents
from mcucomp.report.run_text import run_text
from mcucomp.report.terminal import print_json, story


@click.command("run")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@transport_options
@recording_options
@click.option(
    "--input",
    "input_files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Raw bytes in the model's type, or .npy; once for each input [default: a fixed pattern].",
)
@timeout_option
@json_option
def command(
    folder: Path,
    emulator: str | None,
    port: str | None,
    record: Path | None,
    replay: Path | None,
    input_files: tuple[Path, ...],
    timeout_s: float,
    as_json: bool,
) -> None:
    """Run the image of a build directory and show what the device measured.

    Exit status 1 if the measured arena peak is not the predicted one, or a
    guard byte was overwritten.
    """
    build = build_directory.load(folder)
    inputs = from_files(build.graph, input_files) if input_files else pattern(build.graph)
    with (
        story() as tell,
        check.session(
            build,
            emulator=emulator,
            port=port,
            record=record,
            replay=replay,
            timeout_s=timeout_s,
            story=tell,
        ) as s,
    ):
        result = s.infer(inputs, profile=True)
    if as_json:
        print_json(documents.run_document(build, result))
    else:
        run_text(build, result)
    if not result.guards_ok:
        raise CheckFailed(
            "a guard byte beside the arena was overwritten",
            at=str(folder),
            fix="this is a bug of ours; please report it with the model",
        )
    if result.arena_peak_bytes not in build.possible_peaks_bytes:
        raise CheckFailed(
            f"the device measured an arena peak of {result.arena_peak_bytes:,} B; "
            f"{build.arena_peak_bytes:,} B were predicted",
            at=str(folder),
            fix="this is a bug of ours; please report it with the model",
        )
