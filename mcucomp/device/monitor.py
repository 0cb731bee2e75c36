"""What does a board say on its serial line, to anyone who listens?

In: an open line. Out: one text a line, safe for a terminal. A line of ours that
arrived damaged is marked; a line that has no end yet is shown when nothing more comes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol

from mcucomp.device.protocol import Damaged, Splitter, decode
from mcucomp.device.recorder import escape

QUIET_S = 0.5
DAMAGED = "(damaged) "
UNFINISHED = "(no line end) "


class Readable(Protocol):
    """What can be listened to; as device.transports.Transport reads."""

    def read(self, timeout_s: float) -> bytes: ...


def listen(line: Readable, for_s: float | None = None) -> Iterator[str]:
    """The lines as they come, for `for_s` seconds or without end.

    Raises what `line.read` raises where the other end is gone.
    """
    splitter = Splitter()
    start = time.monotonic()
    while for_s is None or time.monotonic() < start + for_s:
        received = line.read(QUIET_S if for_s is None else min(QUIET_S, for_s))
        for raw in splitter.feed(received):
            yield (DAMAGED if isinstance(decode(raw), Damaged) else "") + escape(raw)
        if not received and splitter.rest:
            yield UNFINISHED + escape(splitter.rest)
            splitter = Splitter()
    if splitter.rest:
        yield UNFINISHED + escape(splitter.rest)
