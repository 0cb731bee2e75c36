"""`mcucomp boards`: which boards are known."""

from __future__ import annotations

import click

from mcucomp import boards
from mcucomp.cli.options import json_option
from mcucomp.report.terminal import print_json, stdout, table


@click.command("boards")
@json_option
def command(as_json: bool) -> None:
    """Show the boards that a model can be built for."""
    known = boards.known().values()
    if as_json:
        print_json(
            {
                "schema": 1,
                "boards": [
                    {
                        "name": board.name,
                        "cpu": board.cpu,
                        "flash_bytes": board.flash_bytes,
                        "ram_bytes": board.ram_bytes,
                        "emulators": sorted(board.emulators),
                    }
                    for board in known
                ],
            }
        )
        return
    rows = table("board", "CPU", "flash", "RAM", "emulator", "", right=("flash", "RAM"))
    for board in known:
        sizes = [
            "" if n is None else f"{n // 1024:,} KiB" for n in (board.flash_bytes, board.ram_bytes)
        ]
        rows.add_row(
            board.name, board.cpu, *sizes, ", ".join(sorted(board.emulators)), board.description
        )
    stdout().print(rows)
