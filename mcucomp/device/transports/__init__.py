"""How do bytes get to the firmware and back? One file a way.

A transport opens in its constructor's `open` and is a plain pair of byte
streams from then on. It is always closed, also after an error; closing ends
whatever opening started.
"""

from __future__ import annotations

from typing import Protocol

from mcucomp.errors import McucompError


class LineRenewed(Exception):
    """The line broke and is there again: what was on the way is lost."""


class Transport(Protocol):
    """Two byte streams to a firmware that runs."""

    name: str
    """As reports name it, such as `qemu`."""

    no_answer_fix: str
    """What to do when nothing comes back."""

    noise_fix: str
    """What to do when what comes back is no text."""

    def write(self, data: bytes) -> None:
        """Send all of it; OSError where the other end is gone, LineRenewed where it came back."""

    def read(self, timeout_s: float) -> bytes:
        """What has arrived, after at most `timeout_s`; empty where nothing did.

        OSError or EOFError where the other end is gone, LineRenewed where it came back.
        """

    def failure(self) -> McucompError | None:
        """Why the other end is gone, as far as the transport knows; None where it is not."""

    def complaint(self) -> McucompError | None:
        """What went wrong in a run that the firmware does not notice; None where nothing did."""

    def instructions(self, ticks: int) -> int | None:
        """Instructions from ticks of the firmware's timer; None where they do not tell."""

    def close(self) -> None:
        """End it. Does no harm a second time."""
