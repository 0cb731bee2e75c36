"""Is there an order, no worse than this one, whose offsets need a smaller arena?

In: a step graph and its problem, the peak that no order may exceed, and an
arena to beat. Out: an order with a placement whose arena is smaller, or None.

Order and offsets are one constraint program (CP-SAT of OR-tools): a position
for each step; for each block a rectangle from the first to the last of the
steps that touch it, and from its offset upwards; no two rectangles overlap.
The live bytes of the order stay within the peak, and the arena is minimised.
What comes out is counted and tested anew. One thread, a fixed seed and a limit
of work: the same graph has the same answer.
"""

from __future__ import annotations

from typing import Any

from mcucomp.memory import StepGraph, round_up
from mcucomp.order.problem import Problem, bits

_SEED = 1


def solve_jointly(
    step_graph: StepGraph,
    problem: Problem,
    peak_bytes: int,
    arena_bytes: int,
    *,
    work: float,
    limit_s: float | None = None,
) -> tuple[tuple[int, ...], dict[int, int], dict[int, int]] | None:
    """An order of peak <= `peak_bytes` and arena < `arena_bytes`; offsets by buffer and by step.

    `work` is the solver's own deterministic measure, about a second an unit on an
    idle machine. The offsets of scratch are by step; buffers without bytes have 0.
    """
    program = _Program(step_graph, problem, peak_bytes, arena_bytes)
    return program.solution(work, limit_s)


class _Program:
    """The variables and constraints of one step graph; bytes in units of the alignment."""

    def __init__(
        self, step_graph: StepGraph, problem: Problem, peak_bytes: int, arena_bytes: int
    ) -> None:
        from ortools.sat.python import cp_model  # half a second to import, and seldom needed

        self.cp_model: Any = cp_model
        self.model: Any = cp_model.CpModel()
        self.step_graph, self.problem = step_graph, problem
        self.count = problem.count
        self.capacity = arena_bytes // step_graph.alignment - 1
        self.arena = self.model.new_int_var(
            peak_bytes // step_graph.alignment, self.capacity, "arena"
        )
        self.times: list[Any] = []
        self.rows: list[Any] = []
        self.sizes: list[int] = []
        self.buffer_offsets: dict[int, Any] = {}
        self.scratch_offsets: dict[int, Any] = {}
        self.positions = self._positions()
        self._add_buffers()
        self._add_scratch()
        self.model.add_no_overlap_2d(self.times, self.rows)
        self.model.add_cumulative(self.times, self.sizes, peak_bytes // step_graph.alignment)
        self.model.minimize(self.arena)

    def _positions(self) -> list[Any]:
        """Where each step of the problem runs, within the window that others leave it."""
        problem, positions = self.problem, []
        for v in range(self.count):
            first = problem.ancestors[v].bit_count()
            last = self.count - 1 - problem.descendants[v].bit_count()
            positions.append(self.model.new_int_var(first, last, ""))
        for v in range(self.count):
            for u in bits(problem.parents[v]):
                self.model.add(positions[u] < positions[v])
        self.model.add_all_different(positions)
        return positions

    def _add_buffers(self) -> None:
        """Times as `lifetimes` has them: from the first writer to the last step that touches."""
        where = {step: v for v, step in enumerate(self.problem.steps)}
        for number, buffer in enumerate(self.step_graph.buffers):
            if not buffer.size_bytes:
                continue
            writers = [self.positions[where[s]] for s in buffer.writers]
            touches = writers + [self.positions[where[s]] for s in buffer.readers]
            start: Any = 0
            if writers and not buffer.from_start:
                start = self.model.new_int_var(0, self.count - 1, "")
                self.model.add_min_equality(start, writers)
            end: Any = self.count if buffer.held else 1
            if touches and not buffer.held:
                last = self.model.new_int_var(0, self.count - 1, "")
                self.model.add_max_equality(last, touches)
                end = last + 1
            self.buffer_offsets[number] = self._add_block(start, end, buffer.size_bytes)

    def _add_scratch(self) -> None:
        for v, step in enumerate(self.problem.steps):
            size_bytes = self.step_graph.steps[step].scratch_bytes
            if size_bytes:
                position = self.positions[v]
                self.scratch_offsets[step] = self._add_block(position, position + 1, size_bytes)

    def _add_block(self, start: Any, end: Any, size_bytes: int) -> Any:
        """A rectangle that ends within the arena; returns its offset."""
        alignment = self.step_graph.alignment
        size = round_up(size_bytes, alignment) // alignment
        offset = self.model.new_int_var(0, max(0, self.capacity - size), "")
        length = self.model.new_int_var(1, self.count, "")
        self.times.append(self.model.new_interval_var(start, length, end, ""))
        self.rows.append(self.model.new_fixed_size_interval_var(offset, size, ""))
        self.sizes.append(size)
        self.model.add(offset + size <= self.arena)
        return offset

    def solution(
        self, work: float, limit_s: float | None
    ) -> tuple[tuple[int, ...], dict[int, int], dict[int, int]] | None:
        solver: Any = self.cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = _SEED
        solver.parameters.max_deterministic_time = work
        if limit_s is not None:
            solver.parameters.max_time_in_seconds = max(limit_s, 0.0)
        if solver.solve(self.model) not in (self.cp_model.OPTIMAL, self.cp_model.FEASIBLE):
            return None
        alignment = self.step_graph.alignment
        placed = sorted(range(self.count), key=lambda v: solver.value(self.positions[v]))
        order = tuple(self.problem.steps[v] for v in placed)
        buffers = {b: solver.value(x) * alignment for b, x in self.buffer_offsets.items()}
        scratch = {s: solver.value(x) * alignment for s, x in self.scratch_offsets.items()}
        return order, buffers, scratch
