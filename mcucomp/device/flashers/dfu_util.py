"""dfu-util: the boot loader in an STM32's ROM, over USB.

It does not verify: what was written is read back and compared, and the second
command lets the boot loader go on to the program.
"""

from __future__ import annotations

from mcucomp.device.flashers import Flasher, Job, Symptom, causes
from mcucomp.device.flashers.steps import Compare, Run, Step


def _steps(job: Job) -> tuple[Step, ...]:
    size_bytes = job.binary.stat().st_size
    where = ["-d", job.options.usb, "-a", str(job.options.alternative)]
    if job.probe:
        where += ["-S", job.probe]
    back = job.folder / "read-back.bin"
    part = f"{job.address}:{size_bytes}:leave"
    return (
        Run(("dfu-util", *where, "-s", job.address, "-D", str(job.binary))),
        Run(("dfu-util", *where, "-s", part, "-U", str(back))),
        Compare(job.binary, back),
    )


FLASHER = Flasher(
    name="dfu-util",
    program="dfu-util",
    install="apt-get install dfu-util",
    steps=_steps,
    proof=r"read back \d+ bytes: all equal",
    symptoms=(
        causes.no_rights(r"LIBUSB_ERROR_ACCESS|Cannot open DFU device"),
        Symptom(
            r"No DFU capable USB device",
            "cable: no board is in its boot loader",
            "set BOOT0 high, reset the board, and use the USB connector of the chip itself",
        ),
        causes.locked(r"errVENDOR|ReadProtect|errWRITE|not writ(e)?able|not readable"),
        causes.not_verified(r"read back: byte|read back \d+ of"),
        Symptom(
            r"Lost device|LIBUSB_ERROR_(PIPE|IO|NO_DEVICE)",
            "cable: the connection broke while it wrote",
            "try again with another cable, without a hub",
        ),
    ),
)
