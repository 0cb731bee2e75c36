"""`mcucomp boards`: which boards are known, and one of them in detail."""

from __future__ import annotations

import click

from mcucomp import boards
from mcucomp.cli.options import json_option
from mcucomp.report.board_text import board_document, board_text
from mcucomp.report.terminal import print_json, stdout, table


@click.command("boards")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """Show the boards that a model can be built for, or one of them in detail.

    NAME is one of the list, or the path of a board file of your own.
    """
    if name is not None:
        board = boards.find(name)
        if as_json:
            print_json({"schema": 1, "board": board_document(board)})
        else:
            board_text(board)
        return
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
                        "flashers": list(board.flashers),
                    }
                    for board in known
                ],
            }
        )
        return
    rows = table("board", "CPU", "flash", "RAM", "emulators", "", right=("flash", "RAM"))
    for board in known:
        sizes = [
            "" if n is None else f"{n // 1024:,} KiB" for n in (board.flash_bytes, board.ram_bytes)
        ]
        rows.add_row(
            board.name, board.cpu, *sizes, ", ".join(sorted(board.emulators)), board.description
        )
    stdout().print(rows)
