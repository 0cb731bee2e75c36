"""What is C generated from where operators run in rows?

In: a model, its kernel calls, how they run in rows, and the plan. Out: a `RowProgram`, which
also tells reports what is called, what each call leaves in the arena, and how inputs arrive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcucomp.ir import Graph, Model
from mcucomp.ops import KernelCall
from mcucomp.ops.row_types import RowForm
from mcucomp.rows.layout import Span, high_water_bytes, written_bytes
from mcucomp.rows.types import RowPlan


@dataclass(frozen=True, slots=True)
class RowProgram:
    """What is generated from: `calls` by the operator's position, `forms` of those in rows."""

    model: Model
    calls: Sequence[KernelCall]
    forms: Mapping[int, RowForm]
    plan: RowPlan
    alignment: int

    @property
    def graph(self) -> Graph:
        return self.model.graphs[0]

    @property
    def order(self) -> tuple[int, ...]:
        """The operators by their first step; their places are what the report calls steps."""
        return tuple(dict.fromkeys(s.operator for s in self.plan.steps if s.operator >= 0))

    @property
    def calls_made(self) -> tuple[int, ...]:
        """Of each call of an inference the place in `order`."""
        place = {k: at for at, k in enumerate(self.order)}
        return tuple(place[s.operator] for s in self.plan.steps if s.operator >= 0)

    @property
    def written(self) -> tuple[tuple[Span, ...], ...]:
        """What each call leaves in the arena, as `written_bytes` tells it."""
        return written_bytes(self.plan, self.graph, self.calls, self.forms)

    def arrival(self, tensor: int) -> dict[str, int] | None:
        """How an input is handed in row by row; None where it is not.

        `rows_to_keep` are rows that the application must have at once: a row is
        copied when it is wanted, and wanted in the order of the image.
        """
        if tensor not in self.plan.streamed_inputs:
            return None
        key = -1 - self.graph.inputs.index(tensor)
        places = [i for i, s in enumerate(self.plan.steps) if s.operator == key]
        rows = [self.plan.steps[i].row or 0 for i in places]
        known = {i for i, s in enumerate(self.plan.steps) if s.operator < 0}
        stops = sorted({*known, len(self.plan.steps)})
        waits = [stops[stops.index(i) + 1] - i - 1 for i in places]
        early = [max(rows[: i + 1]) - row for i, row in enumerate(rows)]
        height = len(self.plan.row_offsets[tensor])
        return {
            "rows": height,
            "row_bytes": self.graph.tensors[tensor].size_bytes // height,
            "rows_to_keep": 1 + max(early, default=0),
            "most_steps_after_a_row": max(waits, default=0),
        }

    @property
    def high_water_bytes(self) -> int:
        return high_water_bytes(self.plan, self.graph, self.calls, self.forms)
