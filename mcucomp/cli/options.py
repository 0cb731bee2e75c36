"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import click

from mcucomp import custom
from mcucomp.backends import KernelSet, Optimize
from mcucomp.ops import registering
from mcucomp.rules import parse
from mcucomp.tflm import KERNELS

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


kernels_option = click.option(
    "--kernels",
    type=click.Choice(list(KERNELS)),
    default="reference",
    show_default=True,
    help="The kernels that the firmware links, which say how much scratch there is: "
    + "; ".join(f"{k.name}, {k.summary}" for k in KERNELS.values())
    + ".",
)


def _one_of(
    name: str, default: StrEnum, help_text: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option whose value is a member of the default's enumeration."""
    members = type(default)
    return click.option(
        name,
        type=click.Choice([member.value for member in members]),
        default=default.value,
        show_default=True,
        callback=lambda _context, _parameter, value: members(value),
        help=help_text,
    )


kernel_set_option = _one_of(
    "--kernels",
    KernelSet.AUTO,
    "Which kernels to choose from; auto means all that the CPU runs.",
)
optimize_option = _one_of(
    "--optimize",
    Optimize.BALANCED,
    "What a kernel is chosen for: few instructions, little flash, or both.",
)


def rules_option(
    default: str, more: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """What planning may do, as `mcucomp.rules.parse` reads it; `more` is said of it."""
    return click.option(
        "--rules",
        default=default,
        show_default=True,
        metavar="RULES",
        callback=lambda _context, _parameter, value: parse(value),
        help="What planning may do: orders, +views, +rewrites, +overlap, +edges, +values, +rows, "
        f"+integers, or all, which is all but the last two{more}.",
    )


def transport_options(command: Callable[..., None]) -> Callable[..., None]:
    """How the device is reached: an emulator or a serial port; the host needs none."""
    for option in (
        click.option(
            "--port",
            metavar="PORT",
            help="The board's serial port, such as /dev/ttyACM0; 'auto' finds it by its USB id.",
        ),
        click.option(
            "--emulator", metavar="NAME", help="Run on an emulator, such as qemu or renode."
        ),
    ):
        command = option(command)
    return command


def recording_options(command: Callable[..., None]) -> Callable[..., None]:
    """Keeping the conversation with a device, and playing one instead of a device."""
    for option in (
        click.option(
            "--replay",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Play a recorded conversation instead: needs no board.",
        ),
        click.option(
            "--record",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Keep the conversation with the device, to be played later.",
        ),
    ):
        command = option(command)
    return command


timeout_option = click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0.1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one inference may take.",
)


_CUSTOM_OPERATORS = "mcucomp.custom"


def _know(context: click.Context, _parameter: click.Parameter, paths: tuple[Path, ...]) -> None:
    """Make custom operators known for as long as the command runs."""
    loaded = custom.load(paths)
    context.with_resource(registering(loaded.definitions))
    context.meta[_CUSTOM_OPERATORS] = loaded


custom_option = click.option(
    "--custom",
    "custom",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    expose_value=False,
    callback=_know,
    help="A Python file that defines custom operators, with their C beside it, or a folder"
    " of such files. The file is run.",
)


def custom_operators() -> custom.Loaded:
    """What the running command was given with `custom_option`."""
    found = click.get_current_context().meta[_CUSTOM_OPERATORS]
    assert isinstance(found, custom.Loaded)
    return found
