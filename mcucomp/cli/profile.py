"""`mcucomp profile`: where an inference spends its instructions, operator by operator."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import click

from mcucomp import build_directory, check
from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import pattern
from mcucomp.cli.options import json_option, timeout_option, transport_options
from mcucomp.device import Run, emulated_cycles
from mcucomp.device.emulated_cycles import StepCycles
from mcucomp.errors import DeviceError, InvalidInput
from mcucomp.report.profile import profile, profile_document, profile_html, profile_text
from mcucomp.report.terminal import print_json, story


@click.command("profile")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@transport_options
@click.option(
    "--html",
    "html_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write a bar chart, one page of HTML.",
)
@click.option(
    "--no-cycles",
    is_flag=True,
    help="On an emulator, do not also estimate the cycles of a Cortex-M4.",
)
@timeout_option
@json_option
def command(
    folder: Path,
    emulator: str | None,
    port: str | None,
    html_file: Path | None,
    no_cycles: bool,
    timeout_s: float,
    as_json: bool,
) -> None:
    """Count what each operator of a build takes, on a device or an emulator.

    For every operator: instructions (cycles where the board counts them), their
    share, multiply-accumulates, the kernel, and how far it is from the floor.
    """
    build = build_directory.load(folder)
    estimates = emulator == emulated_cycles.EMULATOR and not no_cycles
    run, cycles = _measured(
        build, emulator, port, timeout_s, estimates and emulated_cycles.is_available(build.board)
    )
    if run.steps is None:
        raise DeviceError(
            "the device has no counter, so that steps cannot be counted",
            at=str(folder),
            fix="use --emulator qemu, or a board with a cycle counter",
        )
    profiled = profile(build, run, cycles)
    if html_file is not None:
        try:
            html_file.write_text(profile_html(profiled), encoding="utf-8")
        except OSError as error:
            raise InvalidInput(
                f"cannot be written: {error.strerror}", at=str(html_file), fix="name another file"
            ) from error
    if as_json:
        print_json(profile_document(profiled))
    else:
        profile_text(profiled)


def _measured(
    build: BuildDirectory, emulator: str | None, port: str | None, timeout_s: float, cycles: bool
) -> tuple[Run, tuple[StepCycles, ...]]:
    """A run with its steps counted, and their cycles where they can be estimated."""
    with tempfile.TemporaryDirectory() as folder:
        counts = None
        if cycles:
            board, counts = emulated_cycles.with_cycles(build.board, build.elf, Path(folder))
            build = dataclasses.replace(build, board=board)
        with (
            story() as tell,
            check.session(
                build, emulator=emulator, port=port, timeout_s=timeout_s, story=tell
            ) as session,
        ):
            run = session.infer(pattern(build.graph), profile=True)
        if counts is None or run.steps is None:
            return run, ()
        calls = build.report["calls"]
        if calls is None:
            calls = range(len(run.steps))
        return run, emulated_cycles.step_cycles(counts, calls)
