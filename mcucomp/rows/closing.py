"""How close to the least live peak does an arena get?

In: a step graph in rows, an order, its live peak, and an arena that first fits found.
Out: a placement in a smaller arena, or None. Capacities between the two are halved, and
each is tried by beams that learn from each other where they got stuck, until one
fits or as many objects were placed as planning affords.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcucomp.memory import StepGraph
from mcucomp.place import Placement
from mcucomp.rows.beam import Stuck, beam_fit, births_of
from mcucomp.rows.objects import Objects, grouped_parts, objects_of, parts_of, placement_of

_MERGE = "equal"  # equal sizes are what gaps are kept for
_FAR = 32  # an arena that is more than this part of the floor above it is worth beams,
_CLOSE = 100  # and one that is no more than this part above it is close enough
_DRAWS = 24  # beams for a capacity
_FULL_BEAMS = 8  # all beams place as many objects as so many that place all
_MOST_BIRTHS = 8_000  # and no more than that


def is_far(arena_bytes: int, floor_bytes: int) -> bool:
    """Whether an arena is worth looking for a smaller one."""
    return (arena_bytes - floor_bytes) * _FAR > floor_bytes


def closer_placement(
    step_graph: StepGraph,
    order: Sequence[int],
    floor_bytes: int,
    arena_bytes: int,
    stop: Callable[[], bool] = lambda: False,
) -> Placement | None:
    """A placement in less than `arena_bytes`, as small as beams find one."""
    parts = parts_of(step_graph, order)
    objects = objects_of(step_graph, parts, grouped_parts(step_graph, parts, _MERGE))
    births = min(_MOST_BIRTHS, _FULL_BEAMS * len(births_of(objects)))
    offsets = _Search(objects, step_graph.alignment, stop, births).halve(floor_bytes, arena_bytes)
    if offsets is None:
        return None
    told = f"beam of rows, {_MERGE} merged"
    return placement_of(step_graph, parts, objects, offsets, told)


@dataclass(slots=True)
class _Search:
    """Beams for one capacity after the other."""

    objects: Objects
    alignment: int
    stop: Callable[[], bool]
    births_left: int

    def halve(self, floor_bytes: int, arena_bytes: int) -> tuple[int, ...] | None:
        """The best offsets found; capacities go down where some were, and up where none."""
        best: tuple[int, ...] | None = None
        low, high = floor_bytes, arena_bytes
        while (high - low) * _CLOSE > low and self.births_left > 0 and not self.stop():
            capacity_bytes = (low + high) // 2 // self.alignment * self.alignment
            if capacity_bytes <= low:
                break
            found = self._fit(capacity_bytes)
            if found is None:
                low = capacity_bytes
                continue
            best = found
            ends = (o + size for o, size in zip(found, self.objects.sizes, strict=True))
            high = min(capacity_bytes, max(ends))
        return best

    def _fit(self, capacity_bytes: int) -> tuple[int, ...] | None:
        stuck: list[Stuck] = []
        for draw in range(_DRAWS):
            if self.births_left <= 0 or self.stop():
                break
            fit = beam_fit(self.objects, self.alignment, capacity_bytes, draw, stuck)
            self.births_left -= 1 + fit.births
            if fit.offsets is not None:
                return fit.offsets
            if fit.stuck is not None and fit.stuck not in stuck:
                stuck.append(fit.stuck)
        return None
