"""Which operators must keep the file's order although no tensor passes between them?

In: a graph, and what its operators use. Out: pairs (before, after) of operators. An
operator may have effects beyond its outputs: it reads or changes a variable, or a
state that only it knows. Two operators keep their order if they touch the same
state and one of them changes it.

- READ_VARIABLE and ASSIGN_VARIABLE touch the resource that their handle names.
- A tensor marked as variable is state of the operators that take it.
- WHILE, IF, CALL and CALL_ONCE may touch any variable; CALL_ONCE, which gives
  variables their first values, runs before whatever follows it in the file.
- Custom operators of one kind may share a state.
- A use names the state that its operator, and the graphs that it runs, update.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcucomp.ir import Graph, Operator
from mcucomp.memory.uses import Use

_CALLS = ("CALL", "CALL_ONCE", "IF", "WHILE", "STABLEHLO_WHILE")
_READS = ("READ_VARIABLE",)
_CHANGES = ("ASSIGN_VARIABLE",)

State = tuple[str, object]


@dataclass(slots=True)
class _History:
    """The last operator that changed a state, and those that have read it since."""

    changed: int | None = None
    read: list[int] = field(default_factory=list)


def effect_order(graph: Graph, uses: Sequence[Use] = ()) -> tuple[tuple[int, int], ...]:
    """The pairs, sorted, without repetition; positions in `graph.operators`.

    `uses` has an entry an operator, or none at all.
    """
    names = _resource_names(graph)
    shared = sorted(set(names.values()), key=repr)
    histories: dict[State, _History] = {}
    pairs: set[tuple[int, int]] = set()
    for position, operator in enumerate(graph.operators):
        touched = [*_effects(graph, operator, names, shared)]
        if uses:
            is_changed = operator.kind not in _READS
            touched += [(("slot", slot.key), is_changed) for slot in uses[position].updates]
        for state, changes in touched:
            history = histories.setdefault(state, _History())
            earlier = ([] if history.changed is None else [history.changed]) + (
                history.read if changes else []
            )
            pairs.update((before, position) for before in earlier if before != position)
            if changes:
                history.changed, history.read = position, []
            else:
                history.read.append(position)
        if operator.kind == "CALL_ONCE":
            pairs.update((position, after) for after in range(position + 1, len(graph.operators)))
    return tuple(sorted(pairs))


def _resource_names(graph: Graph) -> dict[int, State]:
    """For each handle: the variable that it names."""
    return {
        operator.outputs[0]: (
            "variable",
            (operator.options.get("container"), operator.options.get("shared_name")),
        )
        for operator in graph.operators
        if operator.kind == "VAR_HANDLE" and operator.outputs
    }


def _effects(
    graph: Graph, operator: Operator, names: dict[int, State], shared: list[State]
) -> Iterator[tuple[State, bool]]:
    """The states that an operator touches, and whether it changes them."""
    if operator.kind in _READS + _CHANGES and operator.inputs:
        handle = operator.inputs[0]
        yield names.get(handle, ("handle", handle)), operator.kind in _CHANGES
    if operator.kind in _CALLS:
        for state in shared:
            yield state, True
    if operator.kind == "CUSTOM":
        yield ("custom", operator.custom_code), True
    for index in operator.inputs:
        if index >= 0 and graph.tensors[index].is_variable:
            yield ("tensor", index), True
