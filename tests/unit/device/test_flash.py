"""Flashing: what is run, what counts as written, and what each failure is told as.

The outputs are made up after those of the tools: the texts that a cause is known by, among
lines of the usual kind.
"""

from __future__ import annotations

import stat
import struct
import threading
import time
from pathlib import Path

import pytest

from mcucomp import boards
from mcucomp.boards import Board
from mcucomp.device.flash import Flashed, flash
from mcucomp.device.flashers import registered, uf2_file
from mcucomp.device.flashers import uf2 as uf2_module
from mcucomp.device.flashers.steps import FillDrive
from mcucomp.errors import InvalidInput, ToolFailed, ToolMissing

# (tool, board, output, cause, fix) of runs that fail with status 1.
FAILURES = [
    (
        "openocd",
        "stm32",
        "Open On-Chip Debugger 0.12.0\nInfo : clock speed 2000 kHz\nError: open failed\n",
        "cable: no debug probe is found",
        "check the USB cable (it must carry data) and that the board is connected; "
        "'lsusb' shows it",
    ),
    (
        "openocd",
        "stm32",
        "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\nError: open failed\n",
        "driver: the system refuses access to the probe",
        "on Linux install the tool's udev rules and plug the board in again; "
        "on Windows the driver that the tool's manual names",
    ),
    (
        "openocd",
        "stm32",
        "Info : STLINK V2J37S26\nInfo : Target voltage: 0.003112\n"
        "Error: target voltage may be too low for reliable debugging\n",
        "power: the probe sees no supply voltage on the chip",
        "check the board's power: jumpers, supply, and the cable between probe and board",
    ),
    (
        "openocd",
        "stm32",
        "Warn : UNEXPECTED idcode: 0x2ba01477\nError: expected 1 of 1: 0x1ba01477\n",
        "wrong chip: another one than the board file names",
        "build for the board that is connected ('mcucomp boards' lists them)",
    ),
    (
        "openocd",
        "nrf52840-dk",
        "Error: nRF52 device has AP lock engaged (see UICR APPROTECT register).\n",
        "locked: the chip is protected against reading or writing",
        "remove the read protection with the maker's tool: it erases the whole chip",
    ),
    (
        "openocd",
        "stm32",
        "Info : Target voltage: 2.9\nError: init mode failed (unable to connect to the target)\n",
        "cable or power: the probe is there, the chip does not answer",
        "check the board's power: jumpers, supply, and the cable between probe and board",
    ),
    (
        "openocd",
        "stm32",
        "** Programming Finished **\n** Verify Started **\n** Verify Failed **\n",
        "what was read back differs from what was written",
        "write again; if it stays, the flash is worn or the supply unstable",
    ),
    (
        "openocd",
        "stm32",
        "embedded:startup.tcl:28: Error: Can't find board/stm32f4discovery.cfg\n",
        "OpenOCD does not know the board: its version is too old",
        "install OpenOCD 0.11 or newer",
    ),
    (
        "st-flash",
        "stm32",
        "st-flash 1.7.0\nCouldn't find any ST-Link devices\n",
        "cable: no debug probe is found",
        "check the USB cable (it must carry data) and that the board is connected; "
        "'lsusb' shows it",
    ),
    (
        "st-flash",
        "stm32",
        "Could not open USB device 0x0483  0x374b access error.\n",
        "driver: the system refuses access to the probe",
        "on Linux install the tool's udev rules and plug the board in again; "
        "on Windows the driver that the tool's manual names",
    ),
    (
        "st-flash",
        "stm32",
        "WARN common.c: unknown chip id! 0xe0042000\n",
        "wrong chip: another one than the board file names",
        "build for the board that is connected ('mcucomp boards' lists them)",
    ),
    (
        "st-flash",
        "stm32",
        "ERROR flash_loader.c: Flash memory is write protected\n",
        "locked: the chip is protected against reading or writing",
        "remove the read protection with the maker's tool: it erases the whole chip",
    ),
    (
        "st-flash",
        "stm32",
        "Failed to connect to target\n",
        "cable or power: the probe is there, the chip does not answer",
        "check the board's power: jumpers, supply, and the cable between probe and board",
    ),
    (
        "st-flash",
        "stm32",
        "Verification of flash failed at offset: 4096\n",
        "what was read back differs from what was written",
        "write again; if it stays, the flash is worn or the supply unstable",
    ),
    (
        "pyocd",
        "nrf52840-dk",
        "No available debug probes are connected\n",
        "cable: no debug probe is found",
        "check the USB cable (it must carry data) and that the board is connected; "
        "'lsusb' shows it",
    ),
    (
        "pyocd",
        "stm32",
        "0000450 C Target type stm32f407vg not recognized. Use 'pyocd list --targets'\n",
        "pyOCD does not know the chip yet",
        "pyocd pack install CHIP, with the name in the board file",
    ),
    (
        "pyocd",
        "nrf52840-dk",
        "0000911 W NRF52840 APPROTECT enabled: not automatically unlocking\n",
        "locked: the chip is protected against reading or writing",
        "remove the read protection with the maker's tool: it erases the whole chip",
    ),
    (
        "pyocd",
        "stm32",
        "0001200 C SWD/JTAG communication failure (No ACK)\n",
        "cable or power: the probe is there, the chip does not answer",
        "check the board's power: jumpers, supply, and the cable between probe and board",
    ),
    (
        "stm32flash",
        "stm32",
        "stm32flash 0.5\nFailed to init device, timeout.\n",
        "the boot loader does not answer",
        "set BOOT0 high, reset the board, and check that TX and RX are crossed",
    ),
    (
        "stm32flash",
        "stm32",
        "/dev/ttyUSB0: Permission denied\nFailed to open port: /dev/ttyUSB0\n",
        "driver: the system refuses access to the serial port",
        "join the group that owns it (on Debian: usermod -aG dialout USER) and log in again",
    ),
    (
        "stm32flash",
        "stm32",
        "Failed to open port: /dev/ttyUSB0\n",
        "cable: there is no such serial port",
        "check the cable; 'mcucomp monitor --list' shows the ports",
    ),
    (
        "stm32flash",
        "stm32",
        "Got NACK from device on command 0x43\n",
        "locked: the chip is protected against reading or writing",
        "stm32flash -k PORT unlocks and erases the chip",
    ),
    (
        "stm32flash",
        "stm32",
        "Unknown/unsupported device (Device ID: 0x0999)\n",
        "wrong chip: another one than the board file names",
        "build for the board that is connected ('mcucomp boards' lists them)",
    ),
    (
        "stm32flash",
        "stm32",
        "Failed to verify at address 0x08000100, expected 0x12 and found 0xff\n",
        "what was read back differs from what was written",
        "write again; if it stays, the flash is worn or the supply unstable",
    ),
    (
        "dfu-util",
        "stm32",
        "dfu-util 0.11\nNo DFU capable USB device available\n",
        "cable: no board is in its boot loader",
        "set BOOT0 high, reset the board, and use the USB connector of the chip itself",
    ),
    (
        "dfu-util",
        "stm32",
        "Cannot open DFU device 0483:df11 found on devnum 9 (LIBUSB_ERROR_ACCESS)\n",
        "driver: the system refuses access to the probe",
        "on Linux install the tool's udev rules and plug the board in again; "
        "on Windows the driver that the tool's manual names",
    ),
    (
        "dfu-util",
        "stm32",
        "state(10) = dfuERROR, status(11) = errVENDOR\n",
        "locked: the chip is protected against reading or writing",
        "remove the read protection with the maker's tool: it erases the whole chip",
    ),
    (
        "dfu-util",
        "stm32",
        "Error during download get_status (LIBUSB_ERROR_PIPE)\n",
        "cable: the connection broke while it wrote",
        "try again with another cable, without a hub",
    ),
    (
        "picotool",
        "rpi-pico",
        "No accessible RP2040 devices in BOOTSEL mode were found.\n",
        "cable: no board is in its boot loader",
        "hold BOOTSEL while you plug the board in; the cable must carry data",
    ),
    (
        "picotool",
        "rpi-pico",
        "Device at bus 1, address 7 appears to be a RP2040 device in BOOTSEL mode, "
        "but picotool was unable to connect. Maybe try 'sudo' or check your permissions.\n",
        "driver: the system refuses access to the probe",
        "on Linux install the tool's udev rules and plug the board in again; "
        "on Windows the driver that the tool's manual names",
    ),
    (
        "picotool",
        "rpi-pico",
        "Loading into Flash: 100%\nERROR: Verification failed\n",
        "what was read back differs from what was written",
        "write again; if it stays, the flash is worn or the supply unstable",
    ),
]

