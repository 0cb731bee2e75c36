"""Which order does an integer program find best?

In: a problem, an order to start from, a proven floor. Out: an order, and the
bound that the solver claims. A solver computes with floating-point numbers: its
bound is a claim, never a proof. Orders that it returns are counted anew.

Variables: ran[v, k] = 1 if v has run by the end of position k (one more step a
position; fixed outside the window that ancestors and descendants leave);
live[t, k] >= ran[first, k] - ran[last, k - 1] for each pair of a step that may
begin item t and one that may end it. The peak is at least the live items and
the scratch of the step at each k, and at least the floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulp

from mcucomp.order.problem import Problem, bits, savings_of_step, step_costs
from mcucomp.order.solver import solve


@dataclass(frozen=True, slots=True)
class SolvedOrder:
    """An order (None where the solver found none), and the bound that it claims."""

    order: list[int] | None
    claimed_bytes: int


def solve_order(
    problem: Problem, start: Sequence[int], floor_bytes: int, *, limit_s: float | None = None
) -> SolvedOrder:
    """Minimise the peak of `problem`, starting from the order `start`."""
    program = _Program(problem, floor_bytes)
    program.set_start(start)
    solve(program.model, limit_s)
    status = program.model.status
    order = program.order()
    claimed_bytes = floor_bytes
    if status == pulp.LpStatusOptimal and program.model.sol_status == pulp.LpSolutionOptimal:
        claimed_bytes = max(floor_bytes, round(pulp.value(program.peak)))
    return SolvedOrder(order, claimed_bytes)


class _Program:
    """The variables and constraints of one problem."""

    def __init__(self, problem: Problem, floor_bytes: int) -> None:
        self.problem = problem
        self.model = pulp.LpProblem("order", pulp.LpMinimize)
        self.peak = pulp.LpVariable("peak", lowBound=floor_bytes)
        self.ran: list[list[Any]] = []
        self.live: dict[tuple[int, int], Any] = {}
        self.saved: dict[tuple[int, int, int], Any] = {}
        self.model += self.peak
        self._add_steps()
        for k in range(problem.count):
            self._add_position(k)

    def _add_steps(self) -> None:
        problem, count = self.problem, self.problem.count
        for v in range(count):
            first = problem.ancestors[v].bit_count()
            last = count - 1 - problem.descendants[v].bit_count()
            row: list[Any] = [
                0
                if k < first
                else 1
                if k >= last
                else pulp.LpVariable(f"ran_{v}_{k}", cat="Binary")
                for k in range(count)
            ]
            self.ran.append(row)
            for k in range(first, last):
                if k:
                    self._require(row[k - 1] <= row[k])
        for v in range(count):
            for u in bits(problem.parents[v]):
                for k in range(count):
                    before = self.ran[u][k - 1] if k else 0
                    self._require(self.ran[v][k] <= before)

    def _add_position(self, k: int) -> None:
        problem = self.problem
        self._require(pulp.lpSum(row[k] for row in self.ran) == k + 1)
        terms = [problem.base_bytes + (0 if k else problem.first_bytes)]
        for number, item in enumerate(problem.items):
            begun = [1] if item.from_start else [self.ran[v][k] for v in bits(item.starters)]
            ended: list[Any] = [0]
            if not item.to_end:
                ended = [self.ran[v][k - 1] if k else 0 for v in bits(item.enders)]
            live = pulp.LpVariable(f"live_{number}_{k}", 0, 1)
            self.live[number, k] = live
            for one in begun:
                for other in ended:
                    self._require(live >= one - other)
            terms.append(item.size_bytes * live)
        for v in range(problem.count):
            runs = self.ran[v][k] - (self.ran[v][k - 1] if k else 0)
            if problem.scratch_bytes[v]:
                terms.append(problem.scratch_bytes[v] * runs)
            terms += self._savings(v, k, runs)
        self._require(self.peak >= pulp.lpSum(terms))

    def _savings(self, v: int, k: int, runs: Any) -> list[Any]:
        """What is taken off v if it runs at position k: one saving whose condition is met."""
        taken = []
        for number, saving in enumerate(savings_of_step(self.problem, v)):
            share = pulp.LpVariable(f"saved_{v}_{number}_{k}", 0, 1)
            self.saved[v, number, k] = share
            for u in bits(saving.others):
                self._require(share <= (self.ran[u][k - 1] if k else 0))
            taken.append((share, saving.size_bytes))
        if taken:
            self._require(pulp.lpSum(share for share, _ in taken) <= runs)
        return [-size_bytes * share for share, size_bytes in taken]

    def _require(self, constraint: Any) -> None:
        """Add a constraint; one between constants is true by construction of the windows."""
        if not isinstance(constraint, bool):
            self.model += constraint

    def set_start(self, order: Sequence[int]) -> None:
        """Give every variable its value under `order`."""
        position = {v: k for k, v in enumerate(order)}
        for v, row in enumerate(self.ran):
            for k, variable in enumerate(row):
                if not isinstance(variable, int):
                    variable.setInitialValue(int(position[v] <= k))
        for (number, k), live in self.live.items():
            item = self.problem.items[number]
            places = [position[v] for v in bits(item.touches)]
            begun = item.from_start or min(places) <= k
            kept = item.to_end or max(places) >= k
            live.setInitialValue(int(begun and kept))
        for (v, number, k), share in self.saved.items():
            savings = savings_of_step(self.problem, v)
            met = [n for n, s in enumerate(savings) if all(position[u] < k for u in bits(s.others))]
            best = max(met, key=lambda n: savings[n].size_bytes, default=None)
            share.setInitialValue(int(position[v] == k and number == best))
        self.peak.setInitialValue(max(self.peak.lowBound, *step_costs(self.problem, order), 0))

    def order(self) -> list[int] | None:
        """The order that the solved variables describe, if they describe one."""
        placed = []
        for v, row in enumerate(self.ran):
            values = [x if isinstance(x, int) else x.varValue for x in row]
            if any(value is None for value in values):
                return None
            placed.append((len(values) - sum(round(value) for value in values), v))
        order = [v for _, v in sorted(placed)]
        ran = 0
        for v in order:
            if self.problem.ancestors[v] & ~ran:
                return None
            ran |= 1 << v
        return order
