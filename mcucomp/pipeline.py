"""The corridor: from a model's file to a build directory, one line a room."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcucomp import boards, codegen, ir, memory, planner, planning, tflite
from mcucomp.boards import Board
from mcucomp.build import SANITIZE_FLAGS, Image, build_image
from mcucomp.build_directory import BOARD_COPY, LOG_FOLDER, MODEL_COPY, PLAN, REPORT
from mcucomp.errors import InvalidInput
from mcucomp.fit import require_fit
from mcucomp.ops import KernelCall, lower
from mcucomp.planning import GraphPlan, ModelPlan
from mcucomp.report import documents
from mcucomp.rewrite import rewrite
from mcucomp.rules import ALL, Rules

DEFAULT_ALIGNMENT_BYTES = 4

Story = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Planned:
    """A model as it was rewritten, what its steps compile to, and where everything goes."""

    model: ir.Model
    calls: tuple[KernelCall, ...]
    memory: memory.MemoryModel
    plan: planner.Plan


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build directory."""

    folder: Path
    name: str
    board: Board
    planned: Planned
    sources: codegen.Sources
    image: Image


@dataclass(frozen=True, slots=True)
class Options:
    """What can be asked of a build. `name` is the model's in C; None takes the file's."""

    name: str | None = None
    alignment: int = DEFAULT_ALIGNMENT_BYTES
    sanitize: bool = False
    rules: Rules = ALL


def plan_model(
    data: bytes, source: str, alignment: int = DEFAULT_ALIGNMENT_BYTES, rules: Rules = ALL
) -> Planned:
    """Everything that needs neither board nor compiler."""
    model = tflite.read(data, source)
    ir.verify(model)
    if rules.rewrites:
        model = rewrite(model)
    calls = lower(model)
    memory_model = memory.memory_model(model.graphs[0], calls, alignment, rules=rules)
    plan = planner.plan(memory_model.step_graph)
    steps = tuple(
        dataclasses.replace(calls[k], kernel=form or calls[k].kernel)
        for k, form in zip(memory_model.operators, plan.forms, strict=True)
    )
    return Planned(model, steps, memory_model, plan)


def plan_document(planned: Planned) -> dict[str, object]:
    """`plan.json`: what `mcucomp check-plan` verifies."""
    graph = GraphPlan(planned.memory, planned.plan, 0)
    return planning.plan_document(ModelPlan(planned.model, (graph,), planning.IO[0]))


def build(
    model_path: Path,
    board_name: str,
    folder: Path,
    options: Options,
    story: Story = lambda what: None,
) -> Built:
    """Build `model_path` for a board into `folder`, which appears only when it is whole.

    An earlier build directory at `folder` is replaced; anything else that is
    there is left alone and refused.

    Raises:
        McucompError: any branch of the family.
    """
    board = boards.find(board_name)
    if options.sanitize and not board.is_host:
        raise InvalidInput(
            f"sanitizers run on the host only; the board is {board.name}",
            at="--sanitize",
            fix="use --board host",
        )
    _require_replaceable(folder)
    data = tflite.read_file(model_path)
    name = codegen.identifier(options.name or model_path.stem)
    story("plan")
    planned = plan_model(data, model_path.name, options.alignment, options.rules)
    sources = codegen.emit(name, planned.model, planned.calls, planned.memory, planned.plan)
    require_fit(model_path.name, planned.memory.step_graph, planned.plan, board)
    with _scratch_folder(folder) as work:
        for file, text in sources.files.items():
            (work / file).write_text(text, encoding="utf-8")
        story("compile")
        extra = SANITIZE_FLAGS if options.sanitize else ()
        arena_bytes = max(planned.plan.arena_bytes, planned.plan.alignment)
        image = build_image(work, name, sources, arena_bytes, board, extra)
        built = Built(folder, name, board, planned, sources, image)
        (work / MODEL_COPY).write_bytes(data)
        (work / BOARD_COPY).write_bytes(boards.file_of(board_name).read_bytes())
        (work / LOG_FOLDER).mkdir()
        _write_json(work / PLAN, plan_document(planned))
        _write_json(work / REPORT, documents.build_document(built))
        _replace(folder, work)
    return built


def _require_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InvalidInput("is a file", at=str(folder), fix="name another folder with -o")
    if any(folder.iterdir()) and not (folder / REPORT).is_file():
        raise InvalidInput(
            "exists and is no build directory of mcucomp (it has no report.json)",
            at=str(folder),
            fix="name another folder with -o, or empty this one",
        )


@contextlib.contextmanager
def _scratch_folder(folder: Path) -> Iterator[Path]:
    """A folder beside `folder`, so that it can be renamed into place; gone on failure."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise InvalidInput(
            f"cannot be created: {error.strerror}", at=str(folder), fix="name another with -o"
        ) from error
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _replace(folder: Path, work: Path) -> None:
    """Put `work` where `folder` is, in one rename from the reader's point of view."""
    work.chmod(0o755)
    if folder.exists():
        old = work.with_name(work.name + ".old")
        folder.rename(old)
        work.rename(folder)
        shutil.rmtree(old)
    else:
        work.rename(folder)


def _write_json(path: Path, document: dict[str, object]) -> None:
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
