"""Which tensors share bytes, and which calls are then left out?

In: a graph and its kernel calls. Out: groups of tensors with a fixed place for
each, and the calls that remain. A call that only says that some tensors are
parts of another is left out if they can all lie where it says: every tensor
that something else defines (a step or the graph's inputs) keeps bytes of its
own, and parts start where the alignment allows.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from mcucomp.ir import Graph
from mcucomp.memory.uses import Use
from mcucomp.ops import View


@dataclass(slots=True)
class Groups:
    """Tensors by group; `place[t]` is where t starts in its group, in bytes.

    A group's places may be negative until `settled`.
    """

    group: dict[int, int] = field(default_factory=dict)
    place: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)

    def add(self, tensor: int) -> None:
        if tensor not in self.group:
            self.group[tensor] = tensor
            self.place[tensor] = 0
            self.members[tensor] = [tensor]

    def join(self, view: View) -> None:
        """Move the group of the part to where the whole's group wants it."""
        into, moved = self.group[view.whole], self.group[view.part]
        if into == moved:
            return
        shift = self.place[view.whole] + view.offset_bytes - self.place[view.part]
        for tensor in self.members.pop(moved):
            self.group[tensor] = into
            self.place[tensor] += shift
            self.members[into].append(tensor)

    def copy(self) -> Groups:
        members = {group: list(tensors) for group, tensors in self.members.items()}
        return Groups(dict(self.group), dict(self.place), members)

    def settled(self) -> Groups:
        """The same with every group starting at 0."""
        place = dict(self.place)
        for tensors in self.members.values():
            first = min(self.place[t] for t in tensors)
            for t in tensors:
                place[t] -= first
        return Groups(self.group, place, self.members)


def grouped(graph: Graph, calls: Sequence[Use], alignment: int) -> tuple[Groups, tuple[int, ...]]:
    """(the groups, the indices of the calls that remain)."""
    groups = Groups()
    for tensor in graph.tensors:
        groups.add(tensor.index)
    defined = set(graph.inputs)
    defined |= {index for call in calls for index in call.writes if not call.views}
    remaining = []
    for k, call in enumerate(calls):
        joined = _joined(graph, groups, call, defined, alignment)
        if joined is None:
            remaining.append(k)
            defined |= set(call.writes)
        else:
            groups = joined
    return groups.settled(), tuple(remaining)


def _joined(
    graph: Graph, groups: Groups, call: Use, defined: set[int], alignment: int
) -> Groups | None:
    """The groups with `call` left out; None where it has to stay."""
    touched = {t for view in call.views for t in (view.whole, view.part)}
    if not call.views or any(graph.tensors[t].is_constant for t in touched):
        return None
    if any(graph.tensors[t].is_variable for t in touched):
        return None
    if any(view.offset_bytes % alignment for view in call.views):
        return None
    joined = groups.copy()
    for view in call.views:
        joined.join(view)
    for view in call.views:
        if joined.place[view.part] - joined.place[view.whole] != view.offset_bytes:
            return None
    tensors = joined.members[joined.group[call.views[0].whole]]
    spans = sorted(
        (joined.place[t], joined.place[t] + graph.tensors[t].size_bytes)
        for t in tensors
        if t in defined
    )
    if any(high[0] < low[1] for low, high in itertools.pairwise(spans)):
        return None
    return joined
