"""Is there really no order within a budget? The search repeated, in the checker's own way.

In: a step graph, which steps precede which, a budget. Out: how many downsets
had to be looked at; CheckFailed where an order within the budget turns up, or
where the limit is reached.

Breadth first over downsets, all those of one size at a time. One short cut: a
step that fits, and after which no more is live than before, is the only one
that is followed.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.certify.overlap import choices_of
from mcucomp.certify.reading import wrong
from mcucomp.certify.rounding import room_of, rounded
from mcucomp.memory.types import StepGraph

LIMIT_STATES = 2_000_000


class _Costs:
    """Bytes live after a downset, and while a step runs after it, from the definition."""

    def __init__(self, step_graph: StepGraph) -> None:
        self.scratch = [rounded(s.scratch_bytes, step_graph.alignment) for s in step_graph.steps]
        self.rows = []
        self.of_step: list[list[tuple[int, int, bool, bool]]] = [[] for _ in step_graph.steps]
        self.unread_bytes = 0
        self.choices = choices_of(step_graph)
        for buffer in step_graph.buffers:
            size_bytes = room_of(buffer, step_graph.alignment)
            steps = sum(1 << s for s in {*buffer.writers, *buffer.readers})
            from_start = buffer.from_start or not buffer.writers
            row = (size_bytes, steps, from_start, buffer.held)
            if not steps and not buffer.held:
                self.unread_bytes += size_bytes
                continue
            self.rows.append(row)
            for step in {*buffer.writers, *buffer.readers}:
                self.of_step[step].append(row)

    def start(self) -> int:
        return sum(size_bytes for size_bytes, _, from_start, _ in self.rows if from_start)

    def run(self, ran: int, live_bytes: int, step: int) -> tuple[int, int]:
        """(live while `step` runs, live after it)."""
        during = after = live_bytes
        for size_bytes, steps, from_start, held in self.of_step[step]:
            if not from_start and not steps & ran:
                during += size_bytes
                after += size_bytes
            if not held and not steps & ~(ran | 1 << step):
                after -= size_bytes
        during += self.scratch[step] + (0 if ran else self.unread_bytes)
        met = [c.saved_bytes for c in self.choices.get(step, ()) if not c.others & ~ran]
        return during - max(met, default=0), after


def search_again(step_graph: StepGraph, before: Sequence[int], budget_bytes: int, path: str) -> int:
    """Go through every downset within the budget; returns their number."""
    costs = _Costs(step_graph)
    everything = (1 << len(step_graph.steps)) - 1
    layer = {0: costs.start()}
    states = 0
    while layer:
        following: dict[int, int] = {}
        for ran, live_bytes in layer.items():
            states += 1
            if ran == everything:
                raise wrong(f"{path}.bytes", f"an order within {budget_bytes:,} B exists")
            if states > LIMIT_STATES:
                raise wrong(path, f"cannot be repeated within {LIMIT_STATES:,} states")
            found = []
            for step in range(len(step_graph.steps)):
                if ran >> step & 1 or before[step] & ~ran:
                    continue
                during, after = costs.run(ran, live_bytes, step)
                if during <= budget_bytes:
                    found.append((ran | 1 << step, after))
                    if after <= live_bytes:
                        found = found[-1:]
                        break
            following.update(found)
        layer = following
    return states
