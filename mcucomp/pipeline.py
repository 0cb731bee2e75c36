"""The corridor: from a model's file to a build directory or an export, one line a room."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcucomp import backends, boards, codegen, export, ir, memory, placement, planner, tflite
from mcucomp.backends import Choice, Optimize, Selection, Wanted
from mcucomp.boards import Board
from mcucomp.build import SANITIZE_FLAGS, Image, build_image
from mcucomp.build_directory import BOARD_COPY, LOG_FOLDER, MODEL_COPY, PLAN, REPORT
from mcucomp.errors import InvalidInput
from mcucomp.fit import require_fit, require_weights_fit
from mcucomp.ops import KernelCall, lower
from mcucomp.output_folder import replace, require_replaceable, scratch_folder
from mcucomp.report import documents
from mcucomp.rewrite import rewrite
from mcucomp.rows.plan import RowPlanned, plan_rows
from mcucomp.rules import ALL, SAME_INPUTS, Rules

DEFAULT_ALIGNMENT_BYTES = 4
DEFAULT_KERNELS = Wanted()
# Inputs lie in the arena as a whole, or the application hands in their rows when they are wanted.
SHARED, STREAM_INPUT = "shared", "stream-input"
# For a CPU that has nothing but what every CPU has.
PORTABLE = Selection("generic")
EXPORT_REPORT = "export.json"

Story = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Planned:
    """A model as it was rewritten, what its steps compile to and why, and where everything goes.

    `choices` has one a step; where the plan is in `rows`, one an operator. `given` are the inputs
    that the file has; those of the rewritten graph that differ are quantised from them while
    they are handed over.
    """

    model: ir.Model
    selection: Selection
    choices: tuple[Choice, ...]
    memory: memory.MemoryModel
    plan: planner.Plan
    given: tuple[int, ...]
    answered: tuple[int, ...]
    rows: codegen.RowProgram | None = None

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """The kernel call of each operator."""
        return tuple(choice.call for choice in self.choices)

    @property
    def executed(self) -> tuple[tuple[ir.Operator, Choice], ...]:
        """The operators in the order in which they run, or, in rows, in which they begin to."""
        operators = self.model.graphs[0].operators
        if self.rows is None:
            steps = [(self.memory.operators[s], self.choices[s]) for s in self.plan.order]
        else:
            steps = [(k, self._in_rows(k, self.rows)) for k in self.rows.order]
        return tuple((operators[k], choice) for k, choice in steps)

    def _in_rows(self, k: int, rows: codegen.RowProgram) -> Choice:
        """The choice for operator `k` with the kernel that does a row of it."""
        choice, form = self.choices[k], rows.forms.get(k)
        if form is None:
            return choice
        call = dataclasses.replace(
            choice.call, kernel=form.kernel, scratch_bytes=form.scratch_bytes
        )
        return dataclasses.replace(choice, call=call)


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
class Exported:
    """A finished export: what is in the package, and its files below `folder`."""

    folder: Path
    format: str
    package: export.Package
    planned: tuple[Planned, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """What can be asked of a build.

    `name` is the model's in C; None takes the file's. `place` says which part goes to which
    memory region, where that is not the board file's; `placement.parse` has its form.
    """

    name: str | None = None
    alignment: int = DEFAULT_ALIGNMENT_BYTES
    sanitize: bool = False
    rules: Rules = ALL
    kernels: Wanted = DEFAULT_KERNELS
    place: str = ""
    io: str = SHARED


def plan_model(
    data: bytes,
    source: str,
    alignment: int = DEFAULT_ALIGNMENT_BYTES,
    rules: Rules = ALL,
    selection: Selection = PORTABLE,
    io: str = SHARED,
) -> Planned:
    """Everything that needs no compiler; of the board only its CPU.

    Raises:
        InvalidInput: rows of an input are to be handed in, and nothing reads one in rows.
    """
    model = tflite.read(data, source)
    ir.verify(model)
    alignment = max(alignment, *_element_bytes(model.graphs[0]))
    edges = model.graphs[0].inputs, model.graphs[0].outputs
    model = rewrite(model, rules)
    if io == STREAM_INPUT:
        return _plan_in_rows(model, alignment, rules, selection, io, edges)
    whole_rules = dataclasses.replace(rules, rows=False)
    choices = backends.choose(lower(model), selection, alignment)
    calls = [choice.call for choice in choices]
    memory_model = memory.memory_model(model.graphs[0], calls, alignment, rules=whole_rules)
    plan = planner.plan(memory_model.step_graph)
    steps = tuple(
        choices[k].in_form(form) for k, form in zip(memory_model.operators, plan.forms, strict=True)
    )
    whole = Planned(model, selection, steps, memory_model, plan, *edges)
    if not rules.rows:
        return whole
    in_rows = _plan_in_rows(model, alignment, rules, selection, io, edges)
    return min(whole, in_rows, key=lambda planned: planned.plan.arena_bytes)


def _plan_in_rows(
    model: ir.Model,
    alignment: int,
    rules: Rules,
    selection: Selection,
    io: str,
    edges: tuple[tuple[int, ...], tuple[int, ...]],
) -> Planned:
    choices = backends.choose(lower(model), selection, alignment, in_rows=True)
    graph, calls = model.graphs[0], [choice.call for choice in choices]
    found: RowPlanned = plan_rows(graph, calls, alignment, io=io, rules=rules)
    if io == STREAM_INPUT and not found.row_plan.streamed_inputs:
        raise InvalidInput(
            "no input of the model is read in rows",
            at=f"{model.source}: --io {STREAM_INPUT}",
            fix="leave the option out",
        )
    steps = found.model.step_graph
    memory_model = memory.MemoryModel(steps, {}, {}, tuple(k for k, _ in found.model.steps))
    program = codegen.RowProgram(model, calls, found.model.forms, found.row_plan, alignment)
    return Planned(model, selection, choices, memory_model, found.plan, *edges, program)


def _element_bytes(graph: ir.Graph) -> list[int]:
    """Of inputs and outputs, which applications read and write where they lie."""
    dtypes = [graph.tensors[i].dtype for i in (*graph.inputs, *graph.outputs)]
    return [dtype.element_bytes or 1 for dtype in dtypes]


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
    board = placement.place(boards.find(board_name), placement.parse(options.place))
    if options.sanitize and not board.is_host:
        raise InvalidInput(
            f"sanitizers run on the host only; the board is {board.name}",
            at="--sanitize",
            fix="use --board host",
        )
    require_replaceable(folder, REPORT, "build directory")
    data = tflite.read_file(model_path)
    name = codegen.identifier(options.name or model_path.stem)
    story("plan")
    planned = plan_model(
        data,
        model_path.name,
        options.alignment,
        options.rules,
        Selection(board.cpu, options.kernels),
        options.io,
    )
    sources = _sources(name, planned, takes_integers=options.rules.integers)
    require_fit(model_path.name, planned.memory.step_graph, planned.plan, board)
    require_weights_fit(model_path.name, sources.constants_bytes, board)
    with scratch_folder(folder) as work:
        for file, text in sources.files.items():
            (work / file).write_text(text, encoding="utf-8")
        story("compile")
        extra = SANITIZE_FLAGS if options.sanitize else ()
        arena_bytes = max(planned.plan.arena_bytes, planned.plan.alignment)
        is_small = options.kernels.optimize is Optimize.SIZE
        image = build_image(work, name, sources, arena_bytes, board, extra, is_small=is_small)
        built = Built(folder, name, board, planned, sources, image)
        (work / MODEL_COPY).write_bytes(data)
        (work / BOARD_COPY).write_bytes(boards.file_of(board_name).read_bytes())
        (work / LOG_FOLDER).mkdir()
        _write_json(work / PLAN, documents.plan_document(planned))
        _write_json(work / REPORT, documents.build_document(built))
        replace(folder, work)
    return built


def _sources(name: str, planned: Planned, *, takes_integers: bool) -> codegen.Sources:
    given = planned.model.graphs[0].inputs if takes_integers else planned.given
    if planned.rows is not None:
        return codegen.emit_rows(name, planned.rows, given=given)
    return codegen.emit(
        name, planned.model, planned.calls, planned.memory, planned.plan, given=given
    )


def export_sources(
    model_paths: Sequence[Path],
    format_name: str,
    folder: Path,
    names: Sequence[str] = (),
    alignment: int = DEFAULT_ALIGNMENT_BYTES,
    story: Story = lambda what: None,
) -> Exported:
    """Write sources for someone else's firmware into `folder`, which appears only when whole.

    `names` are the models' names in C, in their order; without them the files' are taken.
    An earlier export at `folder` is replaced; anything else that is there is refused.

    Raises:
        McucompError: any branch of the family.
    """
    form = export.find(format_name)
    model_names = _model_names(model_paths, names)
    require_replaceable(folder, EXPORT_REPORT, "export")
    models, planned = [], []
    for path, name in zip(model_paths, model_names, strict=True):
        story(f"plan {name}")
        planned.append(plan_model(tflite.read_file(path), path.name, alignment, SAME_INPUTS))
        models.append(_exported_model(name, planned[-1]))
    package = export.make_package(models)
    files = export.package_files(package, form)
    exported = Exported(folder, form.name, package, tuple(planned), (*files, EXPORT_REPORT))
    files[EXPORT_REPORT] = documents.text(documents.export_document(exported))
    with scratch_folder(folder) as work:
        for file, content in files.items():
            (work / file).parent.mkdir(parents=True, exist_ok=True)
            (work / file).write_text(content, encoding="utf-8")
        replace(folder, work)
    return exported


def _model_names(paths: Sequence[Path], names: Sequence[str]) -> list[str]:
    if names and len(names) != len(paths):
        raise InvalidInput(
            f"{len(names)} names for {len(paths)} models",
            at="--name",
            fix="give --name once for each model, in their order, or leave it out",
        )
    found: dict[str, Path] = {}
    for path, name in zip(paths, names or [path.stem for path in paths], strict=True):
        chosen = codegen.identifier(name)
        if chosen in found:
            raise InvalidInput(
                f"two models are named {chosen} in C: {found[chosen]} and {path}",
                at="mcucomp export",
                fix="name them with --name, once for each model in their order",
            )
        found[chosen] = path
    return list(found)


def _exported_model(name: str, planned: Planned) -> export.ExportedModel:
    model, plan = planned.model, planned.plan
    stem = export.stem(name)
    return export.ExportedModel(
        name=name,
        source=codegen.comment(model.source),
        sha256=model.sha256,
        arena_bytes=max(plan.arena_bytes, plan.alignment),
        arena_peak_bytes=plan.high_water_bytes,
        sources=codegen.emit(name, model, planned.calls, planned.memory, plan, stem),
        documents={f"{stem}{PLAN}": documents.text(documents.plan_document(planned))},
    )


def _write_json(path: Path, document: dict[str, object]) -> None:
    path.write_text(documents.text(document), encoding="utf-8")
