"""`--place`: what it means, every way in which it can be wrong, and what is said then."""

from __future__ import annotations

import pytest

from mcucomp import boards, placement
from mcucomp.errors import InvalidInput


def refused(board: str, text: str) -> str:
    with pytest.raises(InvalidInput) as error:
        placement.place(boards.find(board), placement.parse(text))
    return str(error.value)


def test_parts_go_where_they_are_told_and_the_others_stay() -> None:
    board = placement.place(boards.find("stm32"), placement.parse("arena=ccm, Stack=CCM"))
    assert placement.as_dict(board) == {
        "code": "FLASH",
        "weights": "FLASH",
        "data": "SRAM",
        "arena": "CCM",
        "stack": "CCM",
    }
    assert boards.find("stm32").sections != board.sections
    assert board.ram_bytes == 128 * 1024 + 64 * 1024


def test_nothing_asked_for_changes_nothing() -> None:
    assert placement.parse("") == {}
    for board in boards.known().values():
        assert placement.place(board, {}) is board


def test_state_is_another_word_for_data() -> None:
    assert placement.parse("state=ccm") == {"data": "ccm"}


def test_another_form() -> None:
    message = (
        "--place: {} is not of the form PART=REGION\n"
        "  fix: such as --place arena=sram,weights=flash"
    )
    for text in ("arena", "=sram", "arena=", "arena:sram"):
        assert refused("stm32", text) == message.format(text)


def test_a_part_twice() -> None:
    assert refused("stm32", "data=sram,state=ccm") == (
        "--place: data is placed twice, in sram and in ccm\n  fix: name each part once"
    )


def test_unknown_part() -> None:
    assert refused("stm32", "arean=ccm") == (
        "--place: no part named arean\n"
        "  known, nearest first: arena, data, code, stack, weights\n"
        "  fix: use one of these names"
    )


def test_unknown_region() -> None:
    assert refused("stm32", "arena=dtcm") == (
        "--place: stm32 has no memory region dtcm\n"
        "  known, nearest first: CCM (ram), SRAM (ram), FLASH (flash)\n"
        "  fix: arena goes to a region of kind ram"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "arena=flash",
            "--place: arena needs a region of kind ram; FLASH is flash\n"
            "  fix: regions of stm32 that are ram: SRAM, CCM",
        ),
        (
            "weights=ccm",
            "--place: weights needs a region of kind flash; CCM is ram\n"
            "  fix: regions of stm32 that are flash: FLASH",
        ),
    ],
)
def test_wrong_kind(text: str, message: str) -> None:
    assert refused("stm32", text) == message


def test_the_host_has_no_regions() -> None:
    assert refused("host", "arena=sram") == (
        "--place: the board host has no memory regions\n  fix: leave the option out"
    )


def test_an_emulator_without_the_memory_is_refused() -> None:
    board = boards.find("stm32")
    regions = board.emulators["qemu"].regions
    placement.require_emulated(board, "the machine x of qemu", regions)
    moved = placement.place(board, {"arena": "ccm", "stack": "ccm"})
    with pytest.raises(InvalidInput) as error:
        placement.require_emulated(moved, "the machine x of qemu", regions)
    assert str(error.value) == (
        "stm32: the machine x of qemu has no memory at CCM (which holds arena, stack)\n"
        "  fix: run it on the board (--port), or build it without --place for this emulator"
    )


def test_an_emulator_that_names_no_regions_has_them_all() -> None:
    """Nothing is raised for a region that would be asked for of an emulator that names its own."""
    board = placement.place(boards.find("mps3-an547"), {"weights": "itcm"})
    placement.require_emulated(board, "any machine", None)
    with pytest.raises(InvalidInput, match="has no memory at ITCM"):
        placement.require_emulated(board, "any machine", ["SRAM"])
