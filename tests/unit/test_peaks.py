"""Every peak that a run can have, from plans made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcucomp.memory import Buffer, MemoryModel, Step, StepGraph
from mcucomp.ops import Control, ControlForm, KernelCall
from mcucomp.peaks import possible_peaks
from mcucomp.planner import Plan


@dataclass(frozen=True)
class Graph:
    """One buffer of some bytes at 0, and a step for each call with its scratch above."""

    size_bytes: int
    calls: tuple[KernelCall, ...] = ()
    scratch: tuple[tuple[int, int], ...] = ()  # (offset, bytes)
    memory: MemoryModel = field(init=False)
    plan: Plan = field(init=False)

    def __post_init__(self) -> None:
        steps = tuple(Step("s", "IF", size_bytes) for _, size_bytes in self.scratch)
        step_graph = StepGraph(steps, (Buffer("x", self.size_bytes, (), ()),))
        offsets = tuple(offset if size_bytes else None for offset, size_bytes in self.scratch)
        object.__setattr__(self, "memory", MemoryModel(step_graph, {}, {}, ()))
        plan = Plan(tuple(range(len(steps))), (0,), offsets, ("",) * len(steps), 4, 0, 0, 0)
        object.__setattr__(self, "plan", plan)


def calling(form: ControlForm, *graphs: int) -> KernelCall:
    return KernelCall("", {}, (), (), control=Control(form, graphs))


KERNEL = KernelCall("mcuc_add_s8", {}, (), ())


def test_without_control_flow_there_is_one() -> None:
    assert possible_peaks([Graph(10, (KERNEL, KERNEL), ((0, 0), (12, 7)))]) == (19,)


def test_a_branch_has_either_peak() -> None:
    branch = calling(ControlForm.BRANCH, 1, 2)
    assert possible_peaks([Graph(10, (branch,), ((12, 30),)), Graph(30), Graph(5)]) == (17, 42)


def test_a_branch_below_what_is_there_anyway_changes_nothing() -> None:
    branch = calling(ControlForm.BRANCH, 1, 2)
    assert possible_peaks([Graph(100, (branch,), ((12, 30),)), Graph(30), Graph(5)]) == (100,)


def test_a_loop_may_not_go_round() -> None:
    loop = calling(ControlForm.LOOP, 1, 2)
    assert possible_peaks([Graph(10, (loop,), ((12, 30),)), Graph(3), Graph(30)]) == (15, 42)


def test_what_has_run_before_touches_nothing() -> None:
    once = calling(ControlForm.ONCE, 1)
    assert possible_peaks([Graph(10, (once,), ((12, 30),)), Graph(30)]) == (10, 42)


def test_branches_within_a_loop_add_up_over_its_rounds() -> None:
    graphs = [
        Graph(4, (calling(ControlForm.LOOP, 1, 2),), ((8, 100),)),
        Graph(1),
        Graph(8, (calling(ControlForm.BRANCH, 3, 4),), ((20, 60),)),
        Graph(60),
        Graph(2),
    ]
    assert possible_peaks(graphs) == (9, 30, 88)
