"""`mcucomp check`: many inferences on the device, compared with TFLM and the plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from mcucomp import build_directory, check
from mcucomp.build_directory import BuildDirectory
from mcucomp.check.inputs import drawn, expected_from_files, from_files
from mcucomp.cli.options import (
    custom_operators,
    custom_option,
    json_option,
    recording_options,
    timeout_option,
    transport_options,
)
from mcucomp.errors import CheckFailed, InvalidInput
from mcucomp.report import documents
from mcucomp.report.run_text import check_text
from mcucomp.report.terminal import print_json, story

INPUTS, INPUTS_WITH_STATE = 5, 50


@click.command("check")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@transport_options
@recording_options
@click.option(
    "--inputs",
    "count",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help=f"How many drawn inputs to run [default: {INPUTS}; {INPUTS_WITH_STATE} with state].",
)
@click.option(
    "--sequence",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="How many of them follow each other before the model begins anew "
    "[default: 1; all of them for a model with state].",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="S")
@click.option(
    "--input",
    "input_files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Check this input alone: raw bytes in the model's type, or .npy; once for each input.",
)
@click.option(
    "--trace",
    "is_traced",
    is_flag=True,
    help="Also run the first input step by step, and see that every operator reads and writes "
    "the bytes that it declares, and no others.",
)
@click.option(
    "--expect",
    "expected_files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Compare with this instead of TFLM; with --input, once for each output.",
)
@timeout_option
@custom_option
@json_option
def command(
    folder: Path,
    emulator: str | None,
    port: str | None,
    record: Path | None,
    replay: Path | None,
    count: int | None,
    sequence: int | None,
    seed: int,
    input_files: tuple[Path, ...],
    is_traced: bool,
    expected_files: tuple[Path, ...],
    timeout_s: float,
    as_json: bool,
) -> None:
    """Compare the device with TensorFlow Lite Micro, byte for byte, and with the plan.

    A model with state keeps it over the inputs of a sequence, there and here.

    Custom operators that TFLM does not have are computed by the references of their
    definitions (--custom), or the outputs are those that you expect (--expect).

    Floats from a board may be off as far as their operators state, as its C
    library is another one; how many are, and by how much, is told.

    Exit status 0 if every output byte and every measured arena peak is as it
    should be, 1 if not; then the first operator that differs is named. With
    --trace also 1 where an operator touches bytes that it does not declare.
    """
    build = build_directory.load(folder)
    if expected_files and not input_files:
        raise InvalidInput(
            "outputs are expected of an input that is given",
            at="--expect",
            fix="give --input too, once for each input of the model",
        )
    inputs = _inputs(build, input_files, count, seed)
    sequence = sequence or (len(inputs) if build.state_bytes else 1)
    judge = _judge(build, expected_files)
    if is_traced:
        check.require_traceable(build)
    with (
        story() as tell,
        check.session(
            build,
            emulator=emulator,
            port=port,
            record=record,
            replay=replay,
            timeout_s=timeout_s,
            story=tell,
        ) as s,
    ):
        verdict = check.compare(build, s, inputs, tell, sequence, judge)
        traced = check.trace(build, s, inputs[0], tell) if is_traced else None
    _tell(build, verdict, traced, as_json)


def _tell(
    build: BuildDirectory, verdict: check.Verdict, traced: check.Trace | None, as_json: bool
) -> None:
    """What was found, as text or as a document; an exit status of its own where it is bad."""
    problems = [*verdict.problems, *(traced.problems if traced is not None else ())]
    if as_json:
        print_json(documents.check_document(build, verdict, traced))
        if problems:
            raise click.exceptions.Exit(CheckFailed.exit_code)
        return
    check_text(build, verdict, traced)
    if problems:
        raise CheckFailed(
            "; ".join(problems),
            at=str(build.folder),
            fix="this is a bug of ours; please report it with the model",
        )


def _inputs(
    build: BuildDirectory, files: Sequence[Path], count: int | None, seed: int
) -> Sequence[Sequence[bytes]]:
    """One from the files, or as many drawn ones as was asked for."""
    if files:
        return [from_files(build.graph, files)]
    usual = INPUTS_WITH_STATE if build.state_bytes else INPUTS
    return drawn(build.graph, count or usual, seed)


def _judge(build: BuildDirectory, expected_files: Sequence[Path]) -> check.Judge:
    """Who says what the outputs should be."""
    own = custom_operators()
    return check.judge_of(
        build.model,
        build.graph,
        own.references,
        [definition.kind for definition in own.definitions],
        expected_from_files(build.graph, expected_files) if expected_files else None,
        has_state=bool(build.state_bytes),
    )
