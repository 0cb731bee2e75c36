"""`mcucomp build`: from a model to an image, with what it will take."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from mcucomp import pipeline
from mcucomp.backends import KernelSet, Optimize, Wanted
from mcucomp.cli.options import (
    alignment_option,
    custom_option,
    json_option,
    kernel_set_option,
    optimize_option,
    rules_option,
)
from mcucomp.report import documents
from mcucomp.report.build_text import build_text
from mcucomp.report.terminal import print_json, story
from mcucomp.rules import Rules


@click.command("build")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--board",
    "-b",
    required=True,
    metavar="BOARD",
    help="A name of 'mcucomp boards', or a TOML file.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the build directory goes [default: build/MODEL-BOARD].",
)
@click.option("--name", metavar="NAME", help="The model's name in C [default: the file's].")
@alignment_option
@rules_option(
    "all,free-rows",
    "; free-rows is +rows where that is as fast, by estimate, and saves a tenth of the arena, "
    "or where the model fits in no other way",
)
@kernel_set_option
@click.option(
    "--cmsis-nn",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A copy of CMSIS-NN, with Include and Source in it, for --kernels cmsis-nn.",
)
@optimize_option
@click.option(
    "--flash-budget",
    "flash_budget_bytes",
    type=click.IntRange(min=1),
    metavar="BYTES",
    help="Code and constants of all kernels together take at most this.",
)
@click.option(
    "--place",
    multiple=True,
    metavar="PART=REGION[,...]",
    help="Put code, weights, data, arena or stack into another memory region of the board, "
    "such as arena=ccm.",
)
@click.option(
    "--io",
    type=click.Choice([pipeline.SHARED, pipeline.STREAM_INPUT]),
    default=pipeline.SHARED,
    show_default=True,
    help="How inputs arrive: as a whole in the arena, or row by row when they are wanted.",
)
@click.option(
    "--int8-io",
    is_flag=True,
    help="Take and give int8 where the model converts floats or uint8 at its edges; "
    "the rule +integers.",
)
@click.option(
    "--sanitize",
    is_flag=True,
    help="Compile with address and undefined-behaviour sanitizers (host only).",
)
@custom_option
@json_option
def command(
    model: Path,
    board: str,
    output: Path | None,
    name: str | None,
    alignment: int,
    rules: Rules,
    kernels: KernelSet,
    cmsis_nn: Path | None,
    optimize: Optimize,
    flash_budget_bytes: int | None,
    place: tuple[str, ...],
    io: str,
    int8_io: bool,
    sanitize: bool,
    as_json: bool,
) -> None:
    """Compile MODEL, a .tflite file, to an image for a board.

    Prints the arena that the image will use, and flash and RAM by part. The
    build directory appears only when everything in it is whole.
    """
    folder = output or Path("build") / f"{model.stem}-{Path(board).stem}"
    options = pipeline.Options(
        name=name,
        alignment=alignment,
        sanitize=sanitize,
        rules=replace(rules, integers=rules.integers or int8_io),
        kernels=Wanted(kernels, optimize, flash_budget_bytes),
        place=",".join(place),
        cmsis_nn=cmsis_nn,
        io=io,
    )
    with story() as tell:
        built = pipeline.build(model, board, folder, options, tell)
    if as_json:
        print_json(documents.build_document(built))
    else:
        build_text(built)
