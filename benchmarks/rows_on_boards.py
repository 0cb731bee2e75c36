"""Do plans in rows hold on a board: TFLM's bytes, and the peak that was predicted?

    python benchmarks/rows_on_boards.py [--docs] [--only TEXT]

Builds each model of `RUNS` for its board, runs it on QEMU with drawn inputs, and compares
with TFLM. *whole* is the arena of the same model without rows on that board, or
that it does not fit there. Models are those of MCUCOMP_MODELS (default: the folder
../shared/models beside the checkout). --docs puts the table into docs/rows.md; with --only the
lines of other models stay there as they are.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import click
from measurements import DOCS, Place, models_folder

from mcucomp import build_directory, check, pipeline
from mcucomp.backends import KernelSet, Wanted
from mcucomp.check.inputs import drawn
from mcucomp.errors import DoesNotFit
from mcucomp.rules import parse

PLACE = Place(
    DOCS / "rows.md", "<!-- table: benchmarks/rows_on_boards.py --docs -->", "<!-- end of runs -->"
)
COLUMNS = (
    "model", "board", "kernels", "rules", "io", "whole", "arena", "measured", "bytes compared",
    "bytes that differ", "code", "code, whole", "instructions", "of whole",
)  # fmt: skip
INPUTS = 1


@dataclass(frozen=True, slots=True)
class Case:
    """A model as it is built."""

    model: str
    board: str = "stm32"
    kernels: KernelSet = KernelSet.PORTABLE
    rules: str = "all,rows"
    io: str = "shared"


STREAMED = pipeline.STREAM_INPUT
RUNS = (
    Case("tflm-person-detect-int8"),
    Case("tflm-person-detect-int8", io=STREAMED),
    Case("tflm-person-detect-int8", kernels=KernelSet.AUTO),
    Case("mlperf-ic-resnet8-int8"),
    Case("mlperf-ic-resnet8-int8", io=STREAMED),
    Case("mlperf-ic-resnet8-int8", kernels=KernelSet.AUTO),
    Case("mlperf-kws-dscnn-int8"),
    Case("mlperf-kws-dscnn-int8", io=STREAMED),
    Case("mlperf-kws-dscnn-int8", kernels=KernelSet.AUTO),
    Case("mlperf-sww-streaming-int8"),
    Case("mlperf-sww-streaming-int8", io=STREAMED),
    Case("tflm-micro-speech-int8"),
    Case("tflm-micro-speech-int8", io=STREAMED),
    Case("mlperf-vww-mobilenet025-int8", "mps2-an500"),
    Case("mlperf-vww-mobilenet025-int8", "mps2-an500", io=STREAMED),
    Case("efinix-yolo-person-int8", "mps2-an500"),
    Case("mediapipe-blazeface-front-int8", "mps2-an500"),
    Case("mcunet-vww-int8", rules="all,rows,integers"),
    Case("mcunet-person-det-int8"),
)


def _built(case: Case, rules: str, io: str, folder: Path) -> build_directory.BuildDirectory:
    options = pipeline.Options(rules=parse(rules), kernels=Wanted(case.kernels), io=io)
    pipeline.build(models_folder() / f"{case.model}.tflite", case.board, folder, options)
    return build_directory.load(folder)


def _whole(case: Case, folder: Path) -> tuple[str, int | None, int | None]:
    """(arena, code bytes, instructions) of the model without rows."""
    rules = ",".join(rule for rule in case.rules.split(",") if rule != "rows")
    try:
        build = _built(case, rules, "shared", folder)
    except DoesNotFit:
        return "does not fit", None, None
    with check.session(build, emulator="qemu") as session:
        run = session.infer(drawn(build.graph, 1, 1)[0], profile=False)
    arena = f"{build.report['memory']['arena_bytes']:,}"
    return arena, build.report["sizes"]["code_bytes"], run.instructions


def measured(case: Case, folder: Path) -> list[str]:
    """A row of the table."""
    build = _built(case, case.rules, case.io, folder / "rows")
    with check.session(build, emulator="qemu") as session:
        verdict = check.compare(build, session, drawn(build.graph, INPUTS, 1), lambda *_: None)
    whole, code_bytes, instructions = _whole(case, folder / "whole")
    run = verdict.runs[0]
    share = f"{run.instructions / instructions:.2f}" if run.instructions and instructions else ""
    compared = sum(build.graph.tensors[t].size_bytes for t in build.graph.outputs) * INPUTS
    return [
        case.model,
        case.board,
        case.kernels.value,
        case.rules,
        case.io,
        whole,
        f"{verdict.predicted_peak_bytes:,}",
        f"{run.arena_peak_bytes:,}",
        f"{compared:,}",
        f"{verdict.mismatching_bytes:,}",
        f"{build.report['sizes']['code_bytes']:,}",
        "" if code_bytes is None else f"{code_bytes:,}",
        "" if run.instructions is None else f"{run.instructions:,}",
        share,
    ]


@click.command()
@click.option("--docs", is_flag=True, help="Put the table into docs/rows.md.")
@click.option("--only", default="", help="Models whose names contain this.")
def main(docs: bool, only: str) -> None:
    """Print the table of models that run in rows on an emulated board."""
    head = ["| " + " | ".join(COLUMNS) + " |", "|---|---|---|---|---|" + "---:|" * 9]
    click.echo("\n".join(head))
    known = {_case_of(line): line for line in PLACE.text.splitlines()}
    lines = []
    for case in RUNS:
        if only in case.model:
            with tempfile.TemporaryDirectory() as folder:
                lines.append("| " + " | ".join(measured(case, Path(folder))) + " |")
            click.echo(lines[-1])
        elif line := known.get((case.model, case.board, case.kernels.value, case.rules, case.io)):
            lines.append(line)
    if docs:
        PLACE.put("\n".join([*head, *lines]))


def _case_of(line: str) -> tuple[str, ...]:
    """The members of the case that a line of the table is of."""
    return tuple(cell.strip() for cell in line.split("|")[1:6])


if __name__ == "__main__":
    main()
