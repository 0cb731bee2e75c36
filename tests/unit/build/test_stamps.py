"""What is written into an image after linking: the CRC that an RP2040's ROM asks for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from mcucomp import boards, pipeline
from mcucomp.build.stamps import BOOT_SECTION, STAMPS, crc32_mpeg2
from tests.support import tools

DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"


def test_the_crc_of_the_catalogue() -> None:
    """The check value that catalogues of CRCs give for this one (CRC-32/MPEG-2)."""
    assert crc32_mpeg2(b"123456789") == 0x0376E6E7


def test_a_message_with_its_crc_has_the_crc_zero() -> None:
    message = bytes(range(252))
    assert crc32_mpeg2(message + crc32_mpeg2(message).to_bytes(4, "big")) == 0


def test_every_stamp_of_a_board_is_known() -> None:
    assert {board.stamp for board in boards.known().values()} - {None} == set(STAMPS)


def test_the_image_of_a_pico_begins_with_a_stage_that_the_rom_accepts(tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc")
    pipeline.build(DIGITS, "rpi-pico", tmp_path / "out", pipeline.Options())
    image = (tmp_path / "out" / "firmware.bin").read_bytes()
    assert int.from_bytes(image[252:256], "little") == crc32_mpeg2(image[:252]) != 0
    with (tmp_path / "out" / "firmware.elf").open("rb") as file:
        section = ELFFile(file).get_section_by_name(BOOT_SECTION)
        assert section["sh_addr"] == 0x1000_0000
        assert section.data() == image[:256]
    stack, reset = (int.from_bytes(image[at : at + 4], "little") for at in (0x100, 0x104))
    assert 0x2000_0000 < stack <= 0x2004_2000
    assert 0x1000_0100 < reset < 0x1020_0000
    assert reset % 2 == 1, "Thumb"


@pytest.mark.parametrize("name", list(boards.known()))
def test_the_digits_build_for_every_board(name: str, tmp_path: Path) -> None:
    board = boards.find(name)
    tools.require(f"{board.toolchain}gcc")
    built = pipeline.build(DIGITS, name, tmp_path / "out", pipeline.Options())
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["board"] == name
    if board.is_host:
        return
    sizes = built.image.sizes
    assert sizes is not None
    assert board.flash_bytes is not None
    assert board.ram_bytes is not None
    assert 0 < sizes.flash_bytes < board.flash_bytes
    assert 0 < sizes.ram_bytes < board.ram_bytes
    with (tmp_path / "out" / "firmware.elf").open("rb") as file:
        arena = ELFFile(file).get_section_by_name(".mcuc_arena")
        assert board.sections is not None
        region = board.region(board.sections.arena)
        assert region.origin <= arena["sh_addr"] < arena["sh_addr"] + arena["sh_size"] <= region.end
