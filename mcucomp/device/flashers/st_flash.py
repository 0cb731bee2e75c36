"""st-flash of the stlink tools: STM32 with an ST-LINK. It verifies whatever it writes."""

from __future__ import annotations

from mcucomp.device.flashers import Flasher, Job, causes
from mcucomp.device.flashers.steps import Run, Step


def _steps(job: Job) -> tuple[Step, ...]:
    probe = ["--serial", job.probe] if job.probe else []
    return (Run(("st-flash", *probe, "--reset", "write", str(job.binary), job.address)),)


FLASHER = Flasher(
    name="st-flash",
    program="st-flash",
    install="apt-get install stlink-tools",
    steps=_steps,
    proof=r"Flash written and verified",
    symptoms=(
        causes.no_rights(r"LIBUSB_ERROR_ACCESS|access error|Permission denied"),
        causes.no_probe(r"Couldn't find any ST-?Link"),
        causes.no_power(r"Target voltage: 0|voltage too low"),
        causes.wrong_chip(r"unknown chip id|unsupported chip"),
        causes.locked(r"write protected|read protect|RDP|Flash is locked"),
        causes.no_chip(r"Failed to connect to target|Failed to enter SWD mode|NRST"),
        causes.not_verified(r"Verification of flash failed|verification failed"),
    ),
)
