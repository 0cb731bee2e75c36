"""What is a plan in rows?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowStep:
    """One step: row `row` of the operator at position `operator` of the graph.

    The row is one of the output, or of the input where the operator accumulates;
    None where it runs whole.
    """

    operator: int
    row: int | None = None


@dataclass(frozen=True, slots=True)
class RowPlan:
    """Steps in their order, and where everything starts in the arena.

    `row_offsets[t]` has the offset of each row of tensor t, for the tensors that are in rows
    (-1 for a row that nobody needs); `tensor_offsets[t]` that of a tensor in one piece.
    `scratch_offsets` has one entry a step, `state_offsets` one an operator that accumulates.
    A tensor in one piece may be read or written in rows: row y is y * row bytes after its start.
    `streamed_inputs` are tensors of which the application hands in row by row: a step
    RowStep(-1 - k, y) is where row y of graph input k arrives.
    """

    steps: tuple[RowStep, ...]
    row_offsets: Mapping[int, tuple[int, ...]]
    tensor_offsets: Mapping[int, int]
    scratch_offsets: tuple[int | None, ...]
    state_offsets: Mapping[int, int]
    arena_bytes: int
    streamed_inputs: tuple[int, ...] = ()
