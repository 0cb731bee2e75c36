"""`mcucomp rewrite`: the same model for TensorFlow Lite Micro, with less arena."""

from __future__ import annotations

from pathlib import Path

import click

from mcucomp import rewriting, tflm
from mcucomp.cli.options import json_option, kernels_option
from mcucomp.report import tflm_documents
from mcucomp.report.terminal import print_json, story
from mcucomp.report.tflm_text import rewrite_text


@click.command("rewrite")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    metavar="OUT",
    help="The file to write; never the model itself.",
)
@click.option(
    "--rules",
    type=click.Choice([rules.value for rules in tflm.Rules]),
    default=tflm.Rules.VALUES.value,
    show_default=True,
    help="Order and offsets alone; outputs over dying inputs too, where TFLM's own kernels"
    " bear it; a model without what no input can make matter ('mcucomp explain' says what).",
)
@kernels_option
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Run both files in TFLM's own interpreter before anything is written"
    " [default: where tflite-micro is installed].",
)
@json_option
def command(
    model: Path, output: Path, rules: str, kernels: str, verify: bool | None, as_json: bool
) -> None:
    """Write MODEL anew so that TensorFlow Lite Micro needs less arena for it.

    Channels, clamps and operators that no input can make matter are dropped,
    operators stand in a better order, and metadata prescribes where tensors go;
    all else in the file stays. The firmware that runs it stays as it is.
    Exit status 1, and no file, if nothing better is found.
    """
    with story() as tell:
        done = rewriting.rewrite(model, output, tflm.Rules(rules), kernels, verify, tell)
    if as_json:
        print_json(tflm_documents.rewrite_document(done))
    else:
        rewrite_text(done)
