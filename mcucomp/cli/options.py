"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable

import click

from mcucomp.rules import parse

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout, errors included."
)

alignment_option = click.option(
    "--alignment",
    type=click.Choice(["1", "2", "4", "8", "16", "32"]),
    default="4",
    show_default=True,
    callback=lambda _context, _parameter, value: int(value),
    help="Offsets in the arena are multiples of this.",
)


rules_option = click.option(
    "--rules",
    default="all",
    show_default=True,
    metavar="RULES",
    callback=lambda _context, _parameter, value: parse(value),
    help="What planning may do: orders, +views, +rewrites, +overlap, or all.",
)


def transport_options(command: Callable[..., None]) -> Callable[..., None]:
    """How the device is reached: an emulator, or a serial port; the host needs neither."""
    command = click.option(
        "--port", metavar="PORT", help="The board's serial port, such as /dev/ttyACM0."
    )(command)
    return click.option("--emulator", metavar="NAME", help="Run on an emulator, such as qemu.")(
        command
    )


timeout_option = click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0.1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one inference may take.",
)
