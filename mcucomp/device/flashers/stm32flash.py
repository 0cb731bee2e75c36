"""stm32flash: the boot loader in an STM32's ROM, over a serial port."""

from __future__ import annotations

from mcucomp.device.flashers import Flasher, Job, Symptom, causes
from mcucomp.device.flashers.steps import Run, Step


def _steps(job: Job) -> tuple[Step, ...]:
    assert job.port is not None
    baud = ("-b", str(job.options.baud))
    return (
        Run(
            (
                *("stm32flash", *baud, "-w", str(job.binary), "-v"),
                *("-S", job.address, "-g", job.address, job.port),
            )
        ),
    )


FLASHER = Flasher(
    name="stm32flash",
    program="stm32flash",
    install="apt-get install stm32flash",
    steps=_steps,
    proof=r"Wrote and verified address \S+ \(100",
    symptoms=(
        Symptom(
            r"Permission denied",
            "driver: the system refuses access to the serial port",
            "join the group that owns it (on Debian: usermod -aG dialout USER) and log in again",
        ),
        Symptom(
            r"Failed to open port|No such file or directory",
            "cable: there is no such serial port",
            "check the cable; 'mcucomp monitor --list' shows the ports",
        ),
        Symptom(
            r"Failed to init device",
            "the boot loader does not answer",
            "set BOOT0 high, reset the board, and check that TX and RX are crossed",
        ),
        causes.wrong_chip(r"Unknown/unsupported device"),
        causes.locked(
            r"NACK|readout.?protect|write.?protect",
            "stm32flash -k PORT unlocks and erases the chip",
        ),
        causes.not_verified(r"Failed to verify"),
    ),
    needs_port=True,
    takes_probe=False,
)
