"""`mcucomp flash`: write the image to a board, and verify it."""

from __future__ import annotations

from pathlib import Path

import click

from mcucomp import build_directory
from mcucomp.cli.options import json_option
from mcucomp.device.flash import flash
from mcucomp.errors import printable
from mcucomp.report.terminal import print_json, stderr, stdout


@click.command("flash")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--with",
    "tool",
    metavar="TOOL",
    help="The tool to use [default: the first of the board's that is installed].",
)
@click.option("--probe", metavar="SERIAL", help="Which debug probe, where several are connected.")
@click.option("--port", metavar="PORT", help="The serial port of a boot loader, for stm32flash.")
@click.option("--dry-run", is_flag=True, help="Show what would be run, and run nothing.")
@json_option
def command(
    folder: Path,
    tool: str | None,
    probe: str | None,
    port: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Write the image of a build directory to a board.

    Uses a tool that the board's file names and this machine has ('mcucomp
    doctor' shows them), says what it runs, and always verifies. Exit status 3
    if the tool fails; then the cause is told as far as its output tells it.
    """
    build = build_directory.load(folder)

    def tell(step: str) -> None:
        if not as_json:
            stderr().print(f"$ {printable(step)}")

    done = flash(
        build.board,
        build.elf,
        build.binary,
        tool=tool,
        probe=probe,
        port=port,
        dry_run=dry_run,
        tell=tell,
    )
    if as_json:
        print_json(
            {
                "schema": 1,
                "board": build.board.name,
                "tool": done.tool,
                "steps": list(done.steps),
                "written": done.written,
                "verified": done.verified,
            }
        )
        return
    if dry_run:
        for step in done.steps:
            stdout().print(printable(step))
        return
    how = (
        f"written and verified with {done.tool}"
        if done.verified
        else f"written with {done.tool}, which cannot read it back: 'mcucomp run' asks the board"
    )
    stdout().print(f"{build.name} is on {build.board.name}: {how}")
