"""OpenOCD: any probe, any chip that it has a configuration for."""

from __future__ import annotations

from mcucomp.device.flashers import Flasher, Job, Symptom, causes
from mcucomp.device.flashers.steps import Run, Step


def _steps(job: Job) -> tuple[Step, ...]:
    configuration = [word for file in job.options.configuration for word in ("-f", file)]
    probe = ["-c", f"adapter serial {job.probe}"] if job.probe else []
    # Braces keep Tcl from reading anything into the path.
    program = f"program {{{job.elf}}} verify reset exit"
    return (Run(("openocd", *configuration, *probe, "-c", program)),)


FLASHER = Flasher(
    name="openocd",
    program="openocd",
    install="apt-get install openocd",
    steps=_steps,
    proof=r"\*\* Verified OK \*\*",
    symptoms=(
        Symptom(
            r"Can't find (board|target|interface)/\S+\.cfg",
            "OpenOCD does not know the board: its version is too old",
            "install OpenOCD 0.11 or newer",
        ),
        causes.no_rights(r"LIBUSB_ERROR_ACCESS|insufficient permissions"),
        causes.no_probe(
            r"open failed|unable to find a matching CMSIS-DAP device|No J-Link device found"
        ),
        causes.no_power(r"target voltage may be too low|Target voltage: 0\.0"),
        causes.wrong_chip(r"UNEXPECTED idcode|expected 1 of 1|Cannot identify target"),
        causes.locked(
            r"device protected|read protected|AP lock engaged|APPROTECT|Device Security Bit Set"
        ),
        causes.no_chip(r"unable to connect to the target|cannot read IDR|Could not find MEM-AP"),
        causes.not_verified(r"\*\* Verify Failed \*\*|checksum mismatch|contents differ"),
    ),
    takes_elf=True,
)
