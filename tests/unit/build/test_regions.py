"""Is an image held to its plan, and is every region counted right?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mcucomp import boards, placement
from mcucomp.build.regions import (
    GUARD_BYTES,
    RegionUse,
    Section,
    region_use,
    require_as_planned,
)
from mcucomp.errors import McucompError

STM32 = boards.find("stm32")
ARENA_BYTES, CONSTANTS_BYTES = 1000, 300
ELF = Path("firmware.elf")

# As a small image for stm32 has them: 8 bytes of alignment among the weights.
SECTIONS = (
    Section(".vectors", 0x08000000, 64, 0x08000000, 64),
    Section(".mcuc_weights", 0x08000040, 308, 0x08000040, CONSTANTS_BYTES),
    Section(".text", 0x08000180, 2000, 0x08000180, 0),
    Section(".mcuc_stack", 0x20000000, 4096, None, 0),
    Section(".data", 0x20001000, 16, 0x08000950, 16),
    Section(".mcuc_arena", 0x20001010, ARENA_BYTES + 2 * GUARD_BYTES, None, 0),
    Section(".bss", 0x20001478, 500, None, 500),
)


def changed(name: str, **changes: int) -> tuple[Section, ...]:
    return tuple(replace(s, **changes) if s.name == name else s for s in SECTIONS)


def refused(sections: tuple[Section, ...], board: boards.Board = STM32) -> str:
    with pytest.raises(McucompError) as error:
        require_as_planned(sections, board, ARENA_BYTES, CONSTANTS_BYTES, ELF)
    assert error.value.exit_code == 70
    return str(error.value)


def message(*faults: str) -> str:
    lines = "".join(f"  {fault}\n" for fault in faults)
    return (
        f"firmware.elf: the linked image is not as it was planned\n{lines}"
        "  fix: this is a bug of ours; please report it with the model and the board file"
    )


def test_an_image_as_planned() -> None:
    """Nothing is raised; with one byte more or less it would be."""
    require_as_planned(SECTIONS, STM32, ARENA_BYTES, CONSTANTS_BYTES, ELF)
    for arena_more, constants_more in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        sizes_bytes = (ARENA_BYTES + arena_more, CONSTANTS_BYTES + constants_more)
        with pytest.raises(McucompError, match="is not as it was planned"):
            require_as_planned(SECTIONS, STM32, *sizes_bytes, ELF)


def test_regions_count_gaps_and_initial_values() -> None:
    assert region_use(SECTIONS, STM32) == (
        RegionUse("FLASH", "flash", 0x08000000, 1 << 20, 0x960, ("code", "weights")),
        RegionUse("SRAM", "ram", 0x20000000, 131072, 0x1478 + 500, ("stack", "data", "arena")),
        RegionUse("CCM", "ram", 0x10000000, 65536, 0, ()),
    )
    assert region_use(SECTIONS, STM32)[2].left_bytes == 65536


def test_an_arena_that_is_not_where_it_was_asked_for() -> None:
    board = placement.place(STM32, {"arena": "ccm"})
    assert refused(SECTIONS, board) == message(
        ".mcuc_arena [0x20001010, 0x20001478) is not in CCM [0x10000000, 0x10010000)"
    )


def test_weights_that_leave_their_region() -> None:
    assert refused(changed(".mcuc_weights", start=0x080FFFFF)) == message(
        ".mcuc_weights [0x080fffff, 0x08100133) is not in FLASH [0x08000000, 0x08100000)"
    )


def test_an_arena_of_another_size() -> None:
    assert refused(changed(".mcuc_arena", size_bytes=1129)) == message(
        ".mcuc_arena has 1,129 B; planned are 1,000 B and 128 B of guards"
    )


def test_weights_of_another_size_and_none_at_all() -> None:
    assert refused(changed(".mcuc_weights", objects_bytes=299)) == message(
        ".mcuc_weights has 299 B of arrays; planned are 300 B"
    )
    without = tuple(s for s in SECTIONS if s.name != ".mcuc_weights")
    assert refused(without) == message(".mcuc_weights has 0 B of arrays; planned are 300 B")


def test_a_section_that_no_part_names_lies_in_some_region() -> None:
    stray = Section(".init_array", 0x00000000, 4, 0x00000000, 0)
    assert refused((*SECTIONS, stray)) == message(
        ".init_array [0x00000000, 0x00000004) is not in FLASH [0x08000000, 0x08100000) or "
        "SRAM [0x20000000, 0x20020000) or CCM [0x10000000, 0x10010000)"
    )
    inside = replace(stray, start=0x08000A00, load=0x08000A00)
    require_as_planned((*SECTIONS, inside), STM32, ARENA_BYTES, CONSTANTS_BYTES, ELF)
