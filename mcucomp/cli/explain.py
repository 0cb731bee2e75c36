"""`mcucomp explain`: what no input can change, layer by layer, and what that is worth."""

from __future__ import annotations

from pathlib import Path

import click

from mcucomp import explaining, ir, tflite
from mcucomp.cli.options import alignment_option, json_option
from mcucomp.report.explain_document import explain_document
from mcucomp.report.explain_text import explain_text
from mcucomp.report.terminal import print_json, story


@click.command("explain")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--channels",
    "shows_channels",
    is_flag=True,
    help="Also say of each channel that never changes why that is so.",
)
@alignment_option
@json_option
def command(model: Path, shows_channels: bool, alignment: int, as_json: bool) -> None:
    """Say what the weights of MODEL prove about its values, and what that is worth.

    For each channel an interval is computed that its values never leave,
    whatever the input. A channel whose interval is one value is constant; it and
    all that only works for it is dropped by 'build', 'plan' and 'rewrite' under
    the rule values. Outputs stay the same, bit for bit. With --json the interval
    of every channel is listed, with the reason.
    """
    read = tflite.load(model)
    ir.verify(read)
    with story() as tell:
        tell("explain")
        found = explaining.explain(read, alignment)
    if as_json:
        print_json(explain_document(found))
    else:
        explain_text(found, shows_channels=shows_channels)
