"""Does every order need as many bytes as a certificate says?

In: one certificate and the step graph. Out: its kind, its bytes, and a sentence
on what was verified.

A floor for one step is verified from *chains*. A chain is bytes f and buffers
t1, ..., tk such that t1 has surely begun when the step runs, tk surely has not
ended, and wherever one of them has ended the next has begun: then at least one
of them is live. If no buffer is in chains of more bytes than it has, all the
chains' bytes are live at once. What "surely" means is given by two sets: steps
that must have run by then, and steps that cannot have.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcucomp.certify.drift import check_drift
from mcucomp.certify.exhaustion import search_again
from mcucomp.certify.overlap import choices_of
from mcucomp.certify.reading import equal, member, numbers, of_kind, wrong
from mcucomp.certify.replay import direct_pairs
from mcucomp.certify.rounding import rounded
from mcucomp.memory.types import StepGraph

_KINDS = (
    "inputs", "step", "forward-trap", "reverse-trap", "forced-precedence", "exhaustion", "ilp",
    "drift",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor that was checked; `verified` is false where it is only somebody's word."""

    kind: str
    bytes: int
    verified: bool
    sentence: str


class Precedence:
    """Which steps precede which, closed; more pairs can be added. Sets are bit sets."""

    def __init__(self, step_graph: StepGraph) -> None:
        self.step_graph = step_graph
        self.choices = choices_of(step_graph)
        count = len(step_graph.steps)
        self.before = [0] * count
        self.after = [0] * count
        direct: list[set[int]] = [set() for _ in range(count)]
        for first, second in direct_pairs(step_graph):
            direct[second].add(first)
        done = 0
        todo = list(range(count))
        while todo:
            waiting = []
            for step in todo:
                if all(done >> p & 1 for p in direct[step]):
                    for p in direct[step]:
                        self.before[step] |= self.before[p] | 1 << p
                    done |= 1 << step
                else:
                    waiting.append(step)
            todo = waiting
        for step in range(count):
            for earlier in members(self.before[step]):
                self.after[earlier] |= 1 << step

    def add(self, first: int, second: int) -> None:
        earlier = self.before[first] | 1 << first
        later = self.after[second] | 1 << second
        for step in members(later):
            self.before[step] |= earlier
        for step in members(earlier):
            self.after[step] |= later

    def closed_before(self, steps: int) -> int:
        """`steps` and all that must run before any of them."""
        result = steps
        for step in members(steps):
            result |= self.before[step]
        return result

    def closed_after(self, steps: int) -> int:
        """`steps` and all that cannot run before any of them has."""
        result = steps
        for step in members(steps):
            result |= self.after[step]
        return result


def members(steps: int) -> list[int]:
    """The members of a bit set, ascending."""
    result = []
    while steps:
        lowest = steps & -steps
        result.append(lowest.bit_length() - 1)
        steps ^= lowest
    return result


def check_floor(certificate: Any, step_graph: StepGraph, path: str) -> Floor:
    """Verify one certificate of the claim `floor`."""
    equal(member(certificate, path, "claim", str), "floor", f"{path}.claim", "this checker")
    kind = member(certificate, path, "kind", str)
    claimed_bytes = member(certificate, path, "bytes", int)
    if kind not in _KINDS:
        raise wrong(f"{path}.kind", f"is {kind!r}; known are {', '.join(_KINDS)}")
    if kind == "ilp":
        sentence = f"a solver claims that no order needs less than {claimed_bytes:,} B; not checked"
        return Floor(kind, claimed_bytes, False, sentence)
    if kind == "inputs":
        proven_bytes = _live_before_the_first_step(step_graph)
        sentence = f"{proven_bytes:,} B are live before the first step"
        equal(claimed_bytes, proven_bytes, f"{path}.bytes", "the sum of the inputs")
        return Floor(kind, proven_bytes, True, sentence)
    if kind == "drift":
        chain = check_drift(certificate, step_graph, path, claimed_bytes)
        sentence = (
            f"no placement, whatever the order, needs less than {claimed_bytes:,} B"
            f" (drift: a chain of {len(chain)} buffers; checked)"
        )
        return Floor(kind, claimed_bytes, True, sentence)
    precedence = Precedence(step_graph)
    edges = _check_edges(certificate, precedence, path)
    if kind == "exhaustion":
        return _check_exhaustion(claimed_bytes, precedence, edges, path)
    trap_bytes, size, direction = _check_trap(certificate, precedence, f"{path}.trap")
    proven_bytes = min([trap_bytes, *edges])
    equal(claimed_bytes, proven_bytes, f"{path}.bytes", "its witness")
    equal(kind, _kind_of(direction, size, bool(edges)), f"{path}.kind", "its witness")
    forced = f", among orders that obey {len(edges)} forced precedences" if edges else ""
    which = (
        "whenever one step runs"
        if size == 1
        else (f"whichever of {size} steps runs {'last' if direction == 'reverse' else 'first'}")
    )
    sentence = f"no order needs less than {proven_bytes:,} B ({kind}: {which}{forced}; checked)"
    return Floor(kind, proven_bytes, True, sentence)


