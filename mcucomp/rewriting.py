"""The corridor for firmware that keeps TFLM: what a file needs, and a file that needs less."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mcucomp import ir, tflite, tflm
from mcucomp.check import interpreter, reference
from mcucomp.check.interpreter import Measured
from mcucomp.check.rewritten import Comparison, compare_files
from mcucomp.errors import AnswerIsNo, CheckFailed, InvalidInput, printable

Story = Callable[[str], None]

INPUTS = 5
SEED = 1
HOST_KERNELS = "reference"  # those of the package tflite-micro


@dataclass(frozen=True, slots=True)
class Needs:
    """What a model needs. `host` is None where nothing was measured, for the reason given."""

    model: ir.Model
    arena: tflm.Arena
    host: Measured | None
    why_not_measured: str = ""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file that was written to `path`. `comparison` is None where nothing was run.

    `notes` say what its user should know. The comparison's figures are of the
    reference kernels, whatever kernels the file was planned for.
    """

    model: ir.Model
    path: Path
    rewrite: tflm.Rewrite
    before: tflm.Arena
    after: tflm.Arena
    comparison: Comparison | None
    notes: tuple[str, ...]

    @property
    def measured(self) -> tuple[Measured, Measured] | None:
        """Before and after on this host, where it has the kernels that were planned for."""
        if self.comparison is None or self.rewrite.kernels != HOST_KERNELS:
            return None
        return self.comparison.before, self.comparison.after


def arena(
    path: Path, kernels: str, measure: bool | None, story: Story = lambda what: None
) -> Needs:
    """What TFLM will need for the model at `path`.

    `measure` asks for the smallest arena on this host, in the real interpreter;
    None does so where the package is installed.

    Raises:
        McucompError: any branch of the family.
    """
    model, data = _read(path)
    found = tflm.arena_of(model, tflm.KERNELS[kernels])
    if kernels != HOST_KERNELS:
        return Needs(model, found, None, f"this host has no {kernels} kernels")
    if measure is False:
        return Needs(model, found, None, "not measured")
    if measure is None and not interpreter.installed():
        return Needs(model, found, None, "not measured: tflite-micro is not installed")
    reference.require_installed()
    story("measure")
    host = interpreter.measure(data, len(model.graphs[0].inputs), model.source)
    if host.head_bytes != found.head_bytes:
        raise CheckFailed(
            f"TensorFlow Lite Micro takes {host.head_bytes:,} B of head;"
            f" {found.head_bytes:,} B were predicted",
            at=printable(model.source),
            fix="this is a bug of ours, or another version of TFLM; please report it",
        )
    return Needs(model, found, host)


def rewrite(
    path: Path,
    output: Path,
    rules: tflm.Rules,
    kernels: str,
    verify: bool | None,
    story: Story = lambda what: None,
) -> Rewritten:
    """Write to `output` the model at `path`, made to need less of TFLM's arena.

    `verify` runs both files in the real interpreter before anything is
    written; None does so where the package is installed.

    Raises:
        AnswerIsNo: the file would not be better, or not the same model.
        McucompError: any other branch of the family.
    """
    _require_apart(path, output)
    model, data = _read(path)
    story("plan")
    library = tflm.KERNELS[kernels]
    made = tflm.rewrite(model, data, tflm.Rules(rules), library)
    rewritten = tflite.read(made.data, model.source)
    ir.verify(rewritten)
    before, after = tflm.arena_of(model, library), tflm.arena_of(rewritten, library)
    if after.head_bytes != made.after.head_bytes:
        raise CheckFailed(
            f"{made.after.head_bytes:,} B of head were planned, and the file that was made of the"
            f" plan needs {after.head_bytes:,} B",
            at=printable(model.source),
            fix="this is a bug of ours; please report it with the model",
        )
    comparison = None
    if interpreter.installed() if verify is None else verify:
        reference.require_installed()
        comparison = _compare(model, data, rewritten, made, story)
    _write(output, made.data)
    notes = (*made.notes, *_planning_note(before, after))
    return Rewritten(model, output, made, before, after, comparison, notes)


def _planning_note(before: tflm.Arena, after: tflm.Arena) -> tuple[str, ...]:
    """A smaller head saves less, or nothing, where TFLM's planning itself needs the room."""
    head_saved = before.head_bytes - after.head_bytes
    saved = before.target.smallest_arena_bytes - after.target.smallest_arena_bytes
    if saved >= head_saved:
        return ()
    return (
        f"on a 32-bit target about {saved:,} B of the {head_saved:,} B are saved where head and"
        " tail share one arena: at its start TFLM needs the room for planning",
    )


def _compare(
    model: ir.Model, data: bytes, rewritten: ir.Model, made: tflm.Rewrite, story: Story
) -> Comparison:
    """Both files in the interpreter of this host, whose kernels are the reference's."""
    library = tflm.KERNELS[HOST_KERNELS]
    heads = (
        tflm.arena_of(model, library).head_bytes,
        tflm.arena_of(rewritten, library).head_bytes,
    )
    try:
        found = compare_files(model, (data, made.data), heads, INPUTS, SEED, story)
    except CheckFailed as error:
        error.at = printable(model.source)
        raise
    grows = found.after.smallest_arena_bytes > found.before.smallest_arena_bytes
    if made.kernels == HOST_KERNELS and grows:
        raise AnswerIsNo(
            f"the smallest arena would grow from {found.before.smallest_arena_bytes:,} B to"
            f" {found.after.smallest_arena_bytes:,} B on this host",
            at=printable(model.source),
        )
    return found


def _read(path: Path) -> tuple[ir.Model, bytes]:
    data = tflite.read_file(path)
    model = tflite.read(data, path.name)
    ir.verify(model)
    return model, data


def _require_apart(path: Path, output: Path) -> None:
    """The input is never touched, by whatever name it is called."""
    same = output == path
    try:
        same = same or (output.exists() and output.samefile(path))
        is_folder = output.is_dir()
    except OSError:
        is_folder = False
    if same:
        raise InvalidInput(
            "is the model itself, which is never changed",
            at=printable(str(output)),
            fix="name another file with -o",
        )
    if is_folder:
        raise InvalidInput("is a folder", at=printable(str(output)), fix="name a file with -o")


def _write(output: Path, data: bytes) -> None:
    """Put a whole file at `output`, or nothing."""
    work: Path | None = None
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{output.name}.", dir=output.parent)
        work = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        work.chmod(0o644)
        work.replace(output)
    except OSError as error:
        if work is not None:
            work.unlink(missing_ok=True)
        raise InvalidInput(
            f"cannot be written: {(error.strerror or type(error).__name__).lower()}",
            at=printable(str(output)),
            fix="name another file with -o",
        ) from error
