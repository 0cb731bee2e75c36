"""pyOCD: CMSIS-DAP, ST-LINK and J-Link probes; the optional extra `flash` brings it.

Writing does not verify by itself: its commander reads everything back and compares,
and says so in its last line; it ends with status 0 either way.
"""

from __future__ import annotations

from mcucomp.device.flashers import Flasher, Job, Symptom, causes
from mcucomp.device.flashers.steps import Run, Step


def _steps(job: Job) -> tuple[Step, ...]:
    where = ["--no-wait", "--target", job.options.target]
    if job.probe:
        where += ["--uid", job.probe]
    program = FLASHER.path() or "pyocd"
    load = (program, "load", *where, "--format", "elf", str(job.elf))
    # The commander reads its commands as a shell does.
    compare = f'compare {job.address} "{job.binary}"'
    check = (program, "commander", *where, "--command", compare, "--command", "reset")
    return (Run(load), Run(check))


FLASHER = Flasher(
    name="pyocd",
    program="pyocd",
    install="pip install 'mcucomp[flash]'",
    steps=_steps,
    proof=r"All \d+ bytes match",
    symptoms=(
        Symptom(
            r"Target type \S+ not recognized",
            "pyOCD does not know the chip yet",
            "pyocd pack install CHIP, with the name in the board file",
        ),
        causes.no_rights(r"Access denied|insufficient permissions|Errno 13"),
        causes.no_probe(r"No (available|connected) debug probe"),
        causes.locked(r"APPROTECT|is in a locked state|Device is locked|readout protection"),
        causes.wrong_chip(r"unexpected (idcode|part|chip)|does not match the target"),
        causes.no_chip(
            r"communication failure|No ACK|Error connecting DP|Unable to find any CoreSight"
        ),
        causes.not_verified(r"Mismatched byte|program page failure|page \S+ failed"),
    ),
)
