"""What can someone else check of a bound?

In: a bound in the numbering of a problem, without chains. Out: the same bound
over the steps and buffers of the step graph, with the chains of every cut.

The cuts are made anew on the whole problem: pieces found at waists and regions
grown from a valley have served to find the bound, and need not be believed.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.order.bounds import Bound, ForcedEdge, StepFloor, Trap, step_floor
from mcucomp.order.cuts import Chain
from mcucomp.order.derived import with_edge
from mcucomp.order.problem import Problem, bits, set_of
from mcucomp.order.traps import with_floors


def witnessed(problem: Problem, bound: Bound) -> Bound:
    """`bound` with its whole witness, in the numbering of the step graph."""
    obeying = problem
    edges = []
    for edge in bound.edges:
        edges.append(_with_chains(obeying, edge))
        obeying = with_edge(obeying, edge.before, edge.after)
    trap = None if bound.trap is None else with_floors(obeying, bound.trap)
    if trap is None:
        lowest = bound.bytes
    else:
        lowest = min([trap.bytes, *(edge.floor.bytes for edge in edges)])
    assert lowest >= bound.bytes, "a bound of a piece is one of the whole"
    return replace(
        bound,
        kind=bound.kind if trap is None else _kind(trap, bool(edges)),
        bytes=lowest,
        trap=None if trap is None else _trap_of_steps(problem, trap),
        edges=tuple(
            ForcedEdge(
                problem.steps[e.before], problem.steps[e.after], _floor_of_steps(problem, e.floor)
            )
            for e in edges
        ),
    )


def _kind(trap: Trap, forced: bool) -> str:
    """The plainest name: a trap of one step is a step bound."""
    if forced:
        return "forced-precedence"
    if trap.members.bit_count() == 1 and not trap.reverse:
        return "step"
    return "reverse-trap" if trap.reverse else "forward-trap"


def _with_chains(problem: Problem, edge: ForcedEdge) -> ForcedEdge:
    """The cut that forces `edge`: `after` without `before`, or `before` once `after` has run."""
    v = edge.floor.step
    if v == edge.after:
        ran, barred = 0, problem.descendants[edge.before] | 1 << edge.before
    else:
        ran, barred = problem.ancestors[edge.after] | 1 << edge.after, 0
    return replace(edge, floor=step_floor(problem, v, ran, barred))


def _trap_of_steps(problem: Problem, trap: Trap) -> Trap:
    return replace(
        trap,
        members=set_of([problem.steps[v] for v in bits(trap.members)]),
        floors=tuple(
            sorted((_floor_of_steps(problem, f) for f in trap.floors), key=lambda f: f.step)
        ),
    )


def _floor_of_steps(problem: Problem, floor: StepFloor) -> StepFloor:
    saved = tuple(
        replace(case, chains=_chains_of_buffers(problem, case.chains)) for case in floor.saved
    )
    chains = None if floor.chains is None else _chains_of_buffers(problem, floor.chains)
    return StepFloor(problem.steps[floor.step], floor.bytes, chains, saved)


def _chains_of_buffers(problem: Problem, chains: tuple[Chain, ...]) -> tuple[Chain, ...]:
    return tuple(
        (size_bytes, tuple(problem.items[number].buffer for number in numbers))
        for size_bytes, numbers in chains
    )
