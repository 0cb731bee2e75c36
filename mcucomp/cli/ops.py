"""`mcucomp ops`: which operators can be compiled, and under which conditions."""

from __future__ import annotations

import click

from mcucomp.cli.options import json_option
from mcucomp.errors import InvalidInput, nearest_first
from mcucomp.ops import registered
from mcucomp.report.terminal import print_json, stdout


@click.command("ops")
@click.argument("kinds", nargs=-1, metavar="[OPERATOR]...")
@json_option
def command(kinds: tuple[str, ...], as_json: bool) -> None:
    """Show the operators that can be compiled, with their conditions.

    With OPERATOR (such as CONV_2D), only those.
    """
    known = registered()
    by_upper = {kind.upper(): definition for kind, definition in known.items()}
    for kind in kinds:
        if kind.upper() not in by_upper:
            raise InvalidInput(
                f"operator {kind} is not known",
                at="mcucomp ops",
                fix="known are " + ", ".join(nearest_first(kind, known)),
            )
    chosen = [by_upper[kind.upper()] for kind in kinds] or list(known.values())
    if as_json:
        rows = [
            {
                "kind": d.kind,
                "summary": d.summary,
                "constraints": [c.sentence for c in d.constraints],
            }
            for d in chosen
        ]
        print_json({"schema": 1, "operators": rows})
        return
    for definition in chosen:
        stdout().print(f"{definition.kind}: {definition.summary}")
        for constraint in definition.constraints:
            stdout().print(f"  - {constraint.sentence}")
