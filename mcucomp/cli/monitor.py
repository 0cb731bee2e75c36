"""`mcucomp monitor`: what a board says on its serial line."""

from __future__ import annotations

import dataclasses

import click

from mcucomp import boards
from mcucomp.cli.options import json_option
from mcucomp.device.monitor import listen
from mcucomp.device.ports import AUTO, all_ports, find_port
from mcucomp.device.transports import LineRenewed
from mcucomp.device.transports.serial_port import SerialPort
from mcucomp.errors import InvalidInput
from mcucomp.report.terminal import print_json, stderr, stdout


@click.command("monitor")
@click.option("--port", default=AUTO, show_default=True, metavar="PORT", help="A serial port.")
@click.option(
    "--board",
    "-b",
    metavar="BOARD",
    help="Whose baud rate and USB ids: a name of 'mcucomp boards', or a TOML file.",
)
@click.option(
    "--for",
    "for_s",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop after this time [default: listen until Ctrl-C].",
)
@click.option("--list", "only_list", is_flag=True, help="Show the serial ports and nothing else.")
@json_option
def command(
    port: str, board: str | None, for_s: float | None, only_list: bool, as_json: bool
) -> None:
    """Show what comes over a serial line, safe for a terminal.

    Lines of mcucomp that arrived damaged are marked. Nothing is sent.
    """
    if only_list:
        _list(as_json)
        return
    if as_json:
        raise InvalidInput(
            "a serial line is no JSON document", at="--json", fix="use it with --list"
        )
    if board is None:
        if port == AUTO:
            raise InvalidInput(
                "say which board's port is to be found",
                at="mcucomp monitor",
                fix="--board BOARD, or --port PORT; --list shows the ports",
            )
        board = "stm32"  # every board of ours has the same baud rate
    chosen = boards.find(board)
    line = SerialPort((lambda: find_port(chosen)) if port == AUTO else (lambda: port), chosen)
    stderr().print(f"{line.name}: listening")
    try:
        _show(line, for_s)
    finally:
        line.close()


def _show(line: SerialPort, for_s: float | None) -> None:
    while True:
        try:
            for text in listen(line, for_s):
                stdout().print(text)
            return
        except LineRenewed:
            stderr().print(f"{line.name}: was away and is back")
        except (OSError, EOFError) as error:
            raise line.failure() from error


def _list(as_json: bool) -> None:
    ports = all_ports()
    if as_json:
        print_json({"schema": 1, "ports": [dataclasses.asdict(port) for port in ports]})
        return
    for port in ports:
        stdout().print(str(port))
    if not ports:
        stderr().print("there is no serial port")
