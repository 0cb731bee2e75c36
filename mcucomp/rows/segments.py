"""In which order do row steps run?

In: a problem of row steps, and whose step each is. Out: orders, each made of
*segments*: consecutive operators that run together, one row after the other,
between which a tensor is complete. A segment of one operator streams nothing.

What is live before a segment depends on nothing but where it begins, so that
the best cut into segments is a dynamic programme over operators: least peak
first, then the fewest operators in segments with others.

Within a segment there are two ways. *Pulling*: the last operator's rows in turn,
each after what it needs. *Draining*: any step that leaves no more live than
before, the deepest first, else the deepest of all that are ready.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mcucomp.order.problem import Problem, bits, change, live_after, most_saved

_LONGEST = 40  # operators of a segment; longer ones never were the best
NO_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class Schedule:
    """An order of the problem's steps with its peak, and its segments as operators."""

    order: tuple[int, ...]
    peak_bytes: int
    segments: tuple[tuple[int, ...], ...]

    @property
    def fused(self) -> frozenset[int]:
        """The operators that run together with others."""
        return frozenset(o for segment in self.segments if len(segment) > 1 for o in segment)


def pulled(problem: Problem, ran: int, todo: int) -> Iterator[int]:
    """The steps of `todo` after `ran`: the last operator's rows in turn, the others on demand."""
    while todo & ~ran:
        stack = [(todo & ~ran).bit_length() - 1]
        while stack:
            missing = problem.parents[stack[-1]] & ~ran
            if missing:
                stack.append(missing.bit_length() - 1)
                continue
            step = stack.pop()
            ran |= 1 << step
            yield step


def drained(problem: Problem, ran: int, todo: int) -> Iterator[int]:
    """The steps of `todo` after `ran`: what does not raise the live bytes, then the deepest."""
    raises: dict[int, bool] = {}  # of the steps that are ready
    fresh = [v for v in bits(todo) if not problem.ancestors[v] & ~ran]
    while True:
        for v in fresh:
            raises[v] = change(problem, ran, v)[1] > 0
        if not raises:
            return
        step = min(raises, key=lambda v: (raises[v], -v))
        del raises[step]
        yield step
        ran |= 1 << step
        touched = 0
        for number in problem.items_of[step]:
            touched |= problem.items[number].touches
        fresh = [v for v in raises if touched >> v & 1]
        followers = bits(problem.children[step] & todo)
        fresh += [w for w in followers if not problem.ancestors[w] & ~ran]


Way = Callable[[Problem, int, int], Iterator[int]]
WAYS: tuple[Way, ...] = (pulled, drained)


@dataclass(frozen=True, slots=True)
class _Path:
    """The best way to a cut: its peak, how many operators share a segment, and the last segment."""

    peak_bytes: int
    fused: int
    before: int
    steps: tuple[int, ...]


def surely_live(problem: Problem, v: int) -> int:
    """What is live while v runs, whatever ran before: less than that no order needs."""
    total = problem.base_bytes + problem.local_bytes[v] - most_saved(problem, v)
    before, after = problem.ancestors[v], problem.descendants[v]
    for item in problem.items:
        begun = item.from_start or item.touches & before
        if begun and (item.to_end or item.touches & after) and not item.touches >> v & 1:
            total += item.size_bytes
    return total


