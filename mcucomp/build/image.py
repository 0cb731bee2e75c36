"""Compiling and linking the image of one model for one board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import jinja2

from mcucomp.backends import portable
from mcucomp.boards import Board
from mcucomp.build import toolchain
from mcucomp.build.sizes import Sizes, measure
from mcucomp.build.stamps import STAMPS
from mcucomp.build.toolchain import Toolchain
from mcucomp.codegen import Sources
from mcucomp.errors import DoesNotFit, ToolFailed
from mcucomp.paths import firmware_folder

ELF, BINARY, LINKER_SCRIPT = "firmware.elf", "firmware.bin", "link.ld"
COMPILE_JOBS = 2
OVERFLOW = re.compile(r"region [`']?(?P<region>\w+)'? overflowed by (?P<bytes>\d+) bytes")


@dataclass(frozen=True, slots=True)
class Image:
    """A linked image. `sizes` is None for the host, where they would mean nothing."""

    elf: Path
    sizes: Sizes | None


def build_image(
    folder: Path, name: str, sources: Sources, arena_bytes: int, board: Board, extra: Sequence[str]
) -> Image:
    """Compile the sources that lie in `folder`, with kernels, harness and port, and link.

    Leaves `firmware.elf` (and `firmware.bin` where all that is flashed lies together) in
    `folder`, and nothing else. `extra` are further flags for compiler and linker.

    Raises:
        ToolMissing, ToolFailed, DoesNotFit: the last where the linker finds
            that flash or RAM is too small.
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
        f"-DMCUC_HARNESS_MODEL=mcuc_{name}_model",
        f"-DMCUC_HARNESS_ARENA_BYTES={arena_bytes}",
        f"-DMCUC_HARNESS_BUILD_ID=0x{sources.build_id:08X}U",
    ]
    units = _units(sources, board, firmware)
    commands = [
        [tools.compiler, *compile_flags, _optimisation(name), "-c", "-o", name, str(source)]
        for name, source in units
    ]
    with ThreadPoolExecutor(COMPILE_JOBS) as pool:
        # list() re-raises what a worker raised.
        list(pool.map(lambda command: toolchain.run(command, folder), commands))
    _link(folder, tools, common, [object_file for object_file, _ in units], board, firmware)
    for object_file, _ in units:
        (folder / object_file).unlink()
    if board.is_host:
        return Image(folder / ELF, None)
    if board.stamp is not None:
        STAMPS[board.stamp](folder / ELF)
    if _is_one_piece(board):
        toolchain.run([tools.objcopy, "-O", "binary", ELF, BINARY], folder)
    return Image(folder / ELF, measure(folder / ELF))


def _is_one_piece(board: Board) -> bool:
    """Whether a raw image makes sense: it would fill the gap between distant memories."""
    assert board.sections is not None
    return board.sections.code == board.sections.weights


def _units(sources: Sources, board: Board, firmware: Path) -> list[tuple[str, Path]]:
    """(object file, source) of all that is compiled, sorted so that links are alike.

    The object's name tells the linker script which part of the image it is.
    """
    units = [("model.o", Path("model.c")), ("weights.o", Path("weights.c"))]
    for kernel in sources.kernels:
        source = firmware / portable.source(kernel)
        units.append((f"kernel_{source.stem}.o", source))
    units += [(f"runtime_{s.stem}.o", s) for s in sorted((firmware / "runtime").glob("*.c"))]
    units += [(f"port_{s.stem}.o", s) for s in board.port_paths()]
    return units


def _optimisation(object_file: str) -> str:
    is_harness = object_file.startswith(("runtime_", "port_"))
    return toolchain.HARNESS_OPTIMISATION if is_harness else toolchain.MODEL_OPTIMISATION


def _link(
    folder: Path,
    tools: Toolchain,
    common: Sequence[str],
    objects: Sequence[str],
    board: Board,
    firmware: Path,
) -> None:
    command = [tools.compiler, *common, "-o", ELF, *objects, "-Wl,--gc-sections"]
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
    return DoesNotFit(
        f"the image needs {excess_bytes:,} B more of {region} than {board.name} has",
        fix="choose a board with more memory ('mcucomp boards'), or a smaller model",
    )
