"""The corridor: from a model's file to a build directory or an export, one line a room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_members
from pathlib import Path

from mcucomp import boards, codegen, export, ir, ops, placement, planner, planning, tflite
from mcucomp.backends import Choice, KernelSet, Optimize, Selection, Wanted, cmsis_nn_copy
from mcucomp.boards import Board
from mcucomp.build import SANITIZE_FLAGS, Image, build_image
from mcucomp.build_directory import BOARD_COPY, LOG_FOLDER, MODEL_COPY, PLAN, REPORT
from mcucomp.errors import InvalidInput
from mcucomp.fit import arena_limit_bytes, require_addressable, require_fit, require_weights_fit
from mcucomp.ops.row_types import RowForm
from mcucomp.output_folder import replace, require_replaceable, scratch_folder
from mcucomp.peaks import possible_peaks
from mcucomp.report import documents
from mcucomp.rules import ALL, DEFAULT, SAME_INPUTS, Rules

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

    found: planning.ModelPlan
    given: tuple[int, ...]
    answered: tuple[int, ...]

    @property
    def model(self) -> ir.Model:
        return self.found.model

    @property
    def graphs(self) -> tuple[planning.GraphPlan, ...]:
        """One for each of the model's, the first of which is the one that runs."""
        return self.found.graphs

    @property
    def main(self) -> planning.GraphPlan:
        return self.found.main

    @property
    def plan(self) -> planner.Plan:
        """The plan of the graph that runs."""
        return self.main.plan

    @property
    def possible_peaks_bytes(self) -> tuple[int, ...]:
        """What a device may measure; one without control flow."""
        return possible_peaks(self.graphs)

    @property
    def document(self) -> dict[str, object]:
        """`plan.json` of a build: the plan with its certificate, without wall times."""
        return planning.plan_document(self.found, timed=False)

    @property
    def rows(self) -> codegen.RowProgram | None:
        """What is carried out where the plan is one in rows."""
        found = self.main.rows
        if found is None:
            return None
        return codegen.RowProgram(
            self.model, self.main.calls, found.model.forms, found.row_plan, self.plan.alignment
        )

    @property
    def executed(self) -> tuple[tuple[ir.Operator, Choice], ...]:
        """The operators in the order in which they run, or, in rows, in which they begin to."""
        operators, main, rows = self.model.graphs[0].operators, self.main, self.rows
        if rows is None:
            steps = [(main.memory.operators[s], main.choices[s]) for s in self.plan.order]
        else:
            steps = [(k, _in_rows(main.choices[k], rows.forms.get(k))) for k in rows.order]
        return tuple((operators[k], choice) for k, choice in steps)


