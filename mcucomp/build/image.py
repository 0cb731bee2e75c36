"""Compiling and linking the image of one model for one board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import jinja2

from mcucomp import backends
from mcucomp.backends.cmsis_nn_copy import Copy
from mcucomp.boards import Board, MemoryRegion
from mcucomp.build import toolchain
from mcucomp.build.regions import RegionUse, Section, read_sections, region_use, require_as_planned
from mcucomp.build.sizes import Sizes, measure
from mcucomp.build.stamps import STAMPS
from mcucomp.build.toolchain import Toolchain
from mcucomp.codegen import Sources
from mcucomp.errors import DoesNotFit, InvalidInput, ToolFailed
from mcucomp.paths import firmware_folder

ELF, BINARY, LINKER_SCRIPT = "firmware.elf", "firmware.bin", "link.ld"
BINARY_OF_REGION = "firmware.{}.bin"
COMPILE_JOBS = 2
OVERFLOW = re.compile(r"region [`']?(?P<region>\w+)'? overflowed by (?P<bytes>\d+) bytes")


@dataclass(frozen=True, slots=True)
class Image:
    """A linked image. The host has neither `sizes` nor `regions`: they would mean nothing."""

    elf: Path
    sizes: Sizes | None
    regions: tuple[RegionUse, ...] = ()


def build_image(
    folder: Path,
    name: str,
    sources: Sources,
    arena_bytes: int,
    board: Board,
    extra: Sequence[str],
    *,
    is_small: bool = False,
    cmsis_nn: Copy | None = None,
) -> Image:
    """Compile the sources that lie in `folder`, with kernels, harness and port, and link.

    Leaves `firmware.elf` in `folder` and, where the board is flashed, `firmware.bin` for the
    region of the code (with those that touch it) and `firmware.REGION.bin` for any other, and
    nothing else. `extra` are further flags for compiler and linker. With `is_small` model and
    kernels are compiled for size. What kernels call of `cmsis_nn` is compiled with them, whatever
    it is warned of.

    Raises:
        ToolMissing, ToolFailed, DoesNotFit: the last where the linker finds
            that flash or RAM is too small.
        McucompError: the image is not as planned, which is a bug of ours.
    """
    firmware = firmware_folder()
    tools = Toolchain(board.toolchain)
    common = [*board.architecture_flags, *toolchain.LANGUAGE_FLAGS, *toolchain.FLOAT_FLAGS, *extra]
    compile_flags = [
        *common,
        *toolchain.WARNING_FLAGS,
        # The same bytes wherever the project and the build directory are.
        f"-ffile-prefix-map={firmware}=firmware",
        f"-ffile-prefix-map={folder}=.",
        f"-I{firmware / 'include'}",
        f"-I{firmware / 'runtime'}",
        "-I.",
        *(() if cmsis_nn is None else _cmsis_nn_flags(cmsis_nn)),
    ]
    harness = _harness_flags(name, sources, arena_bytes)
    units = _units(sources, board, firmware)
    foreign = [] if cmsis_nn is None else _cmsis_nn_units(cmsis_nn, sources)
    commands = [
        [
            *(tools.compiler, *compile_flags, *_optimisation(unit, is_small)),
            *(("-w",) if (unit, source) in foreign else ()),
            *(harness if unit.startswith("runtime_") else ()),
            *("-c", "-o", unit, str(source)),
        ]
        for unit, source in (*units, *foreign)
    ]
    with ThreadPoolExecutor(COMPILE_JOBS) as pool:
        # list() re-raises what a worker raised.
        list(pool.map(lambda command: _compile(command, folder, sources), commands))
    objects = [object_file for object_file, _ in (*units, *foreign)]
    _link(folder, tools, common, objects, board, firmware)
    for object_file in objects:
        (folder / object_file).unlink()
    if board.is_host:
        return Image(folder / ELF, None)
    return _finished(folder / ELF, tools, sources, arena_bytes, board)


def _finished(
    elf: Path, tools: Toolchain, sources: Sources, arena_bytes: int, board: Board
) -> Image:
    """An image as it goes to a board: stamped, as it was planned, and its binaries written."""
    if board.stamp is not None:
        STAMPS[board.stamp](elf)
    sections = read_sections(elf)
    require_as_planned(sections, board, arena_bytes, sources.constants_bytes, elf)
    _write_binaries(elf.parent, tools, sections, board)
    return Image(elf, measure(elf), region_use(sections, board))


def _harness_flags(name: str, sources: Sources, arena_bytes: int) -> list[str]:
    """For the harness alone: the macros of a model may have these names."""
    return [
        f"-DMCUC_HARNESS_MODEL=mcuc_{name}_model",
        f"-DMCUC_HARNESS_ARENA_BYTES={arena_bytes}",
        f"-DMCUC_HARNESS_STATE_BYTES={sources.state_bytes}",
        f"-DMCUC_HARNESS_BUILD_ID=0x{sources.build_id:08X}U",
        f"-DMCUC_HARNESS_STREAM_BYTES={sources.streamed_bytes}",
    ]


def _compile(command: Sequence[str], folder: Path, sources: Sources) -> None:
    """Run the compiler. What is wrong with a user's kernels, or with how the model calls them,
    is the user's to correct; of their style nothing is asked.
    """
    source = command[-1]
    if source in sources.own_kernels:
        command = [part for part in command if part not in toolchain.WARNING_FLAGS]
    try:
        toolchain.run(command, folder)
    except ToolFailed as error:
        if not sources.own_kernels or Path(source).is_absolute():
            raise
        raise InvalidInput(
            "the C of a custom operator does not compile",
            at=source,
            details=error.details,
            fix="correct it; it is C99, with mcuc.h and all headers of kernels at hand",
        ) from error


def _write_binaries(
    folder: Path, tools: Toolchain, sections: Sequence[Section], board: Board
) -> None:
    """What is programmed into flash, from the first byte in use on.

    A file a region, unless two lie side by side: between others there may be gigabytes of nothing.
    """
    assert board.sections is not None
    for regions in _side_by_side(board.memory):
        loaded = [
            f"--only-section={section.name}"
            for section in sections
            if section.load is not None and regions[0].origin <= section.load < regions[-1].end
        ]
        if loaded:
            is_code = board.sections.code in [region.name for region in regions]
            name = BINARY if is_code else BINARY_OF_REGION.format(regions[0].name.lower())
            toolchain.run([tools.objcopy, "-O", "binary", *loaded, ELF, name], folder)


def _side_by_side(memory: Sequence[MemoryRegion]) -> list[list[MemoryRegion]]:
    """Regions in the order of their addresses, those without a gap between them together."""
    groups: list[list[MemoryRegion]] = []
    for region in sorted(memory, key=lambda region: region.origin):
        if groups and groups[-1][-1].end == region.origin:
            groups[-1].append(region)
        else:
            groups.append([region])
    return groups


def _units(sources: Sources, board: Board, firmware: Path) -> list[tuple[str, Path]]:
    """(object file, source) of all that is compiled, sorted so that links are alike.

    The object's name tells the linker script which part of the image it is.
    """
    units = [("model.o", Path("model.c")), ("weights.o", Path("weights.c"))]
    for source in dict.fromkeys(firmware / backends.source(k) for k in sources.kernels):
        units.append((f"kernel_{source.stem}.o", source))
    units += [(f"kernel_{Path(file).stem}.o", Path(file)) for file in sources.own_kernels]
    runtime = firmware / "runtime"
    units += [(f"runtime_{s.stem}.o", s) for s in sorted(runtime.glob("*.c"))]
    inputs = "rows.c" if sources.streamed_bytes else "whole.c"
    units.append(("runtime_inputs.o", runtime / "inputs" / inputs))
    units += [(f"port_{s.stem}.o", s) for s in board.port_paths()]
    return units


def _cmsis_nn_flags(copy: Copy) -> list[str]:
    folders = [flag for folder in copy.headers for flag in ("-isystem", str(folder.resolve()))]
    return [f"-ffile-prefix-map={copy.folder.resolve()}=cmsis-nn", *folders]


def _cmsis_nn_units(copy: Copy, sources: Sources) -> list[tuple[str, Path]]:
    """(object file, source) of what the kernels call; named like kernels, which it is part of."""
    return [(f"kernel_{s.stem}.o", s.resolve()) for s in copy.sources(sources.kernels)]


def _optimisation(object_file: str, is_small: bool) -> tuple[str, ...]:
    if object_file.startswith(("runtime_", "port_")):
        return toolchain.HARNESS_OPTIMISATION
    return toolchain.SIZE_OPTIMISATION if is_small else toolchain.MODEL_OPTIMISATION


def _link(
    folder: Path,
    tools: Toolchain,
    common: Sequence[str],
    objects: Sequence[str],
    board: Board,
    firmware: Path,
) -> None:
    command = [tools.compiler, *common, "-o", ELF, *objects, "-Wl,--gc-sections", "-lm"]
    if not board.is_host:
        (folder / LINKER_SCRIPT).write_text(_linker_script(board, firmware), encoding="ascii")
        command += ["-nostartfiles", "--specs=nano.specs", "-T", LINKER_SCRIPT]
        command += ["-Wl,--build-id=none"]
    try:
        toolchain.run(command, folder)
    except ToolFailed as error:
        overflow = OVERFLOW.search("\n".join(error.details))
        if overflow is None:
            raise
        raise _overflow(overflow, board) from error
    finally:
        (folder / LINKER_SCRIPT).unlink(missing_ok=True)


def _linker_script(board: Board, firmware: Path) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(firmware / "port" / "common"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # a linker script; its values are validated numbers and names
    )
    return environment.get_template("link.ld.j2").render(board=board)


def _overflow(overflow: re.Match[str], board: Board) -> DoesNotFit:
    region, excess_bytes = overflow["region"], int(overflow["bytes"])
    kind = board.region(region).kind
    others = [
        f"{r.name}, {r.bytes:,} B" for r in board.memory if r.kind == kind and r.name != region
    ]
    return DoesNotFit(
        f"the image needs {excess_bytes:,} B more of {region} than {board.name} has",
        details=[f"also {kind}, where --place may put a part: {'; '.join(others)}"]
        if others
        else [],
        fix="choose a board with more memory ('mcucomp boards'), or a smaller model",
    )
