"""Has planning taken as long as it may?

A deadline ends a search; it never makes a result wrong: what is found until then is
an order, and what is proven until then is proven. There are two kinds: seconds, where
the user sets a limit, and work, which ends on every machine at the same place, so that
the same model has the same plan everywhere.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

# In steps looked at, of which a core does a million in one to two seconds. More than the hardest
# graph of benchmarks/planning.py takes; a tangle of a hundred steps could go on for hours.
GREATEST_WORK = 40_000_000


@dataclass(slots=True)
class Deadline:
    """A limit of seconds (None: no limit) and one of work, of which `work` is done."""

    limit_s: float | None = None
    limit_work: int = GREATEST_WORK
    started_s: float = field(default_factory=lambda: time.monotonic())
    work: int = 0

    def spend(self, work: int) -> None:
        """Count `work` steps that were looked at."""
        self.work += work

    @property
    def passed(self) -> bool:
        if self.work > self.limit_work:
            return True
        return self.limit_s is not None and time.monotonic() - self.started_s > self.limit_s

    @property
    def left_s(self) -> float | None:
        if self.limit_s is None:
            return None
        return max(0.0, self.limit_s - (time.monotonic() - self.started_s))


NEVER = Deadline(limit_work=1 << 62)