def _in_rows(choice: Choice, form: RowForm | None) -> Choice:
    """A choice with the kernel that does a row of it, where it runs in rows."""
    if form is None:
        return choice
    call = replace_members(choice.call, kernel=form.kernel, scratch_bytes=form.scratch_bytes)
    return replace_members(choice, call=call)


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
    memory region, where that is not the board file's; `placement.parse` has its form. `cmsis_nn` is
    the folder of a copy of CMSIS-NN, for the kernels of that name.
    """

    name: str | None = None
    alignment: int = DEFAULT_ALIGNMENT_BYTES
    sanitize: bool = False
    rules: Rules = DEFAULT
    kernels: Wanted = DEFAULT_KERNELS
    place: str = ""
    cmsis_nn: Path | None = None
    io: str = SHARED


def plan_model(
    data: bytes,
    source: str,
    alignment: int = DEFAULT_ALIGNMENT_BYTES,
    rules: Rules = ALL,
    selection: Selection = PORTABLE,
    io: str = SHARED,
    arena_limit_bytes: int | None = None,
) -> Planned:
    """Everything that needs no compiler; of the board only its CPU and what an arena can have.

    Raises:
        InvalidInput: rows of an input are to be handed in, and nothing reads one in rows.
    """
    model = tflite.read(data, source)
    ops.verify(model)
    alignment = max(alignment, *_element_bytes(model.graphs[0]))
    given, answered = model.graphs[0].inputs, model.graphs[0].outputs
    found = planning.plan_graphs(
        model,
        alignment,
        io=io,
        rules=rules,
        selection=selection,
        arena_limit_bytes=arena_limit_bytes,
    )
    require_addressable(source, "arena", found.main.plan.arena_bytes)
    return Planned(found, given, answered)


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
    cmsis_nn = _cmsis_nn(options.kernels.kernels, options.cmsis_nn)
    wanted = options.kernels
    if cmsis_nn is not None:
        wanted = replace_members(wanted, functions=cmsis_nn.functions)
    data = tflite.read_file(model_path)
    name = codegen.identifier(options.name or model_path.stem)
    story("plan")
    planned = plan_model(
        data,
        model_path.name,
        options.alignment,
        options.rules,
        Selection(board.cpu, wanted),
        options.io,
        arena_limit_bytes(board),
    )
    sources = _sources(name, planned, takes_integers=options.rules.integers)
    _require_room(model_path.name, planned, sources, board)
    with scratch_folder(folder) as work:
        for file, text in sources.files.items():
            (work / file).write_text(text, encoding="utf-8")
        story("compile")
        extra = SANITIZE_FLAGS if options.sanitize else ()
        arena_bytes = max(planned.plan.arena_bytes, planned.plan.alignment)
        is_small = options.kernels.optimize is Optimize.SIZE
        image = build_image(
            work, name, sources, arena_bytes, board, extra, is_small=is_small, cmsis_nn=cmsis_nn
        )
        built = Built(folder, name, board, planned, sources, image)
        (work / MODEL_COPY).write_bytes(data)
        (work / BOARD_COPY).write_bytes(boards.file_of(board_name).read_bytes())
        (work / LOG_FOLDER).mkdir()
        _write_json(work / PLAN, planned.document)
        _write_json(work / REPORT, documents.build_document(built))
        replace(folder, work)
    return built


def _require_room(source: str, planned: Planned, sources: codegen.Sources, board: Board) -> None:
    """Raise DoesNotFit where arena, state or constants are more than `board` has."""
    require_addressable(source, "state", sources.state_bytes)
    graph = planned.main.memory.step_graph
    require_fit(source, graph, planned.plan, board, sources.state_bytes)
    require_weights_fit(source, sources.constants_bytes, board)


def _cmsis_nn(kernels: KernelSet, folder: Path | None) -> cmsis_nn_copy.Copy | None:
    """The copy of CMSIS-NN to take kernels from, if that was asked for.

    Raises:
        InvalidInput: one option came without the other, or the folder is no such copy.
    """
    if (kernels is KernelSet.CMSIS_NN) != (folder is not None):
        raise InvalidInput(
            "kernels of CMSIS-NN need a copy of it"
            if folder is None
            else f"--kernels {kernels.value} takes nothing from a copy of CMSIS-NN",
            at="--kernels" if folder is None else cmsis_nn_copy.OPTION,
            fix="give --kernels cmsis-nn and --cmsis-nn PATH together",
        )
    return None if folder is None else cmsis_nn_copy.find(folder)


def _sources(name: str, planned: Planned, *, takes_integers: bool) -> codegen.Sources:
    given = planned.model.graphs[0].inputs if takes_integers else planned.given
    if planned.rows is not None:
        return codegen.emit_rows(name, planned.rows, given=given)
    return codegen.emit(name, planned.model, planned.graphs, given=given)


def export_sources(
    model_paths: Sequence[Path],
    format_name: str,
    folder: Path,
    names: Sequence[str] = (),
    alignment: int = DEFAULT_ALIGNMENT_BYTES,
    story: Story = lambda what: None,
    selection: Selection = PORTABLE,
) -> Exported:
    """Write sources for someone else's firmware into `folder`, which appears only when whole.

    `names` are the models' names in C, in their order; without them the files' are taken.
    `selection` says what kernels are chosen from; without it they are those for every CPU.
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
        data = tflite.read_file(path)
        planned.append(plan_model(data, path.name, alignment, SAME_INPUTS, selection))
        models.append(_exported_model(name, planned[-1]))
    package = export.make_package(models, selection.cpu)
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
        sources=codegen.emit(name, model, planned.graphs, stem),
        documents={f"{stem}{PLAN}": documents.text(planned.document)},
    )


def _write_json(path: Path, document: dict[str, object]) -> None:
    path.write_text(documents.text(document), encoding="utf-8")
