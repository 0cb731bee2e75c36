"""`mcucomp arena`: what TensorFlow Lite Micro will need, before anything is flashed."""

from __future__ import annotations

from pathlib import Path

import click

from mcucomp import rewriting
from mcucomp.cli.options import json_option, kernels_option
from mcucomp.report import tflm_documents
from mcucomp.report.terminal import print_json, story
from mcucomp.report.tflm_text import arena_text


@click.command("arena")
@click.argument("model", type=click.Path(path_type=Path))
@kernels_option
@click.option(
    "--measure/--no-measure",
    default=None,
    help="Find the smallest arena on this host in TFLM's own interpreter"
    " [default: where tflite-micro is installed].",
)
@json_option
def command(model: Path, kernels: str, measure: bool | None, as_json: bool) -> None:
    """Say how much arena MODEL needs in TensorFlow Lite Micro, and what makes it so much.

    The head (activations and scratch) is exact; the smallest arena is measured
    on this host, and estimated for a 32-bit target.
    """
    with story() as tell:
        needs = rewriting.arena(model, kernels, measure, tell)
    if as_json:
        print_json(tflm_documents.arena_document(needs))
    else:
        arena_text(needs)