def _kind_of(direction: str, size: int, forced: bool) -> str:
    if forced:
        return "forced-precedence"
    if size == 1 and direction == "forward":
        return "step"
    return f"{direction}-trap"


def _live_before_the_first_step(step_graph: StepGraph) -> int:
    return sum(
        rounded(buffer.size_bytes, step_graph.alignment)
        for buffer in step_graph.buffers
        if buffer.from_start or not buffer.writers
    )


def _check_edges(certificate: Any, precedence: Precedence, path: str) -> list[int]:
    """Verify forced edges one after the other, adding each; returns what each would cost."""
    costs = []
    listed = certificate.get("edges", [])
    for k, edge in enumerate(of_kind(listed, f"{path}.edges", list)):
        at = f"{path}.edges[{k}]"
        count = len(precedence.before)
        before, after = numbers(
            [member(edge, at, "before", int), member(edge, at, "after", int)], at, count
        )
        if before == after or precedence.before[before] >> after & 1:
            raise wrong(at, f"step {after} precedes step {before} already")
        step = member(edge, at, "step", int)
        if step == after:  # if it ran while `before` had not
            ran, barred = 0, 1 << before
        elif step == before:  # if it ran once `after` had
            ran, barred = 1 << after, 0
        else:
            raise wrong(f"{at}.step", f"is {step}; it must be {before} or {after}")
        costs.append(_check_step(edge, precedence, ran, barred, at))
        precedence.add(before, after)
    return costs


def _check_trap(certificate: Any, precedence: Precedence, path: str) -> tuple[int, int, str]:
    """Verify a trap; returns its bytes, how many steps it has, and its direction."""
    trap = member(certificate, path.rsplit(".", 1)[0], "trap", dict)
    direction = member(trap, path, "direction", str)
    if direction not in ("forward", "reverse"):
        raise wrong(f"{path}.direction", f"is {direction!r}; it must be forward or reverse")
    count = len(precedence.before)
    listed = numbers(member(trap, path, "members", list), f"{path}.members", count)
    if not listed or len(set(listed)) != len(listed):
        raise wrong(f"{path}.members", "must hold at least one step, and each once")
    chosen = sum(1 << step for step in listed)
    related = precedence.before if direction == "forward" else precedence.after
    first = [step for step in sorted(listed) if not related[step] & chosen]
    floors = member(trap, path, "floors", list)
    given = [member(f, f"{path}.floors[{k}]", "step", int) for k, f in enumerate(floors)]
    equal(given, first, f"{path}.floors (whose)", "the precedence of its members")
    costs = []
    for k, (floor, step) in enumerate(zip(floors, first, strict=True)):
        if direction == "forward":
            ran, barred = 0, chosen
        else:
            ran, barred = chosen & ~(1 << step), 0
        costs.append(_check_step(floor, precedence, ran, barred, f"{path}.floors[{k}]"))
    return min(costs), len(listed), direction


def _check_step(
    floor: Mapping[str, Any], precedence: Precedence, ran: int, barred: int, path: str
) -> int:
    """Verify that a step finds the bytes it claims, if `ran` has run and `barred` has not.

    Where it may write over its inputs there is a case for each choice of them,
    in which whatever else needs them has run, and one without, unless some
    choice is open in any case. The least case counts.
    """
    step = member(floor, path, "step", int)
    ran = precedence.closed_before(ran) | precedence.before[step]
    barred = precedence.closed_after(barred | 1 << step)
    cases: dict[frozenset[int], tuple[int, int]] = {}  # reads: who ran, what that saves
    always = False
    for choice in precedence.choices.get(step, ()):
        ran_then = precedence.closed_before(choice.others) | ran
        if not ran_then & barred:
            cases[choice.reads] = ran_then, choice.saved_bytes
            always = always or ran_then == ran
    costs = []
    listed = of_kind(floor.get("overlaps", []), f"{path}.overlaps", list)
    for k, case in enumerate(listed):
        at = f"{path}.overlaps[{k}]"
        reads = frozenset(numbers(member(case, at, "buffers", list), f"{at}.buffers"))
        if reads not in cases:
            raise wrong(f"{at}.buffers", f"step {step} cannot write over these, or they come twice")
        ran_then, saved_bytes = cases.pop(reads)
        found_bytes = _check_case(case, precedence, step, ran_then, barred, at) - saved_bytes
        equal(member(case, at, "bytes", int), found_bytes, f"{at}.bytes", "the sum of its chains")
        costs.append(found_bytes)
    if cases:
        missing = ", ".join(map(str, sorted(next(iter(cases)))))
        raise wrong(path, f"leaves out that step {step} may write over buffer {missing}")
    if not always:
        costs.append(_check_case(floor, precedence, step, ran, barred, path))
    equal(member(floor, path, "bytes", int), min(costs), f"{path}.bytes", "the sum of its chains")
    return min(costs)


