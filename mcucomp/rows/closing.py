"""How close to the least live peak does an arena get?

In: a step graph in rows, an order, its live peak, and an arena that first fits found.
Out: a placement in a smaller arena with the *recipe* that led to it, or None. Capacities
between the two are halved, and each is tried by beams that learn from each other
where they got stuck, until one fits or as many births as planning affords were placed.
A recipe leads to the same placement for the same objects, and often to as good a one where
operators that come later run in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcucomp.memory import StepGraph
from mcucomp.place import Placement
from mcucomp.rows.beam import Stuck, beam_fit
from mcucomp.rows.objects import Objects, objects_of, parts_of, placement_of

_MERGE = "equal"  # equal sizes are what gaps are kept for
_CLOSE = 100  # an arena that is so small a part above the floor is close enough
_DRAWS = 24  # beams for a capacity
_MOST_BIRTHS = 8_000  # that are placed by all beams


@dataclass(frozen=True, slots=True)
class Recipe:
    """A beam that found offsets."""

    capacity_bytes: int
    draw: int
    stuck: tuple[Stuck, ...]


def is_close(arena_bytes: int, floor_bytes: int) -> bool:
    """Whether an arena is not worth any more search."""
    return (arena_bytes - floor_bytes) * _CLOSE <= floor_bytes


def closer_placement(
    step_graph: StepGraph,
    order: Sequence[int],
    floor_bytes: int,
    arena_bytes: int,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Placement, Recipe] | None:
    """A placement in less than `arena_bytes`, which is as small as beams find."""
    parts = parts_of(step_graph, order)
    objects = objects_of(step_graph, parts, _MERGE)
    search = _Search(objects, step_graph.alignment, stop)
    found = search.halve(floor_bytes, arena_bytes)
    if found is None:
        return None
    offsets, recipe = found
    return placement_of(step_graph, parts, objects, offsets, _told(recipe)), recipe


def follow(step_graph: StepGraph, order: Sequence[int], recipe: Recipe) -> Placement | None:
    """What a recipe of another plan leads to."""
    parts = parts_of(step_graph, order)
    objects = objects_of(step_graph, parts, _MERGE)
    alignment, capacity_bytes = step_graph.alignment, recipe.capacity_bytes
    fit = beam_fit(objects, alignment, capacity_bytes, recipe.draw, recipe.stuck)
    if fit.offsets is None:
        return None
    return placement_of(step_graph, parts, objects, fit.offsets, _told(recipe))


def _told(recipe: Recipe) -> str:
    return f"beam of rows, {_MERGE} merged, draw {recipe.draw}"


@dataclass(slots=True)
class _Search:
    """Beams for one capacity after the other."""

    objects: Objects
    alignment: int
    stop: Callable[[], bool]
    births_left: int = _MOST_BIRTHS

    def halve(self, floor_bytes: int, arena_bytes: int) -> tuple[tuple[int, ...], Recipe] | None:
        """The best offsets found; capacities go down where some were, and up where none."""
        best: tuple[tuple[int, ...], Recipe] | None = None
        low, high = floor_bytes, arena_bytes
        while not is_close(high, low) and self.births_left > 0 and not self.stop():
            capacity_bytes = (low + high) // 2 // self.alignment * self.alignment
            found = self._fit(capacity_bytes)
            if found is None:
                low = capacity_bytes
                continue
            best = found
            ends = (o + size for o, size in zip(found[0], self.objects.sizes, strict=True))
            high = min(capacity_bytes, max(ends))
        return best

    def _fit(self, capacity_bytes: int) -> tuple[tuple[int, ...], Recipe] | None:
        stuck: list[Stuck] = []
        for draw in range(_DRAWS):
            if self.births_left <= 0 or self.stop():
                break
            fit = beam_fit(self.objects, self.alignment, capacity_bytes, draw, stuck)
            self.births_left -= fit.births
            if fit.offsets is not None:
                return fit.offsets, Recipe(capacity_bytes, draw, tuple(stuck))
            if fit.stuck is not None and fit.stuck not in stuck:
                stuck.append(fit.stuck)
        return None
