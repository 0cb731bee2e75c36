"""Links the harness with the fake model for a board, with no part of the build room."""

from __future__ import annotations

import subprocess
from pathlib import Path

import jinja2

from mcucomp.boards import Board
from mcucomp.paths import firmware_folder

WARNINGS = [
    *("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-Wsign-conversion"),
    *("-Wshadow", "-Wmissing-prototypes"),
]
MODEL = Path(__file__).parent / "model.c"
ARENA_BYTES = 1024


def build(
    board: Board, folder: Path, *extra_flags: str, arena_bytes: int = ARENA_BYTES, build_id: int = 7
) -> Path:
    """Writes FOLDER/firmware.elf, a program where the board is the host, and returns its path."""
    firmware = firmware_folder()
    compiler = [f"{board.toolchain}gcc", *board.architecture_flags, "-std=c99", "-O2"]
    compiler += ["-ffunction-sections", "-fdata-sections", "-ffp-contract=off", *WARNINGS]
    compiler += [f"-I{firmware / 'include'}", f"-I{firmware / 'runtime'}"]
    compiler += extra_flags
    compiler += ["-DMCUC_HARNESS_MODEL=mcuc_fake_model", f"-DMCUC_HARNESS_BUILD_ID={build_id}U"]
    compiler += [f"-DMCUC_HARNESS_ARENA_BYTES={arena_bytes}"]
    sources = {"model.o": MODEL}
    runtime = firmware / "runtime"
    sources |= {f"runtime_{p.stem}.o": p for p in sorted(runtime.glob("*.c"))}
    sources["runtime_inputs.o"] = runtime / "inputs" / "whole.c"
    sources |= {f"port_{p.stem}.o": p for p in board.port_paths()}
    for name, path in sources.items():
        subprocess.run([*compiler, "-c", str(path), "-o", name], cwd=folder, check=True)
    program = folder / "firmware.elf"
    link = [] if board.is_host else _link_flags(board, folder)
    subprocess.run([*compiler, *sources, *link, "-o", program.name], cwd=folder, check=True)
    return program


def _link_flags(board: Board, folder: Path) -> list[str]:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True)
    text = (firmware_folder() / "port" / "common" / "link.ld.j2").read_text(encoding="utf-8")
    (folder / "link.ld").write_text(environment.from_string(text).render(board=board))
    return ["-nostartfiles", "--specs=nano.specs", "-Tlink.ld", "-Wl,--gc-sections"]