# What each tool says when all went well, and its arguments for the board.
SUCCESSES = {
    "openocd": (
        "stm32",
        "** Programming Finished **\n** Verify Started **\n** Verified OK **\n",
        ["openocd -f board/stm32f4discovery.cfg -c 'program {ELF} verify reset exit'"],
    ),
    "st-flash": (
        "stm32",
        "INFO common_flash.c: Flash written and verified! jolly good!\n",
        ["st-flash --reset write BIN 0x08000000"],
    ),
    "pyocd": (
        "nrf52840-dk",
        "0002000 I Erased 24576 bytes\nAll 1000 bytes match.\n",
        [
            "PYOCD load --no-wait --target nrf52840 --format elf ELF",
            "PYOCD commander --no-wait --target nrf52840"
            " --command 'compare 0x00000000 \"BIN\"' --command reset",
        ],
    ),
    "stm32flash": (
        "stm32",
        "Wrote and verified address 0x080003e8 (100.00%) Done.\n",
        ["stm32flash -b 115200 -w BIN -v -S 0x08000000 -g 0x08000000 /dev/ttyUSB0"],
    ),
    "picotool": (
        "rpi-pico",
        "Loading into Flash:   [====]  100%\nVerifying Flash:      [====]  100%\n  OK\n",
        ["picotool load --verify --execute ELF"],
    ),
}


