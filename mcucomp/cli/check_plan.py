"""`mcucomp check-plan`: the independent checker."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mcucomp import ir, tflite
from mcucomp.cli.options import custom_option, json_option
from mcucomp.errors import InvalidInput
from mcucomp.planning import check_document
from mcucomp.report.terminal import print_json, stdout


@click.command("check-plan")
@click.argument("plan", type=click.Path(path_type=Path))
@click.argument("model", type=click.Path(path_type=Path))
@custom_option
@json_option
def command(plan: Path, model: Path, as_json: bool) -> None:
    """Verify PLAN, a plan.json, against MODEL, the .tflite file that it is of.

    Replays the order, tests all that is live together for overlap, and verifies
    the floor from its witness. The exit status is 1, and the line that is wrong is
    named, where the plan claims what is not so.
    """
    read = tflite.load(model)
    ir.verify(read)
    sentences = check_document(_document(plan), read)
    if as_json:
        print_json({"schema": 1, "check": {"ok": True, "true": list(sentences)}})
        return
    for sentence in sentences:
        stdout().print(sentence)


def _document(path: Path) -> object:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror}", at=str(path)) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("is no text in UTF-8", at=str(path)) from error
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(
            f"is no JSON document: {error}", at=str(path), fix="give a file that 'plan -o' wrote"
        ) from error
