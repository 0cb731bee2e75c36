"""`mcucomp export`: sources for someone else's firmware."""

from __future__ import annotations

from pathlib import Path

import click

from mcucomp import export, pipeline
from mcucomp.backends import CPUS, KernelSet, Optimize, Selection, Wanted, cmsis_nn
from mcucomp.cli.options import (
    alignment_option,
    custom_option,
    json_option,
    kernel_set_option,
    optimize_option,
)
from mcucomp.report import documents
from mcucomp.report.export_text import export_text
from mcucomp.report.terminal import print_json, story


@click.command("export")
@click.argument(
    "models", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="MODEL..."
)
@click.option(
    "--format",
    "-f",
    "format_name",
    required=True,
    metavar="FORMAT",
    help=f"For which build system: {', '.join(export.formats())}.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the sources go [default: build/MODEL-FORMAT].",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="The model's name in C, once for each model [default: the files'].",
)
@click.option(
    "--cpu",
    type=click.Choice(CPUS),
    help="Choose kernels for this CPU [default: those that every CPU runs].",
)
@kernel_set_option
@optimize_option
@alignment_option
@custom_option
@json_option
def command(
    models: tuple[Path, ...],
    format_name: str,
    output: Path | None,
    names: tuple[str, ...],
    cpu: str | None,
    kernels: KernelSet,
    optimize: Optimize,
    alignment: int,
    as_json: bool,
) -> None:
    """Write sources of MODEL, a .tflite file, for another build system.

    The folder holds the generated C, only those kernels that it calls, a README
    with the lines that call it, and what the build system needs. Several models
    share their kernels. The folder appears only when everything in it is whole.
    """
    folder = output or Path("build") / f"{models[0].stem}-{format_name}"
    # Of CMSIS-NN the project brings its own copy, whole.
    functions = tuple(sorted(set(cmsis_nn.FUNCTIONS.values())))
    wanted = Wanted(kernels, optimize, functions=functions if kernels is KernelSet.CMSIS_NN else ())
    selection = Selection(cpu or pipeline.PORTABLE.cpu, wanted)
    with story() as tell:
        exported = pipeline.export_sources(
            models, format_name, folder, names, alignment, tell, selection
        )
    if as_json:
        print_json(documents.export_document(exported))
    else:
        export_text(exported)