class _Cuts:
    """The problem seen as operators one behind the other; a cut is how many of them have run."""

    def __init__(self, problem: Problem, operators: Sequence[int]) -> None:
        self.problem = problem
        self.operators = sorted({o for o in operators if o >= 0})
        members: dict[int, int] = {}
        for v, operator in enumerate(operators):
            members[operator] = members.get(operator, 0) | 1 << v
        ran, self.ran = 0, [0]
        for operator in self.operators:
            for v in bits(members[operator]):
                ran |= problem.ancestors[v] | 1 << v
            self.ran.append(ran)
        self.live_bytes = [live_after(problem, ran) for ran in self.ran]
        self.least_bytes = [0]  # that any order of the first operators needs
        for operator in self.operators:
            steps = list(bits(members[operator]))
            sample = {steps[0], steps[len(steps) // 2], steps[-1]}
            least_bytes = max(surely_live(problem, v) for v in sample)
            self.least_bytes.append(max(self.least_bytes[-1], least_bytes))

    def best(self, ways: Sequence[Way], limit_bytes: int) -> Schedule | None:
        """The best schedule of a peak below `limit_bytes`.

        Without a limit every part has the least peak that it can have; with one, no more
        operators share a segment than the limit asks for.
        """
        paths: list[_Path | None] = [_Path(0, 0, 0, ())]
        for cut in range(1, len(self.ran)):
            paths.append(self._path(paths, cut, ways, limit_bytes))
        last = paths[-1]
        if last is None:
            return None
        order: list[int] = []
        segments: list[tuple[int, ...]] = []
        cut = len(paths) - 1
        while cut:
            path = paths[cut]
            assert path is not None
            order[:0] = path.steps
            segments.insert(0, tuple(self.operators[path.before : cut]))
            cut = path.before
        return Schedule(tuple(order), last.peak_bytes, tuple(segments))

    def _path(
        self, paths: Sequence[_Path | None], cut: int, ways: Sequence[Way], limit_bytes: int
    ) -> _Path | None:
        best: _Path | None = None
        fewest = limit_bytes < NO_LIMIT

        def worth(peak_bytes: int, fused: int) -> tuple[int, int]:
            return (fused, peak_bytes) if fewest else (peak_bytes, fused)

        for before in range(cut - 1, max(-1, cut - 1 - _LONGEST), -1):
            path = paths[before]
            if path is None:
                continue
            fused = path.fused + cut - before - 1
            least_bytes = max(
                path.peak_bytes,
                self.live_bytes[before],
                self.live_bytes[cut],
                self.least_bytes[cut],
            )
            beyond = limit_bytes
            if best and not fewest:
                beyond = min(limit_bytes, best.peak_bytes + 1)
            if least_bytes >= beyond:
                continue
            for way in ways if cut - before > 1 else ways[:1]:
                if best and worth(least_bytes, fused) >= worth(best.peak_bytes, best.fused):
                    break
                steps, peak_bytes = self._run(
                    before, way(self.problem, self.ran[before], self._between(before, cut)), beyond
                )
                peak_bytes = max(path.peak_bytes, peak_bytes)
                if peak_bytes < beyond and (
                    not best or worth(peak_bytes, fused) < worth(best.peak_bytes, best.fused)
                ):
                    best = _Path(peak_bytes, fused, before, steps)
        return best

    def _between(self, before: int, cut: int) -> int:
        return self.ran[cut] & ~self.ran[before]

    def _run(self, cut: int, way: Iterable[int], beyond: int) -> tuple[tuple[int, ...], int]:
        """The steps of `way` after a cut with their peak; only until it is at `beyond` or above."""
        ran, live_bytes, peak_bytes = self.ran[cut], self.live_bytes[cut], 0
        steps: list[int] = []
        for v in way:
            more, rest = change(self.problem, ran, v)
            peak_bytes = max(peak_bytes, live_bytes + more)
            if peak_bytes >= beyond:
                break
            steps.append(v)
            live_bytes += rest
            ran |= 1 << v
        return tuple(steps), peak_bytes


def least_schedule(problem: Problem, operators: Sequence[int]) -> Schedule:
    """The schedule of least peak."""
    least = _Cuts(problem, operators).best(WAYS, NO_LIMIT)
    return Schedule((), 0, ()) if least is None else least


def schedules(problem: Problem, operators: Sequence[int]) -> list[Schedule]:
    """Schedules worth placing, the one of least peak first, without repetition.

    `operators[v]` is the position of the operator whose step v is, negative for an
    input of the graph that arrives in rows, which runs when somebody needs it.
    """
    if not problem.count:
        return [Schedule((), 0, ())]
    cuts = _Cuts(problem, operators)
    least = cuts.best(WAYS, NO_LIMIT)
    assert least is not None
    found = {least.order: least}
    fewest = cuts.best(WAYS, least.peak_bytes + 1)
    for schedule in (fewest, *(cuts.best((way,), NO_LIMIT) for way in WAYS)):
        if schedule is not None:
            found.setdefault(schedule.order, schedule)
    return sorted(found.values(), key=lambda s: (s.peak_bytes, len(s.fused)))