def _check_case(
    floor: Mapping[str, Any], precedence: Precedence, step: int, ran: int, barred: int, path: str
) -> int:
    """Add up what is live while a step runs, its overlaps aside; `ran` and `barred` are closed."""
    step_graph = precedence.step_graph
    proven_bytes = rounded(step_graph.steps[step].scratch_bytes, step_graph.alignment)
    room: dict[int, int] = {}  # bytes that chains may still use of each buffer
    touched: dict[int, int] = {}
    nothing_ran = not ran and barred == (1 << len(precedence.before)) - 1
    for index, buffer in enumerate(step_graph.buffers):
        size_bytes = rounded(buffer.size_bytes, step_graph.alignment)
        steps = sum(1 << s for s in {*buffer.writers, *buffer.readers})
        if steps >> step & 1 or (not steps and (buffer.held or nothing_ran)):
            proven_bytes += size_bytes  # the step's own, or live whatever runs
        elif steps:
            room[index], touched[index] = size_bytes, steps
    chains = member(floor, path, "chains", list)
    for k, chain in enumerate(chains):
        at = f"{path}.chains[{k}]"
        size_bytes, *buffers = numbers(chain, at) or [0]
        if not size_bytes or not buffers:
            raise wrong(at, "must be bytes above 0, then buffers")
        _check_chain(buffers, touched, precedence, ran, barred, at)
        for index in buffers:
            room[index] -= size_bytes
            if room[index] < 0:
                name = step_graph.buffers[index].name
                raise wrong(at, f"takes {-room[index]:,} B more than buffer {index} ({name}) has")
        proven_bytes += size_bytes
    return proven_bytes


def _check_chain(
    buffers: Sequence[int],
    touched: Mapping[int, int],
    precedence: Precedence,
    ran: int,
    barred: int,
    path: str,
) -> None:
    """Verify that one of `buffers` is live."""
    for index in buffers:
        if index not in touched:
            raise wrong(path, f"buffer {index} is unknown, or counted already")
    if len(set(buffers)) != len(buffers):
        raise wrong(path, "names a buffer twice")
    of = precedence.step_graph.buffers

    def from_start(index: int) -> bool:
        return of[index].from_start or not of[index].writers

    first, last = buffers[0], buffers[-1]
    if not from_start(first) and not touched[first] & ran:
        raise wrong(path, f"buffer {first} ({of[first].name}) need not have begun")
    if not of[last].held and not touched[last] & barred:
        raise wrong(path, f"buffer {last} ({of[last].name}) may have ended")
    for index, following in itertools.pairwise(buffers):
        run_by_then = precedence.closed_before(touched[index])
        if not from_start(following) and not run_by_then & touched[following]:
            raise wrong(
                path,
                f"buffer {following} ({of[following].name}) need not have begun"
                f" when buffer {index} ({of[index].name}) has ended",
            )
        if of[index].held:
            raise wrong(
                path, f"buffer {index} ({of[index].name}) never ends: the chain is too long"
            )


def _check_exhaustion(
    claimed_bytes: int, precedence: Precedence, edges: Sequence[int], path: str
) -> Floor:
    """Repeat the search below the claimed bytes."""
    if any(cost < claimed_bytes for cost in edges):
        raise wrong(f"{path}.edges", f"one of them costs less than {claimed_bytes:,} B")
    states = search_again(
        precedence.step_graph, precedence.before, precedence.after, claimed_bytes - 1, path
    )
    sentence = (
        f"no order needs less than {claimed_bytes:,} B (optimal by exhaustion, {states:,} states)"
    )
    return Floor("exhaustion", claimed_bytes, True, sentence)
