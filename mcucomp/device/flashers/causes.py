"""What keeps a board from being written, in words that several tools share."""

from __future__ import annotations

from mcucomp.device.flashers import Symptom

NO_PROBE_FIX = (
    "check the USB cable (it must carry data) and that the board is connected; 'lsusb' shows it"
)
POWER_FIX = "check the board's power: jumpers, supply, and the cable between probe and board"
RIGHTS_FIX = (
    "on Linux install the tool's udev rules and plug the board in again; "
    "on Windows the driver that the tool's manual names"
)
WRONG_CHIP_FIX = "build for the board that is connected ('mcucomp boards' lists them)"
VERIFY_FIX = "write again; if it stays, the flash is worn or the supply unstable"
LOCKED_FIX = "remove the read protection with the maker's tool: it erases the whole chip"


def no_probe(pattern: str) -> Symptom:
    return Symptom(pattern, "cable: no debug probe is found", NO_PROBE_FIX)


def no_power(pattern: str) -> Symptom:
    return Symptom(pattern, "power: the probe sees no supply voltage on the chip", POWER_FIX)


def no_rights(pattern: str) -> Symptom:
    return Symptom(pattern, "driver: the system refuses access to the probe", RIGHTS_FIX)


def no_chip(pattern: str) -> Symptom:
    return Symptom(
        pattern, "cable or power: the probe is there, the chip does not answer", POWER_FIX
    )


def wrong_chip(pattern: str) -> Symptom:
    return Symptom(pattern, "wrong chip: another one than the board file names", WRONG_CHIP_FIX)


def locked(pattern: str, fix: str = LOCKED_FIX) -> Symptom:
    return Symptom(pattern, "locked: the chip is protected against reading or writing", fix)


def not_verified(pattern: str) -> Symptom:
    return Symptom(pattern, "what was read back differs from what was written", VERIFY_FIX)
