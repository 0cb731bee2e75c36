"""How full is each memory region, and does each part lie where it was planned?

In: a linked ELF file and its board. Out: what every region holds, read from
sections and program headers. The check asks of the image what the plan and the
placement say, and shares nothing with the linker script that brought it about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section as ElfSection
from elftools.elf.sections import SymbolTableSection

from mcucomp.boards import Board, MemoryRegion
from mcucomp.build.sizes import ARENA, HARNESS, KERNELS, MODEL, STACK, STATE, WEIGHTS
from mcucomp.errors import McucompError

# On either side of the arena, in firmware/runtime/measure.c.
GUARD_BYTES = 64

PARTS = {
    ".mcuc_boot": "boot",
    ".vectors": "code",
    MODEL: "code",
    KERNELS: "code",
    HARNESS: "code",
    ".text": "code",
    ".rodata": "code",
    WEIGHTS: "weights",
    ".data": "data",
    ".bss": "data",
    STATE: "data",
    ARENA: "arena",
    STACK: "stack",
}


@dataclass(frozen=True, slots=True)
class RegionUse:
    """A region of the board; `used_bytes` reach from its start to the last byte in use."""

    name: str
    kind: str
    origin: int
    size_bytes: int
    used_bytes: int
    parts: tuple[str, ...]

    @property
    def left_bytes(self) -> int:
        return self.size_bytes - self.used_bytes


@dataclass(frozen=True, slots=True)
class Section:
    """An allocated section: where it is when the program runs, and where it is loaded from.

    `load` is None where nothing is loaded. `objects_bytes` sums the sizes of the objects in
    it that have a symbol.
    """

    name: str
    start: int
    size_bytes: int
    load: int | None
    objects_bytes: int

    @property
    def end(self) -> int:
        return self.start + self.size_bytes


def read_sections(elf: Path) -> tuple[Section, ...]:
    """The allocated sections of an ELF file that are not empty."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        objects_bytes = _objects_bytes(file)
        found = []
        for index, section in enumerate(file.iter_sections()):
            if not section["sh_flags"] & SH_FLAGS.SHF_ALLOC or section["sh_size"] == 0:
                continue
            found.append(
                Section(
                    section.name,
                    section["sh_addr"],
                    section["sh_size"],
                    _load_address(file, section),
                    objects_bytes.get(index, 0),
                )
            )
    return tuple(found)


def _objects_bytes(file: ELFFile) -> dict[int, int]:
    """By index of a section, the bytes of the objects that the symbol table has there."""
    sums: dict[int, int] = {}
    table = file.get_section_by_name(".symtab")
    for symbol in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
        index = symbol["st_shndx"]
        if symbol["st_info"]["type"] == "STT_OBJECT" and isinstance(index, int):
            sums[index] = sums.get(index, 0) + symbol["st_size"]
    return sums


def _load_address(file: ELFFile, section: ElfSection) -> int | None:
    if section["sh_type"] == "SHT_NOBITS":
        return None
    for segment in file.iter_segments("PT_LOAD"):
        if segment.section_in_segment(section):
            return int(segment["p_paddr"] + section["sh_addr"] - segment["p_vaddr"])
    return int(section["sh_addr"])


def region_use(sections: Sequence[Section], board: Board) -> tuple[RegionUse, ...]:
    """Every region of `board`, in its file's order."""
    return tuple(_use_of(region, sections) for region in board.memory)


def _use_of(region: MemoryRegion, sections: Sequence[Section]) -> RegionUse:
    ends, parts = [region.origin], []
    for section in sections:
        if _is_in(region, section.start):
            ends.append(section.end)
            parts.append(PARTS.get(section.name, section.name))
        if section.load is not None and _is_in(region, section.load):
            ends.append(section.load + section.size_bytes)
    used_bytes = max(ends) - region.origin
    kept = tuple(dict.fromkeys(parts))
    return RegionUse(region.name, region.kind, region.origin, region.bytes, used_bytes, kept)


def _is_in(region: MemoryRegion, address: int) -> bool:
    return region.origin <= address < region.end


def require_as_planned(
    sections: Sequence[Section], board: Board, arena_bytes: int, constants_bytes: int, elf: Path
) -> None:
    """Raise an error of ours unless every part lies in its region and is as large as planned."""
    faults = [fault for section in sections for fault in _place_faults(section, board)]
    by_name = {section.name: section for section in sections}
    arena, weights = by_name.get(ARENA), by_name.get(WEIGHTS)
    found_bytes = arena.size_bytes if arena is not None else 0
    if found_bytes != arena_bytes + 2 * GUARD_BYTES:
        faults.append(
            f"{ARENA} has {found_bytes:,} B; planned are {arena_bytes:,} B and "
            f"{2 * GUARD_BYTES} B of guards"
        )
    found_bytes = weights.objects_bytes if weights is not None else 0
    if found_bytes != constants_bytes:
        faults.append(
            f"{WEIGHTS} has {found_bytes:,} B of arrays; planned are {constants_bytes:,} B"
        )
    if faults:
        raise McucompError(
            "the linked image is not as it was planned",
            at=elf.name,
            details=faults,
            fix="this is a bug of ours; please report it with the model and the board file",
        )


def _place_faults(section: Section, board: Board) -> list[str]:
    part = PARTS.get(section.name)
    regions = board.memory if part is None else (board.region(getattr(board.sections, part)),)
    if any(r.origin <= section.start and section.end <= r.end for r in regions):
        return []
    known = " or ".join(f"{r.name} [{r.origin:#010x}, {r.end:#010x})" for r in regions)
    return [f"{section.name} [{section.start:#010x}, {section.end:#010x}) is not in {known}"]
