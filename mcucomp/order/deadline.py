"""Has the time that the user allows passed?

A deadline ends a search; it never makes a result wrong: what is found until then is
an order, and what is proven until then is proven.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deadline:
    """A time limit; no limit where `limit_s` is None."""

    limit_s: float | None = None
    started_s: float = field(default_factory=lambda: time.monotonic())

    @property
    def passed(self) -> bool:
        return self.limit_s is not None and time.monotonic() - self.started_s > self.limit_s

    @property
    def left_s(self) -> float | None:
        if self.limit_s is None:
            return None
        return max(0.0, self.limit_s - (time.monotonic() - self.started_s))


NEVER = Deadline()
