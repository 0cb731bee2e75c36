"""Copying a UF2 file to the drive that a boot loader shows: no tool is needed.

The drive cannot be read back: the boot loader checks the numbers of all blocks and
restarts the board after the last. That this firmware is what runs then is what
`mcucomp run` makes sure of: it asks the board for the number of its build.
"""

from __future__ import annotations

import getpass
from pathlib import Path

from mcucomp.device.flashers import Flasher, Job, Symptom
from mcucomp.device.flashers.steps import FillDrive, Step


def mounts(label: str) -> list[Path]:
    """Where drives with that label are mounted, on Linux and on macOS."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = ""
    parents = [Path("/media") / user, Path("/run/media") / user, Path("/media"), Path("/Volumes")]
    return sorted({parent / label for parent in parents if (parent / label).is_dir()})


def _steps(job: Job) -> tuple[Step, ...]:
    return (
        FillDrive(
            job.binary,
            job.folder / "firmware.uf2",
            job.board.flash_origin,
            job.options.family,
            job.options.volume,
            mounts,
        ),
    )


FLASHER = Flasher(
    name="uf2",
    program=None,
    install="nothing to install",
    steps=_steps,
    proof=r"the boot loader took every block",
    reads_back=False,
    symptoms=(
        Symptom(
            r"drives with the label \S+: none",
            "cable: the drive of the boot loader is not mounted",
            "hold BOOTSEL while you plug the board in, and open the drive once; "
            "the cable must carry data",
        ),
        Symptom(
            r"drives with the label \S+: .*, ",
            "several boards are in their boot loaders",
            "leave only one of them plugged in",
        ),
        Symptom(
            r"is still there after the copy",
            "the boot loader did not take the image",
            "plug the board in anew and try again; "
            "if it stays so, the drive is of another kind of board",
        ),
        Symptom(
            r"copying to \S+ failed",
            "the drive cannot be written",
            "check who may write to it, and that it is not full",
        ),
    ),
    takes_probe=False,
)
