"""How little can be live while a step runs, if some steps have run and others have not?

In: a problem, a downset that has run, an upset that has not. Out: the least
during(D, v) or live(D) over every downset D between the two, the downsets that
attain it, and the proof: *chains*.

It is one minimum cut. Side S of the cut is "has run". For each item with bytes
s: an arc of capacity s from "it has begun" to "it has ended"; from each step
that may begin it an unlimited arc to "has begun", from "has ended" unlimited
arcs to the steps that may end it, and from each step unlimited arcs to those
right before it. Only steps and items that are still undecided become nodes, so
a cut costs what its undecided region costs, however large the graph is.

A chain is a path of the flow, told without a network: bytes f and items t1,
t2, ..., tk where t1 has surely begun, tk surely has not ended, and wherever
t(i) has ended t(i+1) has begun. So one of them is live. If no item is in
chains of more bytes than it has, then the chains' bytes together are live.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mcucomp.order.problem import Problem, bits, savings_of_step

_PASSES = 4  # over the region: to build the network, to fill it, to read the two sides

Chain = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Cut:
    """The least bytes, and the least and greatest downset that attain them.

    `chains` is empty unless asked for; items are indices into the problem's.
    """

    live_bytes: int
    least: int
    greatest: int
    chains: tuple[Chain, ...] = ()


def cut_work(problem: Problem, ran: int, barred: int) -> int:
    """What a cut between the two takes, in steps looked at: its undecided region, several times."""
    return _PASSES * (1 + (problem.everything & ~(ran | barred)).bit_count())


def least_live(problem: Problem, ran: int, barred: int, *, chains: bool = False) -> Cut:
    """The minimum of live(D) over downsets D that hold `ran` and avoid `barred`."""
    return _cut(problem, ran, barred, None, problem.base_bytes, chains)


def least_during(problem: Problem, v: int, ran: int, barred: int, *, chains: bool = False) -> Cut:
    """The minimum of during(D, v) over downsets D that hold `ran` and avoid `barred`.

    v's ancestors are added to `ran`; v and its descendants to `barred`. What is
    live at the last position alone (`last_bytes`) is left out, which is sound.
    The least of several cuts: one for each saving, over the downsets that meet its
    condition, and one without, unless some saving is there in any case.
    """
    cases = during_cases(problem, v, ran, barred, chains=chains)
    return min((cut for _, cut in cases), key=lambda cut: cut.live_bytes)


@dataclass(frozen=True, slots=True)
class SavingCase:
    """The downsets between `ran` and `barred`, in which `size_bytes` may be taken off.

    `number` says by which of the step's savings; None by none.
    """

    number: int | None
    size_bytes: int
    ran: int
    barred: int


def during_cases(
    problem: Problem, v: int, ran: int, barred: int, *, chains: bool = False
) -> list[tuple[SavingCase, Cut]]:
    """The cuts whose least `least_during` is, the saving taken off."""
    ran |= problem.ancestors[v]
    barred |= problem.descendants[v] | 1 << v
    return [
        (case, replace(cut, live_bytes=cut.live_bytes - case.size_bytes))
        for case in saving_cases(problem, v, ran, barred)
        for cut in (_during(problem, v, case.ran, case.barred, chains),)
    ]


def saving_cases(problem: Problem, v: int, ran: int, barred: int) -> list[SavingCase]:
    """Cases that hold all downsets between `ran` and `barred`, each with what it saves."""
    cases = []
    always = False
    for number, saving in enumerate(savings_of_step(problem, v)):
        if problem.backwards:
            if saving.others & ran:
                continue
            more = _closed(saving.others, problem.descendants) & ~barred
            cases.append(SavingCase(number, saving.size_bytes, ran, barred | more))
        else:
            more = _closed(saving.others, problem.ancestors) & ~ran
            if more & barred:
                continue
            cases.append(SavingCase(number, saving.size_bytes, ran | more, barred))
        always = always or not more
    if not always:
        cases.append(SavingCase(None, 0, ran, barred))
    return cases


def _closed(steps: int, related: Sequence[int]) -> int:
    """`steps` and all that are `related` to them."""
    closed = steps
    for step in bits(steps):
        closed |= related[step]
    return closed


def _during(problem: Problem, v: int, ran: int, barred: int, chains: bool) -> Cut:
    """The least during(D, v) without savings."""
    base_bytes = problem.base_bytes + problem.local_bytes[v]
    if not ran and not problem.everything & ~barred:
        base_bytes += problem.first_bytes
    return _cut(problem, ran, barred, v, base_bytes, chains)


def _cut(
    problem: Problem, ran: int, barred: int, v: int | None, base_bytes: int, chains: bool
) -> Cut:
    """The cut; items that v touches are left out."""
    free = problem.everything & ~(ran | barred)
    own = 0 if v is None else 1 << v
    decided: list[Chain] = []
    network = _Network()
    for number, item in enumerate(problem.items):
        touches = item.touches
        if touches & own:
            continue
        begun = item.from_start or touches & ran
        kept = item.to_end or touches & barred
        if begun and kept:
            base_bytes += item.size_bytes
            if chains:
                decided.append((item.size_bytes, (number,)))
        elif touches & free:
            network.add_item(
                number,
                item.size_bytes,
                None if begun else item.starters & free,
                None if kept else item.enders & free,
            )
    if not network.items:
        return Cut(base_bytes, ran, ran | free, tuple(decided))
    for step in bits(free):
        network.add_precedence(step, problem.parents[step] & free)
    flow = network.maximise()
    found = tuple(decided) + network.chains() if chains else ()
    least = ran
    for step in network.reached():
        least |= 1 << step
    greatest = ran | free
    for step in network.reaching():
        greatest &= ~(1 << step)
    return Cut(base_bytes + flow, least, greatest, found)


_SOURCE, _SINK = 0, 1


@dataclass(slots=True)
class _Network:
    """A flow network over undecided items and steps; arc i and arc i ^ 1 are opposite."""

    heads: list[int] = field(default_factory=list)
    room: list[int] = field(default_factory=list)
    arcs_of: list[list[int]] = field(default_factory=lambda: [[], []])
    node_of_step: dict[int, int] = field(default_factory=dict)
    items: dict[int, int] = field(default_factory=dict)
    unlimited: int = 1 << 62

    def add_item(
        self, number: int, size_bytes: int, starters: int | None, enders: int | None
    ) -> None:
        """An item; `starters` None says it has begun, `enders` None that it stays."""
        if starters is None:
            begun = _SOURCE
        elif starters & (starters - 1):
            begun = self._new_node()
            for step in bits(starters):
                self._add_arc(self._step(step), begun, self.unlimited)
        else:
            begun = self._step(starters.bit_length() - 1)
        if enders is None:
            ended = _SINK
        elif enders & (enders - 1):
            ended = self._new_node()
            for step in bits(enders):
                self._add_arc(ended, self._step(step), self.unlimited)
        else:
            ended = self._step(enders.bit_length() - 1)
        if begun != ended:
            self.items[len(self.heads)] = number
            self._add_arc(begun, ended, size_bytes)

    def add_precedence(self, step: int, before: int) -> None:
        """Arcs from a step to those that must have run by then."""
        node = self._step(step)
        for u in bits(before):
            self._add_arc(node, self._step(u), self.unlimited)

    def maximise(self) -> int:
        """Push all the flow there is, by shortest paths; returns its value."""
        total = 0
        while True:
            level = self._levels()
            if level[_SINK] < 0:
                return total
            total += self._block(level)

    def reached(self) -> list[int]:
        """Steps on the source's side of the cut nearest to the source."""
        level = self._levels()
        return [step for step, node in self.node_of_step.items() if level[node] >= 0]

    def reaching(self) -> list[int]:
        """Steps on the sink's side of the cut nearest to the sink."""
        seen = [False] * len(self.arcs_of)
        seen[_SINK] = True
        queue = [_SINK]
        for node in queue:
            for arc in self.arcs_of[node]:
                other = self.heads[arc]
                if not seen[other] and self.room[arc ^ 1]:
                    seen[other] = True
                    queue.append(other)
        return [step for step, node in self.node_of_step.items() if seen[node]]

    def chains(self) -> tuple[Chain, ...]:
        """The flow as paths from source to sink, each as the items that it passes."""
        used = {arc: self.room[arc ^ 1] for arc in range(0, len(self.heads), 2)}
        onward = [[a for a in arcs if not a & 1 and used[a]] for arcs in self.arcs_of]
        found: list[Chain] = []
        while True:
            path: list[int] = []
            place = {_SOURCE: 0}
            node = _SOURCE
            while node != _SINK:
                arcs = onward[node]
                while arcs and not used[arcs[-1]]:
                    arcs.pop()
                if not arcs:
                    return tuple(found)
                path.append(arcs[-1])
                node = self.heads[arcs[-1]]
                if node in place:  # a circle carries nothing from source to sink
                    circle = path[place[node] :]
                    least = min(used[a] for a in circle)
                    for a in circle:
                        used[a] -= least
                    path, place, node = [], {_SOURCE: 0}, _SOURCE
                else:
                    place[node] = len(path)
            least = min(used[a] for a in path)
            for a in path:
                used[a] -= least
            found.append((least, tuple(self.items[a] for a in path if a in self.items)))

    def _new_node(self) -> int:
        self.arcs_of.append([])
        return len(self.arcs_of) - 1

    def _step(self, step: int) -> int:
        node = self.node_of_step.get(step)
        if node is None:
            node = self.node_of_step[step] = self._new_node()
        return node

    def _add_arc(self, tail: int, head: int, capacity: int) -> None:
        self.arcs_of[tail].append(len(self.heads))
        self.heads.append(head)
        self.room.append(capacity)
        self.arcs_of[head].append(len(self.heads))
        self.heads.append(tail)
        self.room.append(0)

    def _levels(self) -> list[int]:
        """Distance from the source over arcs with room; -1 where there is no way."""
        level = [-1] * len(self.arcs_of)
        level[_SOURCE] = 0
        queue = [_SOURCE]
        heads, room = self.heads, self.room
        for node in queue:
            for arc in self.arcs_of[node]:
                head = heads[arc]
                if level[head] < 0 and room[arc]:
                    level[head] = level[node] + 1
                    queue.append(head)
        return level

    def _block(self, level: list[int]) -> int:
        """Push along shortest paths until none is left; returns what was pushed."""
        heads, room, arcs_of = self.heads, self.room, self.arcs_of
        at = [0] * len(arcs_of)
        total = 0
        path: list[int] = []
        node = _SOURCE
        while True:
            if node == _SINK:
                pushed = min(room[arc] for arc in path)
                total += pushed
                first_full = len(path)
                for k in range(len(path) - 1, -1, -1):
                    room[path[k]] -= pushed
                    room[path[k] ^ 1] += pushed
                    if not room[path[k]]:
                        first_full = k
                node = heads[path[first_full] ^ 1]
                del path[first_full:]
                continue
            arcs = arcs_of[node]
            while at[node] < len(arcs):
                arc = arcs[at[node]]
                if room[arc] and level[heads[arc]] == level[node] + 1:
                    break
                at[node] += 1
            if at[node] < len(arcs):
                path.append(arcs[at[node]])
                node = heads[path[-1]]
            elif node == _SOURCE:
                return total
            else:
                level[node] = -1
                arc = path.pop()
                node = heads[arc ^ 1]
