"""The command line: one module a command, found by being here.

Each module has a `command`. A command parses, calls the pipeline and prints;
it does no work. stdout is the answer, stderr the story.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence

import click

import mcucomp
from mcucomp.errors import InvalidInput, McucompError
from mcucomp.report.terminal import stderr

EXIT_INTERRUPTED = 130


def _commands() -> dict[str, click.Command]:
    found = {}
    for module in pkgutil.iter_modules(__path__):
        command = getattr(importlib.import_module(f"{__name__}.{module.name}"), "command", None)
        if isinstance(command, click.Command):
            assert command.name is not None
            found[command.name] = command
    return dict(sorted(found.items()))


@click.group(
    commands=_commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(mcucomp.__version__, prog_name="mcucomp")
def group() -> None:
    """Compile TensorFlow Lite models to plain C for microcontrollers.

    Exit status: 0 yes, 1 the answer is no, 2 the request is wrong, 3 the
    outside world failed (a tool, a device), 70 a bug of ours.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status. Prints errors, raises none."""
    try:
        # Not standalone, click returns the status of an Exit, and what a command returned (None).
        status = group.main(args=list(arguments), prog_name="mcucomp", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        stderr().print(error.format_message(), markup=False, highlight=False)
        return 2
    except click.ClickException as error:
        return _fail(_usage_error(error), arguments)
    except McucompError as error:
        return _fail(error, arguments)
    except (KeyboardInterrupt, click.Abort):
        stderr().print("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our answer went away (`| head`); that is no failure of ours.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return 0
    except Exception as error:
        return _fail(_bug(error), arguments)
    return status if isinstance(status, int) else 0


def main() -> None:
    """The `mcucomp` command."""
    sys.exit(run(sys.argv[1:]))


def _usage_error(error: click.ClickException) -> McucompError:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "mcucomp"
    what = error.format_message().rstrip(".").replace("\n", " ")
    return InvalidInput(what, at=path, fix=f"'{path} --help' shows how it is called")


def _bug(error: Exception) -> McucompError:
    if os.environ.get("MCUCOMP_TRACEBACK"):
        traceback.print_exception(error)
    return McucompError(
        f"internal error: {type(error).__name__}: {error}",
        at="mcucomp",
        fix="this is a bug of ours; please report it with the output of "
        "MCUCOMP_TRACEBACK=1 mcucomp ...",
    )


def _fail(error: McucompError, arguments: Sequence[str]) -> int:
    if "--json" in arguments:
        click.echo(json.dumps({"schema": 1, "error": error.as_json()}, indent=2))
    else:
        stderr().print(str(error), markup=False, highlight=False, soft_wrap=True)
    return error.exit_code
