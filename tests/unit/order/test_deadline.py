"""A time limit ends every search soon, and never makes a result wrong."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from benchmarks.step_graphs import FAMILIES
from mcucomp.certify import certificate, check
from mcucomp.order import deadline as deadlines
from mcucomp.order.best_order import best_order
from mcucomp.order.candidates import beam
from mcucomp.order.deadline import Deadline
from mcucomp.order.forced_precedence import force
from mcucomp.order.problem import problem_of
from mcucomp.order.search import search
from mcucomp.order.traps import forward_trap, reverse_trap
from mcucomp.planner import PlanOptions, plan

SHA256 = "0" * 64
# Neither traps nor forced precedence settle this one: the search has to.
HARD = FAMILIES["Watts-Strogatz"](24, random.Random(11))


class Clock:
    """A second passes with every look."""

    def __init__(self) -> None:
        self.now_s = 0

    def monotonic(self) -> int:
        self.now_s += 1
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    ticking = Clock()
    monkeypatch.setattr(deadlines, "time", SimpleNamespace(monotonic=ticking.monotonic))
    return ticking


def test_without_a_limit_a_deadline_never_passes(clock: Clock) -> None:
    assert not Deadline().passed
    assert Deadline().left_s is None


def test_a_deadline_passes_after_its_limit(clock: Clock) -> None:
    deadline = Deadline(2)
    assert [deadline.passed for _ in range(4)] == [False, False, True, True]
    assert deadline.left_s == 0


def test_work_has_a_limit_of_its_own_which_needs_no_clock() -> None:
    plenty, little = Deadline(), Deadline(limit_work=3_000)
    settled = best_order(problem_of(HARD), "auto", plenty)
    assert settled.floor.bytes == settled.peak_bytes
    assert plenty.work > little.limit_work
    ended = best_order(problem_of(HARD), "auto", little)
    assert ended.floor.bytes < ended.peak_bytes
    assert little.passed
    assert little.work < 2 * little.limit_work, "what goes on after the limit is little"


def test_every_search_ends_at_the_deadline(clock: Clock) -> None:
    problem = problem_of(HARD)
    passed = Deadline(0)
    budget_bytes = plan(HARD).peak_bytes - 1
    result = search(problem, budget_bytes, 1 << 40, Deadline(5))
    assert (result.order, result.exhausted) == (None, False)
    forced = force(problem, budget_bytes, 1 << 40, passed)
    assert (forced.bound, forced.edges) == (None, ())
    assert beam(problem, 48, 1 << 60, passed) is None
    assert forward_trap(problem, 0, 1 << 60, passed) is None
    assert reverse_trap(problem, 0, 1 << 60, passed) is None


def test_what_is_claimed_holds_however_soon_the_deadline_comes(clock: Clock) -> None:
    best = best_order(problem_of(HARD), "auto", Deadline())
    assert best.floor.bytes == best.peak_bytes
    gaps = []
    for limit_s in (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 100000):
        made = plan(HARD, PlanOptions(time_limit_s=limit_s))
        assert made.floor_bytes is not None
        assert made.floor_bytes <= best.peak_bytes <= made.peak_bytes
        assert check(certificate(made, SHA256, HARD), HARD, SHA256)
        gaps.append(made.peak_bytes - made.floor_bytes)
    assert gaps[0] > 0, "a limit of nothing leaves a gap in a graph that is hard"
    assert gaps[-1] == 0