@pytest.fixture
def image(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "build"
    folder.mkdir()
    elf, binary = folder / "firmware.elf", folder / "firmware.bin"
    elf.write_bytes(b"\x7fELF")
    binary.write_bytes(bytes(range(250)) * 4)
    return elf, binary


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all of PATH but the shell's own programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")
    for flasher in registered().values():
        monkeypatch.setattr(
            type(flasher),
            "path",
            lambda f: (
                ""
                if f.program is None
                else str(folder / f.program)
                if (folder / f.program).is_file()
                else None
            ),
        )
    return folder


def stand_in(folder: Path, name: str, output: str, status: int) -> None:
    """A program that writes down its arguments, says `output`, and ends with `status`."""
    said = folder / f"{name}.said"
    said.write_text(output)
    program = folder / name
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {folder}/calls\ncat {said}\nexit {status}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def port_of(tool: str) -> str | None:
    return "/dev/ttyUSB0" if registered()[tool].needs_port else None


def write(board: Board, image: tuple[Path, Path], tool: str) -> Flashed:
    return flash(board, *image, tool=tool, port=port_of(tool))


@pytest.mark.parametrize(("tool", "name", "output", "cause", "fix"), FAILURES)
def test_a_failure_is_told_with_its_cause(
    path: Path,
    image: tuple[Path, Path],
    tool: str,
    name: str,
    output: str,
    cause: str,
    fix: str,
) -> None:
    stand_in(path, tool, output, 1)
    with pytest.raises(ToolFailed) as caught:
        write(boards.find(name), image, tool)
    (shown,) = [line for line in caught.value.details if line.startswith("$ ")]
    said = "".join(f"  | {line}\n" for line in output.splitlines())
    assert str(caught.value) == (
        f"{tool} did not write {name}: {cause}\n  {shown}\n{said}  fix: {fix}"
    )
    assert tool in shown


def test_every_symptom_of_every_tool_is_tested() -> None:
    """Except those that the drive and the second step of dfu-util show, which are below."""
    shown = {(tool, registered()[tool].symptom_in(output)) for tool, _, output, *_ in FAILURES}
    elsewhere = {("pyocd", "Mismatched"), ("dfu-util", "read back"), ("pyocd", "Access denied")}
    elsewhere |= {("pyocd", "unexpected"), ("picotool", "family ID"), ("st-flash", "voltage")}
    for tool, flasher in registered().items():
        for symptom in flasher.symptoms:
            told = (tool, symptom) in shown or tool == "uf2"
            assert told or any(t == tool and text in symptom.pattern for t, text in elsewhere)


@pytest.mark.parametrize("tool", SUCCESSES)
def test_what_is_run_and_that_it_is_verified(
    path: Path, image: tuple[Path, Path], tool: str
) -> None:
    name, output, commands = SUCCESSES[tool]
    stand_in(path, tool, output, 0)
    told: list[str] = []
    elf, binary = image
    done = flash(boards.find(name), elf, binary, tool=tool, port=port_of(tool), tell=told.append)
    expected = [
        c.replace("ELF", str(elf)).replace("BIN", str(binary)).replace("PYOCD", str(path / "pyocd"))
        for c in commands
    ]
    assert told == expected
    assert done == Flashed(tool, tuple(expected), written=True, verified=True)
    assert len((path / "calls").read_text().splitlines()) == len(commands)


@pytest.mark.parametrize("tool", SUCCESSES)
def test_status_0_without_a_word_of_verifying_is_a_failure(
    path: Path, image: tuple[Path, Path], tool: str
) -> None:
    name, _, _ = SUCCESSES[tool]
    stand_in(path, tool, "writing\n", 0)
    with pytest.raises(ToolFailed) as caught:
        write(boards.find(name), image, tool)
    assert caught.value.what == (f"{tool} did not write {name}: it does not say that it verified")
    assert caught.value.fix == "check the tool's version; write again"


def test_pyocd_ends_with_0_also_where_bytes_differ(path: Path, image: tuple[Path, Path]) -> None:
    stand_in(path, "pyocd", "Mismatched byte at 0x00000010 (offset 0x10): 0xff != 0x10\n", 0)
    with pytest.raises(ToolFailed) as caught:
        write(boards.find("nrf52840-dk"), image, "pyocd")
    assert caught.value.what == (
        "pyocd did not write nrf52840-dk: what was read back differs from what was written"
    )


def test_an_unknown_failure_shows_the_tools_own_words(path: Path, image: tuple[Path, Path]) -> None:
    stand_in(path, "st-flash", "\x1b[31msomething new\x1b[0m\n", 7)
    with pytest.raises(ToolFailed) as caught:
        write(boards.find("stm32"), image, "st-flash")
    assert str(caught.value) == (
        "st-flash did not write stm32: it ended with status 7\n"
        f"  $ st-flash --reset write {image[1]} 0x08000000\n"
        "  | \\x1b[31msomething new\\x1b[0m\n"
        "  fix: the tool's own words are above; its manual may know them"
    )


@pytest.mark.parametrize(
    ("back", "end", "what"),
    [
        ("cp IMAGE BACK", None, None),
        (
            "head -c 500 IMAGE > BACK",
            "| read back 500 of 1000 bytes",
            "what was read back differs from what was written",
        ),
        (
            "tr '\\001' '\\002' < IMAGE > BACK",
            "| read back: byte 1 differs",
            "what was read back differs from what was written",
        ),
    ],
)
def test_dfu_util_reads_back_and_compares(
    path: Path, image: tuple[Path, Path], back: str, end: str | None, what: str | None
) -> None:
    upload = back.replace("IMAGE", str(image[1])).replace("BACK", '"$last"')
    program = path / "dfu-util"
    program.write_text(
        '#!/bin/sh\nfor last; do :; done\nfor word; do if [ "$word" = -U ]; then '
        + upload
        + "; fi; done\n"
    )
    program.chmod(0o755)
    board = boards.find("stm32")
    if what is None:
        done = write(board, image, "dfu-util")
        assert done.steps[0] == f"dfu-util -d 0483:df11 -a 0 -s 0x08000000 -D {image[1]}"
        assert done.steps[1].startswith("dfu-util -d 0483:df11 -a 0 -s 0x08000000:1000:leave -U ")
        return
    with pytest.raises(ToolFailed) as caught:
        write(board, image, "dfu-util")
    assert caught.value.what == f"dfu-util did not write stm32: {what}"
    assert caught.value.details[-1] == end


# ---- which tool -----------------------------------------------------------------------------


def test_the_first_tool_that_is_installed_is_used(path: Path, image: tuple[Path, Path]) -> None:
    board = boards.find("stm32")
    assert list(board.flashers)[:3] == ["openocd", "st-flash", "pyocd"]
    for name in ("pyocd", "st-flash", "openocd"):
        stand_in(path, name, "", 0)
        assert flash(board, *image, dry_run=True).tool == name
    assert not (path / "calls").exists(), "a dry run runs nothing"


def test_a_port_means_a_tool_that_uses_one(path: Path, image: tuple[Path, Path]) -> None:
    for name in ("openocd", "stm32flash"):
        stand_in(path, name, "", 0)
    done = flash(boards.find("stm32"), *image, port="/dev/ttyUSB0", dry_run=True)
    assert (done.tool, done.written, done.verified) == ("stm32flash", False, False)


def test_the_probe_is_passed_on(path: Path, image: tuple[Path, Path]) -> None:
    cases = (("stm32", "openocd"), ("stm32", "st-flash"), ("stm32", "dfu-util"),
             ("nrf52840-dk", "pyocd"), ("rpi-pico", "picotool"))  # fmt: skip
    for name, tool in cases:
        done = flash(boards.find(name), *image, tool=tool, probe="066D FF", dry_run=True)
        assert "066D FF" in done.steps[0], tool


def no_tool(board: str, **more: object) -> str:
    with pytest.raises((InvalidInput, ToolMissing)) as caught:
        flash(boards.find(board), Path("x.elf"), Path(__file__), **more)  # type: ignore[arg-type]
    return str(caught.value)


def test_no_tool_is_installed(path: Path) -> None:
    assert no_tool("stm32") == (
        "none of the tools that can write stm32 is installed\n"
        "  openocd: apt-get install openocd\n"
        "  st-flash: apt-get install stlink-tools\n"
        "  pyocd: pip install 'mcucomp[flash]'\n"
        "  dfu-util: apt-get install dfu-util\n"
        "  fix: install one of them; 'mcucomp doctor' shows what is there"
    )
    assert no_tool("rpi-pico", tool="picotool") == (
        "the tool that can write rpi-pico is not installed\n"
        "  picotool: apt-get install picotool (Debian 13 or newer)\n"
        "  fix: install one of them; 'mcucomp doctor' shows what is there"
    )


def test_what_cannot_be_flashed(path: Path) -> None:
    assert no_tool("host") == (
        "firmware for host is a program of this computer: nothing is flashed\n"
        "  fix: 'mcucomp run DIR' runs it"
    )
    assert no_tool("mps2-an386") == (
        "the board mps2-an386 names no tool that writes it\n"
        "  emulators that run it: --emulator qemu\n"
        "  fix: add [flashers.TOOL] to its file; TOOL is one of dfu-util, openocd, picotool, "
        "pyocd, st-flash, stm32flash, uf2"
    )


def test_what_does_not_go_together(path: Path) -> None:
    stand_in(path, "openocd", "", 0)
    stand_in(path, "stm32flash", "", 0)
    assert no_tool("stm32", tool="picotool") == (
        "--with: the board stm32 is not written with picotool; known for it: "
        "pyocd, openocd, dfu-util, st-flash, stm32flash\n"
        "  fix: use one of these, or leave it out"
    )
    assert no_tool("stm32", tool="stm32flash") == (
        "--with: stm32flash needs the serial port of the boot loader\n"
        "  fix: --port PORT; 'mcucomp monitor --list' shows the ports"
    )
    assert no_tool("stm32", tool="openocd", port="/dev/x") == (
        "--port: openocd uses no serial port\n  fix: leave it out"
    )
    assert no_tool("stm32", tool="stm32flash", port="/dev/x", probe="1") == (
        "--probe: stm32flash uses no debug probe\n  fix: leave it out"
    )


def test_a_missing_image_is_told(path: Path, tmp_path: Path) -> None:
    stand_in(path, "st-flash", "", 0)
    absent = tmp_path / "firmware.bin"
    with pytest.raises(InvalidInput) as caught:
        flash(boards.find("stm32"), absent, absent)
    assert str(caught.value) == f"{absent}: the image is missing\n  fix: build again"


def test_an_image_in_several_memories_needs_a_tool_that_knows_them(
    path: Path, image: tuple[Path, Path]
) -> None:
    stand_in(path, "openocd", "", 0)
    stand_in(path, "st-flash", "", 0)
    other = image[1].with_name("firmware.qspi.bin")
    other.write_bytes(b"weights")
    with pytest.raises(InvalidInput) as caught:
        write(boards.find("stm32"), image, "st-flash")
    assert str(caught.value) == (
        f"{other}: st-flash writes one memory; this image lies in several\n  fix: --with openocd"
    )
    assert flash(boards.find("stm32"), *image, dry_run=True).tool == "openocd"


def test_every_tool_that_a_board_names_has_a_file() -> None:
    for board in boards.known().values():
        assert set(board.flashers) <= set(registered())


# ---- UF2 ------------------------------------------------------------------------------------


def test_a_uf2_file_is_what_the_specification_says() -> None:
    image = bytes(range(256)) + b"rest"
    blocks = uf2_file.encode(image, 0x1000_0000, 0xE48B_FF56)
    assert len(blocks) == 2 * 512
    for number in range(2):
        block = blocks[512 * number : 512 * (number + 1)]
        head = struct.unpack("<8I", block[:32])
        assert head == (
            *(0x0A324655, 0x9E5D5157, 0x2000),
            *(0x1000_0000 + 256 * number, 256, number, 2, 0xE48BFF56),
        )
        assert struct.unpack("<I", block[508:]) == (0x0AB16F30,)
    assert blocks[:4] == b"UF2\n"
    assert blocks[32 : 32 + 256] == image[:256]
    assert blocks[512 + 32 : 512 + 508] == b"rest".ljust(476, b"\0")


def drive(tmp_path: Path, image: tuple[Path, Path], drives: list[Path], **more: float) -> FillDrive:
    uf2 = tmp_path / "firmware.uf2"
    return FillDrive(image[1], uf2, 0x1000_0000, 0xE48B_FF56, "RPI-RP2", lambda _: drives, **more)


def test_a_drive_that_goes_away_took_the_image(tmp_path: Path, image: tuple[Path, Path]) -> None:
    mounted = tmp_path / "RPI-RP2"
    mounted.mkdir()
    received: list[bytes] = []

    def boot_loader() -> None:
        file = mounted / "firmware.uf2"
        while not file.is_file() or file.stat().st_size < 4 * 512:
            time.sleep(0.01)
        received.append(file.read_bytes())
        file.unlink()
        mounted.rmdir()

    board = threading.Thread(target=boot_loader)
    board.start()
    outcome = drive(tmp_path, image, [mounted]).perform()
    board.join()
    assert outcome.status == 0
    assert received == [uf2_file.encode(image[1].read_bytes(), 0x1000_0000, 0xE48B_FF56)]
    assert registered()["uf2"].is_proven(outcome.output)


@pytest.mark.parametrize(
    ("names", "cause"),
    [
        ([], "cable: the drive of the boot loader is not mounted"),
        (["a", "b"], "several boards are in their boot loaders"),
        (["a"], "the boot loader did not take the image"),
    ],
)
def test_a_drive_that_does_not_take_it(
    tmp_path: Path,
    image: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    names: list[str],
    cause: str,
) -> None:
    drives = [tmp_path / name for name in names]
    for folder in drives:
        folder.mkdir()
    outcome = drive(tmp_path, image, drives, timeout_s=0.1).perform()
    assert outcome.status == 1
    symptom = registered()["uf2"].symptom_in(outcome.output)
    assert symptom is not None
    assert symptom.cause == cause
    monkeypatch.setattr(uf2_module, "mounts", lambda label: [])
    with pytest.raises(ToolFailed) as caught:
        flash(boards.find("rpi-pico"), *image, tool="uf2")
    assert caught.value.what == (
        "uf2 did not write rpi-pico: cable: the drive of the boot loader is not mounted"
    )


def test_only_what_reads_flash_back_counts_as_verified() -> None:
    """The drive of a UF2 boot loader cannot be read back: the image was taken, no more is known."""
    assert [name for name, f in registered().items() if not f.reads_back] == ["uf2"]
