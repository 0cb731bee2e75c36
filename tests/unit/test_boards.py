"""Board files: those that come with mcucomp, and everything that can be wrong with one."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcucomp import boards
from mcucomp.errors import InvalidBoard
from mcucomp.paths import boards_folder, firmware_folder, renode_folder

STM32 = (boards_folder() / "stm32.toml").read_text(encoding="utf-8")
FIX = "  fix: correct these keys; boards/stm32.toml is a complete example"


def written(folder: Path, text: str) -> Path:
    path = folder / "board.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_boards_that_come_along() -> None:
    assert list(boards.known()) == [
        "b-l475e-iot01a",
        "host",
        "microbit",
        "mps2-an385",
        "mps2-an386",
        "mps2-an500",
        "mps2-an505",
        "mps3-an547",
        "nrf52840-dk",
        "nucleo-f446re",
        "nucleo-h753zi",
        "rpi-pico",
        "stm32",
        "stm32f746g-disco",
    ]
    assert all((boards_folder() / f"{name}.toml").is_file() for name in boards.known())


def test_the_stm32_has_what_the_data_sheet_says() -> None:
    stm32 = boards.find("stm32")
    assert stm32.flash_bytes == 1024 * 1024
    assert stm32.ram_bytes == (112 + 16) * 1024
    assert stm32.region("SRAM").origin == 0x20000000
    assert stm32.region("CCM").bytes == 64 * 1024
    assert not stm32.is_host


KIB = 1024


@pytest.mark.parametrize(
    ("name", "cpu", "flash_kib", "ram_kib"),
    [
        # Flash and all RAM of the chip, core coupled memory included, as the data sheets' tables
        # of features have them.
        ("stm32", "cortex-m4", 1024, 192),
        ("nucleo-f446re", "cortex-m4", 512, 128),
        ("stm32f746g-disco", "cortex-m7", 1024, 320 + 16),
        ("nucleo-h753zi", "cortex-m7", 2048, 1060 - 4),  # without 4 KiB of backup SRAM
        ("b-l475e-iot01a", "cortex-m4", 1024, 128),
        ("nrf52840-dk", "cortex-m4", 1024, 256),
        ("rpi-pico", "cortex-m0plus", 2048, 264),
        ("microbit", "cortex-m0", 256, 16),
    ],
)
def test_chips_have_the_memory_of_their_data_sheets(
    name: str, cpu: str, flash_kib: int, ram_kib: int
) -> None:
    board = boards.find(name)
    assert board.cpu == cpu
    assert sum(r.bytes for r in board.memory if r.kind == "flash") == flash_kib * KIB
    assert sum(r.bytes for r in board.memory if r.kind == "ram") == ram_kib * KIB
    assert any("data sheet" in s or "Product Specification" in s for s in board.source)


def test_the_arena_of_a_nucleo_h753zi_may_move(tmp_path: Path) -> None:
    text = (boards_folder() / "nucleo-h753zi.toml").read_text(encoding="utf-8")
    assert boards.find("nucleo-h753zi").ram_bytes == (512 + 128) * KIB
    moved = boards.load(written(tmp_path, text.replace('arena = "AXI"', 'arena = "DTCM"')))
    assert moved.ram_bytes == 128 * KIB


@pytest.mark.parametrize("name", [n for n, b in boards.known().items() if "renode" in b.emulators])
def test_renode_has_the_memories_of_the_chip_and_no_other(name: str) -> None:
    board = boards.find(name)
    text = (renode_folder() / board.emulators["renode"].platform).read_text(encoding="utf-8")
    found = re.findall(
        r"Memory\.MappedMemory @ sysbus (0x[0-9A-F]+)\n    size: (0x[0-9A-F]+)", text
    )
    assert sorted((int(origin, 16), int(size, 16)) for origin, size in found) == sorted(
        (region.origin, region.bytes) for region in board.memory
    )
    assert re.search(rf"^{board.emulators['renode'].uart}: UART\.", text, re.MULTILINE)
    assert f'cpuType: "{board.cpu}"' in text
    assert "http" not in text
    assert "ApplySVD" not in text


def test_the_host_has_no_limits() -> None:
    host = boards.find("host")
    assert host.is_host
    assert host.flash_bytes is None
    assert host.ram_bytes is None


@pytest.mark.parametrize("name", list(boards.known()))
def test_ports_are_there(name: str) -> None:
    paths = boards.find(name).port_paths()
    assert paths
    assert all(path.is_file() and firmware_folder() in path.parents for path in paths)
    assert len({path.stem for path in paths}) == len(paths)  # object files are named by it


def test_an_emulator_may_lack_regions_but_not_have_unknown_ones(tmp_path: Path) -> None:
    assert boards.find("stm32").emulators["qemu"].regions == ("FLASH", "SRAM")
    path = written(tmp_path, STM32.replace('["FLASH", "SRAM"]', '["FLASH", "SRAM1"]'))
    with pytest.raises(InvalidBoard) as refused:
        boards.find(str(path))
    assert str(refused.value) == (
        f"{path}: the board file is wrong\n"
        "  emulators.qemu.regions: no region SRAM1; known: SRAM, CCM, FLASH\n" + FIX
    )


def test_a_board_can_be_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, STM32.replace('name = "stm32"', 'name = "mine"'))
    assert boards.find(str(path)).name == "mine"


def test_an_unknown_board_lists_the_known_ones_nearest_first() -> None:
    with pytest.raises(InvalidBoard) as caught:
        boards.find("mps2-an501")
    assert str(caught.value) == (
        "no board named mps2-an501\n"
        "  known, nearest first: mps2-an500, mps2-an505, mps2-an385, mps2-an386, mps3-an547, "
        "b-l475e-iot01a, stm32, rpi-pico, nrf52840-dk, nucleo-h753zi, stm32f746g-disco, host, "
        "microbit, nucleo-f446re\n"
        "  fix: use one of these names, or the path of a board file that ends in .toml"
    )


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidBoard) as caught:
        boards.find(str(tmp_path / "no.toml"))
    assert str(caught.value) == (
        f"{tmp_path / 'no.toml'}: the board file cannot be read: No such file or directory\n"
        "  fix: give the path of a TOML file, or one of the names that `mcucomp boards` lists"
    )


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "name = ")
    with pytest.raises(InvalidBoard) as caught:
        boards.load(path)
    assert str(caught.value) == (
        f"{path}: not a TOML file: Invalid value (at end of document)\n"
        "  fix: boards/stm32.toml is a complete example"
    )
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidBoard) as caught:
        boards.load(path)
    assert caught.value.what == "the board file cannot be read: it is not UTF-8"


def test_all_wrong_keys_are_told_at_once(tmp_path: Path) -> None:
    text = STM32.replace("bytes = 131_072", "bytes = 0").replace('kind = "flash"', 'kind = "rom"')
    text = text.replace("clock_hz = 168_000_000", "clock_mhz = 168").replace("115_200", '"fast"')
    path = written(tmp_path, text)
    with pytest.raises(InvalidBoard) as caught:
        boards.load(path)
    assert str(caught.value) == (
        f"{path}: the board file is wrong\n"
        "  memory.0.kind: input should be 'flash' or 'ram'\n"
        "  memory.1.bytes: input should be greater than 0\n"
        "  serial.baud: input should be a valid integer\n"
        "  clock_mhz: extra inputs are not permitted\n" + FIX
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            'arena = "SRAM"',
            'arena = "SRAM2"',
            "sections.arena: no region SRAM2; known: SRAM, CCM, FLASH",
        ),
        ('arena = "SRAM"', 'arena = "FLASH"', "sections.arena: needs ram; FLASH is flash"),
        ('code = "FLASH"', 'code = "CCM"', "sections.code: needs flash; CCM is ram"),
        (
            "origin = 0x1000_0000",
            "origin = 0x2001_0000",
            "memory: SRAM [0x20000000, 0x20020000) and CCM [0x20010000, 0x20020000) overlap",
        ),
        ('name = "CCM"', 'name = "SRAM"', "memory: two regions named SRAM"),
        (
            "stack_bytes = 4096\n",
            "",
            "stack_bytes: needed for a board with memory regions; it is missing",
        ),
        (
            "stm32f4/stm32f4.c",
            "stm32f4/other.c",
            "port_sources: no file firmware/port/stm32f4/other.c",
        ),
        (
            '"stm32.repl"',
            '"other.repl"',
            "emulators.renode.platform: no file boards/renode/other.repl",
        ),
        (
            "[flashers.openocd]",
            "[flashers.opencd]",
            "flashers.opencd: extra inputs are not permitted",
        ),
        (
            "[emulators.renode]",
            "[emulators.simics]",
            "emulators.simics: extra inputs are not permitted",
        ),
        (
            'code = "FLASH"',
            'boot = "BOOT2"\ncode = "FLASH"',
            "sections.boot: no region BOOT2; known: CCM, FLASH, SRAM",
        ),
    ],
)
def test_keys_that_do_not_fit_together_are_told(
    tmp_path: Path, old: str, new: str, line: str
) -> None:
    path = written(tmp_path, STM32.replace(old, new))
    with pytest.raises(InvalidBoard) as caught:
        boards.load(path)
    assert str(caught.value) == f"{path}: the board file is wrong\n  {line}\n{FIX}"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"-mthumb"', '"; rm -rf /"', "architecture_flags.1"),
        ("stm32f4/stm32f4.c", "../../etc/passwd", "port_sources.5"),
        ('toolchain = "arm-none-eabi-"', 'toolchain = "/bin/sh -c "', "toolchain"),
        ('name = "stm32"', 'name = "../x"', "name"),
        ('machine = "netduinoplus2"', 'machine = "a,b=c"', "emulators.qemu.machine"),
        ("board/stm32f4discovery.cfg", "../../x.cfg", "flashers.openocd.configuration.0"),
        ('"stm32f407vg"', '"--script=x.py"', "flashers.pyocd.target"),
        ('"stm32.repl"', '"../x.repl"', "emulators.renode.platform"),
        ('"0403:6001"', '"0403;6001"', "serial.usb.0"),
    ],
)
def test_nothing_from_a_board_file_gets_further_than_it_should(
    tmp_path: Path, old: str, new: str, key: str
) -> None:
    with pytest.raises(InvalidBoard) as caught:
        boards.load(written(tmp_path, STM32.replace(old, new)))
    keys = [line.split(":")[0] for line in caught.value.details]
    assert keys[0] == key
    assert all(key.startswith(other) for other in keys)


@given(st.integers(0, 10**8), st.sampled_from(["stm32", "mps2-an386", "mps3-an547"]))
def test_ticks_give_instructions_back(instructions: int, name: str) -> None:
    """The difference of two rounded differences is less than two ticks off: never too much."""
    emulator = boards.find(name).emulators["qemu"]
    exact = Fraction(instructions << emulator.icount_shift) * emulator.counter_hz / 10**9
    if exact.denominator == 1 and emulator.icount_shift == 0:
        assert emulator.instructions(int(exact)) == instructions
        return
    for ticks in range(math.floor(exact - 2) + 1, math.ceil(exact + 2)):
        assert emulator.instructions(ticks) == instructions
