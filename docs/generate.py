"""Writes the generated pages of docs/: operators, boards, command line, public models.

python docs/generate.py           write them
python docs/generate.py --check   exit 1 and name those that are stale
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mcucomp import boards
from mcucomp.cli import group
from mcucomp.ops import registered
from mcucomp.zoo import ZooModel, known

DOCS = Path(__file__).parent
# Written by `make count-cases`.
CASES = "operator-cases.json"
# As the command line has them, for a terminal of one width.
SETTINGS: dict[str, Any] = {**group.context_settings, "terminal_width": 90}
NOTICE = "<!-- Made by docs/generate.py; do not edit. -->\n"


def operators_page() -> str:
    """Every operator with its conditions, as `mcucomp ops` prints them."""
    lines = ["# Operators", "", "What can be compiled, and under which conditions.", ""]
    lines += [*_cases_table(), *_left_out()]
    for definition in registered().values():
        lines += [f"## {definition.kind}", "", definition.summary, ""]
        lines += [f"- {constraint.sentence}" for constraint in definition.constraints]
        lines.append("")
    return "\n".join(lines)


def compared_cases() -> dict[str, dict[str, int]]:
    """Operator -> types -> cases, of all test files together, sorted."""
    files: dict[str, dict[str, dict[str, int]]] = json.loads((DOCS / CASES).read_text("utf-8"))
    found: dict[str, Counter[str]] = {}
    for kinds in files.values():
        for kind, rows in kinds.items():
            found.setdefault(kind, Counter()).update(rows)
    return {kind: dict(sorted(rows.items())) for kind, rows in sorted(found.items())}


def _cases_table() -> list[str]:
    """How many drawn cases of each operator and its types the tests compare with a reference."""
    cases = compared_cases()
    total = sum(number for rows in cases.values() for number in rows.values())
    lines = [
        "## What was compared",
        "",
        f"The tests in `tests/oracle/` draw shapes, values and quantisation and compare {total:,}",
        "uses of operators with TensorFlow Lite Micro's own interpreter (TILE and ONE_HOT, which",
        "it does not have, with NumPy), byte for byte; all are equal. Layers that remember are",
        "compared over sequences of inferences with a reset in between. `make count-cases` counts.",
        "",
        "| operator | types | cases |",
        "|---|---|---:|",
    ]
    for kind, rows in cases.items():
        lines += [f"| {kind} | {types} | {number} |" for types, number in rows.items()]
    return [*lines, "", *_tolerances()]


def _tolerances() -> list[str]:
    """How far float32 operators may be off where the C library is another one."""
    off = [f"{d.kind} {d.float_ulps}" for d in registered().values() if d.float_ulps]
    return [
        "## float32 on a board",
        "",
        "On the host float32 operators give TensorFlow Lite Micro's bytes. A board's firmware has",
        "the functions of another C library, so that operators that call them may be off, in units",
        f"in the last place, by at most: {', '.join(off)}. Layers that contain such functions",
        "(UNIDIRECTIONAL_SEQUENCE_LSTM, TFLite_Detection_PostProcess) are off by what these lead",
        "to; all others call none. `tests/emulation/test_float_functions.py` measures it on an",
        "emulated Cortex-M4.",
        "",
    ]


LEFT_OUT = (
    "DIV of int8, which TFLM computes with shifts that C leaves undefined",
    "GREATER of int16, whose scaling TFLM never sets",
    "the custom operators CIRCULAR_BUFFER, ethos-u and TFLM_DECODE",
    "Fourier transforms of a length whose half has a prime factor above 5",
    "TFLite_Detection_PostProcess with several classes a detection but without use_regular_nms,"
    " where TFLM writes beyond its outputs",
    "uint8 but where every operator that meets it is exact 128 lower; TFLM has no uint8 kernels",
    "float32 layers with int8 weights (hybrid), strings, sparse tensors, dynamic shapes",
)


def _left_out() -> list[str]:
    """What TFLM or LiteRT has and cannot be compiled."""
    return ["## What is left out", "", *(f"- {what}" for what in LEFT_OUT), ""]


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
            lines += _help_of(command, name, top)
    return "\n".join(lines)


def _help_of(command: click.Command, name: str, parent: click.Context) -> list[str]:
    """The help text of a command, and of those that it has itself."""
    with click.Context(command, info_name=name, parent=parent, **SETTINGS) as context:
        lines = [f"## {context.command_path}", "", "```text", command.get_help(context), "```", ""]
        for inner in command.commands.values() if isinstance(command, click.Group) else ():
            assert inner.name is not None
            lines += _help_of(inner, inner.name, context)
    return lines


def zoo_page() -> str:
    """Every public model with where it is from and what it exercises."""
    lines = [
        "# Public models",
        "",
        "`mcucomp zoo fetch NAME` downloads a model from its repository on GitHub and verifies it;",
        "`mcucomp zoo test` builds all that are here for the host and compares them with",
        "TensorFlow Lite Micro, byte for byte. Files go to the folder that `MCUCOMP_MODELS` names,",
        "else to `shared/models` beside the checkout if that exists, else to the user's cache;",
        "tests look there too. mcucomp carries these facts, never the models.",
        "",
        "| model | bytes | in TFLM | exercises | licence |",
        "|---|---|---|---|---|",
    ]
    lines += [_zoo_row(model) for model in known().values()]
    lines += ["", "| model | repository, commit, file | SHA-256 |", "|---|---|---|"]
    lines += [_zoo_source(model) for model in known().values()]
    return "\n".join([*lines, ""])


def _zoo_row(model: ZooModel) -> str:
    runs = "runs" if model.in_tflm else "refused"
    size = f"{model.size_bytes:,}"
    return f"| {model.name} | {size} | {runs} | {model.exercises} | {model.licence} |"


def _zoo_source(model: ZooModel) -> str:
    inside = f" ({model.member})" if model.member else ""
    file = f"{model.repository} {model.commit[:12]} `{model.path}`{inside}"
    return f"| {model.name} | {file} | `{model.sha256}` |"


PAGES: dict[str, Callable[[], str]] = {
    "operators.md": operators_page,
    "boards.md": boards_page,
    "command-line.md": command_line_page,
    "zoo.md": zoo_page,
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
