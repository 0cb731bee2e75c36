"""Which operators must keep their order though no tensor goes from one to the other?

In: a graph of a model. Out: pairs (before, after) of its operators. State that
lasts is what couples them: variables, resources, graphs that are called from
several places, and custom operators of which it is not known what they do.
Every pair follows the file, whose order is the only one known to be meant.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from mcucomp.ir import Graph, Model, Operator
from mcucomp.tflm.blocks import called_graphs

# Custom operators whose state, if any, is their own, and that always run to their end.
# (CIRCULAR_BUFFER is none of them: it ends the inference early until it is full.)
_INDEPENDENT_CUSTOM = frozenset(
    {
        "SignalDelay",
        "SignalEnergy",
        "SignalFftAutoScale",
        "SignalFilterBank",
        "SignalFilterBankLog",
        "SignalFilterBankSpectralSubtraction",
        "SignalFilterBankSquareRoot",
        "SignalFramer",
        "SignalIrfft",
        "SignalOverlapAdd",
        "SignalPCAN",
        "SignalRfft",
        "SignalStacker",
        "SignalWindow",
        "TFLite_Detection_PostProcess",
    }
)

# Runs once, before the first use of what it sets up; nothing is moved across it.
_BARRIERS = frozenset({"CALL_ONCE"})

# Whether the operator changes the resource whose handle it is given first.
_RESOURCES: Mapping[str, bool] = {"READ_VARIABLE": False, "ASSIGN_VARIABLE": True}

_ANY_RESOURCE = "any resource"


@dataclass(slots=True)
class _Effects:
    """The state that an operator reads or changes."""

    reads: set[Hashable] = field(default_factory=set)
    changes: set[Hashable] = field(default_factory=set)
    is_barrier: bool = False

    def collides(self, other: _Effects) -> bool:
        """Whether the two may not change places."""
        if self.is_barrier or other.is_barrier:
            return True
        return bool(
            _common(self.changes, other.changes | other.reads) or _common(self.reads, other.changes)
        )


def _common(a: set[Hashable], b: set[Hashable]) -> bool:
    """Whether the two name the same state; a resource of unknown name may be any."""
    if a & b:
        return True
    return (_ANY_RESOURCE in a and _has_resource(b)) or (_ANY_RESOURCE in b and _has_resource(a))


def _has_resource(states: set[Hashable]) -> bool:
    return any(s == _ANY_RESOURCE or (isinstance(s, tuple) and s[0] == "resource") for s in states)


def precedence(model: Model, g: int) -> tuple[tuple[int, int], ...]:
    """Pairs (before, after) of operators of graph `g`, by their positions in the file."""
    effects = [_effects(model, g, operator) for operator in model.graphs[g].operators]
    touching = [i for i, e in enumerate(effects) if e.reads or e.changes or e.is_barrier]
    barriers = [i for i in touching if effects[i].is_barrier]
    pairs = {
        (a, b) for a in touching for b in touching if a < b and effects[a].collides(effects[b])
    }
    for barrier in barriers:
        pairs.update(
            (min(i, barrier), max(i, barrier)) for i in range(len(effects)) if i != barrier
        )
    return tuple(sorted(pairs))


def _effects(model: Model, g: int, operator: Operator) -> _Effects:
    graph = model.graphs[g]
    found = _Effects()
    for index in (*operator.inputs, *operator.outputs):
        if index >= 0 and graph.tensors[index].is_variable:
            found.changes.add(("variable", g, index))
    if operator.kind in _RESOURCES:
        states = found.changes if _RESOURCES[operator.kind] else found.reads
        states.add(_resource(graph, operator))
    for called in called_graphs(operator):
        found.changes.add(("graph", called))
        for inner in model.graphs[called].operators:
            within = _effects(model, called, inner)
            found.reads |= within.reads
            found.changes |= within.changes
            found.is_barrier |= within.is_barrier
    unknown_custom = operator.kind == "CUSTOM" and operator.custom_code not in _INDEPENDENT_CUSTOM
    found.is_barrier |= operator.kind in _BARRIERS or unknown_custom
    return found


def _resource(graph: Graph, operator: Operator) -> Hashable:
    """The name of the resource, which its handle's operator gives."""
    handle = operator.inputs[0] if operator.inputs else -1
    for source in graph.operators:
        if handle in source.outputs and source.kind == "VAR_HANDLE":
            return ("resource", source.options["container"], source.options["shared_name"])
    return _ANY_RESOURCE
