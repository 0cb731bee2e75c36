"""One board in detail, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcucomp.errors import printable
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.boards import Board

HOST_MEMORY = "the operating system's"


def board_text(board: Board) -> None:
    """Print all that is known about a board: memories, sections, line, tools, sources."""
    line = stdout().print
    line(f"{board.name}: {printable(board.description)}")
    line(f"CPU        {board.cpu}, {' '.join(board.architecture_flags) or 'no flags'}")
    if board.clock_hz is not None:
        line(f"clock      {board.clock_hz:,} Hz")
    if board.serial is not None:
        serial = board.serial
        line(f"serial     {serial.uart}, {serial.baud:,} baud: {printable(serial.pins)}")
        line(f"           USB ids for --port auto: {', '.join(serial.usb) or 'none'}")
    line(f"emulators  {', '.join(sorted(board.emulators)) or 'none'}")
    line(f"flashers   {', '.join(board.flashers) or 'none'}")
    line(f"port       {', '.join(board.port_sources)}")
    if board.memory:
        line("")
        stdout().print(_memories(board))
    else:
        line(f"memory     {HOST_MEMORY}")
    line("")
    for source in board.source:
        line(f"source     {printable(source)}")


def _memories(board: Board) -> object:
    rows = table("memory", "kind", "origin", "bytes", "holds", right=("bytes",))
    assert board.sections is not None
    parts = {
        part: region for part, region in board.sections.model_dump().items() if region is not None
    }
    for region in board.memory:
        held = ", ".join(part for part, name in parts.items() if name == region.name)
        rows.add_row(region.name, region.kind, f"{region.origin:#010x}", f"{region.bytes:,}", held)
    return rows


def board_document(board: Board) -> dict[str, object]:
    """What `mcucomp boards NAME --json` prints; null for what a board does not have."""
    return {
        "name": board.name,
        "description": board.description,
        "cpu": board.cpu,
        "architecture_flags": list(board.architecture_flags),
        "clock_hz": board.clock_hz,
        "flash_bytes": board.flash_bytes,
        "ram_bytes": board.ram_bytes,
        "stack_bytes": board.stack_bytes,
        "memory": [region.model_dump() for region in board.memory],
        "sections": None if board.sections is None else board.sections.model_dump(),
        "serial": None if board.serial is None else board.serial.model_dump(mode="json"),
        "emulators": sorted(board.emulators),
        "flashers": list(board.flashers),
        "port_sources": list(board.port_sources),
        "source": list(board.source),
    }
