"""picotool: the USB boot loader in the ROM of an RP2040."""

from __future__ import annotations

from mcucomp.device.flashers import Flasher, Job, Symptom, causes
from mcucomp.device.flashers.steps import Run, Step


def _steps(job: Job) -> tuple[Step, ...]:
    probe = ["--ser", job.probe] if job.probe else []
    return (Run(("picotool", "load", "--verify", "--execute", str(job.elf), *probe)),)


FLASHER = Flasher(
    name="picotool",
    program="picotool",
    install="apt-get install picotool (Debian 13 or newer)",
    steps=_steps,
    proof=r"Verifying Flash[^\n]*100%\s+OK",
    symptoms=(
        causes.no_rights(r"unable to connect\. Maybe try 'sudo'|LIBUSB_ERROR_ACCESS"),
        Symptom(
            r"No accessible .* devices in BOOTSEL mode",
            "cable: no board is in its boot loader",
            "hold BOOTSEL while you plug the board in; the cable must carry data",
        ),
        causes.wrong_chip(r"family ID|is not an RP2040|incompatible"),
        causes.not_verified(
            r"Verification failed|contents differ|The device contents did not match"
        ),
    ),
    takes_elf=True,
)
