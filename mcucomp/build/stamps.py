"""What must be written into an image after linking, for a chip whose ROM checks it?

One function a board file's `stamp`; each changes bytes of the ELF file in place, so
that everything made from it (a raw image, a UF2 file) has them too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from elftools.elf.elffile import ELFFile

BOOT_SECTION = ".mcuc_boot"
BOOT_BYTES = 256
_CRC_BYTES = 4


def crc32_mpeg2(data: bytes) -> int:
    """CRC-32 of the polynomial 0x04C11DB7, highest bit first, started with ones, not inverted.

    What the ROM of an RP2040 computes (data sheet, 2.8.1.3.1).
    """
    crc = 0xFFFF_FFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = ((crc << 1) ^ (0x04C1_1DB7 if crc >> 31 else 0)) & 0xFFFF_FFFF
    return crc


def _rp2040_boot(elf: Path) -> None:
    """The CRC of the second boot stage, in the last four of its 256 bytes, lowest byte first."""
    with elf.open("r+b") as file:
        section = ELFFile(file).get_section_by_name(BOOT_SECTION)
        assert section is not None, "the linker script keeps it"
        assert section["sh_size"] == BOOT_BYTES
        crc = crc32_mpeg2(section.data()[:-_CRC_BYTES])
        file.seek(section["sh_offset"] + BOOT_BYTES - _CRC_BYTES)
        file.write(crc.to_bytes(_CRC_BYTES, "little"))


STAMPS: dict[str, Callable[[Path], None]] = {"rp2040-boot": _rp2040_boot}
