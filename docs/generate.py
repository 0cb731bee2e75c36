"""Writes the generated pages of docs/: operators, boards, command line.

python docs/generate.py           write them
python docs/generate.py --check   exit 1 and name those that are stale
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mcucomp import boards
from mcucomp.cli import group
from mcucomp.ops import registered

DOCS = Path(__file__).parent
# As the command line has them, for a terminal of one width.
SETTINGS: dict[str, Any] = {**group.context_settings, "terminal_width": 90}
NOTICE = "<!-- Made by docs/generate.py; do not edit. -->\n"


def operators_page() -> str:
    """Every operator with its conditions, as `mcucomp ops` prints them."""
    lines = ["# Operators", "", "What can be compiled, and under which conditions.", ""]
    for definition in registered().values():
        lines += [f"## {definition.kind}", "", definition.summary, ""]
        lines += [f"- {constraint.sentence}" for constraint in definition.constraints]
        lines.append("")
    return "\n".join(lines)


def boards_page() -> str:
    """Every board with its memories, how it is reached, and where the figures are from."""
    lines = [
        "# Boards",
        "",
        "[Adding a board](adding-a-board.md) says how another one comes in.",
        "",
    ]
    for board in boards.known().values():
        lines += [f"## {board.name}", "", board.description, ""]
        if board.memory:
            lines += ["| memory | kind | origin | bytes |", "|---|---|---|---|"]
            lines += [
                f"| {r.name} | {r.kind} | {r.origin:#010x} | {r.bytes:,} |" for r in board.memory
            ]
            lines.append("")
        if board.serial is not None:
            lines += [f"Serial: {board.serial.uart}, {board.serial.pins}", ""]
        if board.flashers:
            lines += [f"Written with: {', '.join(board.flashers)}", ""]
        lines += [f"Run by the tests: {_run_by_tests(board)}", ""]
        lines += [f"- {source}" for source in board.source]
        lines.append("")
    return "\n".join(lines)


def _run_by_tests(board: boards.Board) -> str:
    """What the tests do with its firmware; nothing is claimed of the real board."""
    if board.is_host:
        return "as a program."
    places = [name for name in ("qemu", "renode") if name in board.emulators]
    words = {"qemu": "in QEMU", "renode": "in Renode where that is installed"}
    told = [words[name] for name in places]
    if board.flashers and board.name != "microbit":
        told.append("by a CPU emulator with models of the chip's clocks and UART")
    return "; ".join(told) + ". No board was on the desk."


def command_line_page() -> str:
    """The help text of every command."""
    lines = ["# Command line", ""]
    with click.Context(group, info_name="mcucomp", **SETTINGS) as top:
        lines += ["```text", group.get_help(top), "```", ""]
        for name in group.list_commands(top):
            command = group.get_command(top, name)
            assert command is not None
            with click.Context(command, info_name=name, parent=top, **SETTINGS) as context:
                lines += [f"## mcucomp {name}", "", "```text", command.get_help(context), "```", ""]
    return "\n".join(lines)


PAGES: dict[str, Callable[[], str]] = {
    "operators.md": operators_page,
    "boards.md": boards_page,
    "command-line.md": command_line_page,
}


def stale() -> list[str]:
    """Names of the pages whose file is not what their code says."""
    return [
        name
        for name, page in PAGES.items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text("utf-8") != NOTICE + page()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        for name in stale():
            print(f"docs/{name} is stale: call python docs/generate.py")
        return 1 if stale() else 0
    for name, page in PAGES.items():
        (DOCS / name).write_text(NOTICE + page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
