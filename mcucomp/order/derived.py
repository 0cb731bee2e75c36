"""Which problems follow from one: with one more precedence, backwards, or of a part of the steps?

In: a `Problem`. Out: another, in which orders cost what the function says.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.order.problem import Item, Problem, assemble, bits, savings_of_step, set_of


def with_edge(problem: Problem, before: int, after: int) -> Problem:
    """`problem` where `before` must also precede `after`, which it must not follow.

    Step numbers stay as they are, so they need be topological no longer.
    `parents` and `children` may then hold steps that are no nearest ones.
    """
    earlier = problem.ancestors[before] | 1 << before
    later = problem.descendants[after] | 1 << after
    ancestors, descendants = list(problem.ancestors), list(problem.descendants)
    for v in bits(later):
        ancestors[v] |= earlier
    for v in bits(earlier):
        descendants[v] |= later
    parents, children = list(problem.parents), list(problem.children)
    parents[after] |= 1 << before
    children[before] |= 1 << after
    return replace(
        problem,
        ancestors=tuple(ancestors),
        descendants=tuple(descendants),
        parents=tuple(parents),
        children=tuple(children),
    )


def mirrored(problem: Problem) -> Problem:
    """The same problem with time running backwards; step numbers stay as they are."""
    return Problem(
        problem.steps,
        problem.descendants,
        problem.ancestors,
        problem.children,
        problem.parents,
        problem.scratch_bytes,
        tuple(
            Item(t.buffer, t.size_bytes, t.touches, t.enders, t.starters, t.to_end, t.from_start)
            for t in problem.items
        ),
        problem.items_of,
        problem.local_bytes,
        problem.base_bytes,
        problem.last_bytes,
        problem.first_bytes,
        problem.savings,
        not problem.backwards,
    )


def restricted(problem: Problem, ran: int, done: int, live_bytes: int) -> Problem:
    """The part of `problem` between the downsets `ran` and `done`.

    `live_bytes` is live(ran), which the caller knows. Orders of the part that
    follow an order of `ran` and precede one of the rest cost here what they
    cost in the whole. Time must run forwards.
    """
    assert not problem.backwards
    inside = done & ~ran
    members = list(bits(inside))
    index = {v: k for k, v in enumerate(members)}
    numbers = sorted({t for v in members for t in problem.items_of[v]})
    touched = []
    base_bytes = live_bytes
    for number in numbers:
        item = problem.items[number]
        from_start = item.from_start or bool(item.touches & ran)
        to_end = item.to_end or bool(item.touches & ~done)
        touches = set_of([index[v] for v in bits(item.touches & inside)])
        touched.append((item.buffer, item.size_bytes, touches, from_start, to_end))
        if from_start:
            base_bytes -= item.size_bytes
    ancestors = tuple(
        set_of([index[u] for u in bits(problem.ancestors[v] & inside)]) for v in members
    )
    part = assemble(
        tuple(problem.steps[v] for v in members),
        ancestors,
        tuple(problem.scratch_bytes[v] for v in members),
        touched,
        base_bytes,
        0 if ran else problem.first_bytes,
        0 if done != problem.everything else problem.last_bytes,
    )
    savings = tuple(
        tuple(
            replace(s, others=set_of([index[u] for u in bits(s.others & inside)]))
            for s in savings_of_step(problem, v)
            if not s.others & ~done
        )
        for v in members
    )
    return replace(part, savings=savings)
