"""Which smaller graph gives the same results, bit for bit?

In: a model. Out: a model whose graphs have fewer operators, or cheaper ones.
One module a pass, each with its reason; they run in turn until none finds
anything more. Tensors keep their indices and operators their index in the file,
so that everything can still be named and compared; a tensor that nobody
touches any more takes no bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mcucomp.ir import Graph, Model
from mcucomp.rewrite import (
    absorb_activations,
    cancel_transposes,
    drop_channels,
    drop_clamps,
    drop_dead,
    drop_identities,
    drop_unchanging,
    fold_channels,
    fold_constants,
    fold_known,
    fold_pads,
    forget_shapes,
    integer_edges,
    quantize_edges,
    shift_uint8,
)
from mcucomp.rewrite.channel_flow import channels_of
from mcucomp.rules import Rules
from mcucomp.values import Values, analyse

PASSES: Mapping[str, Callable[[Graph], Graph]] = {
    "fold constants": fold_constants.apply,
    "forget shapes": forget_shapes.apply,
    "drop identities": drop_identities.apply,
    "cancel transposes": cancel_transposes.apply,
    "absorb activations": absorb_activations.apply,
    "fold pads": fold_pads.apply,
    "drop dead operators": drop_dead.apply,
}

# What follows from the values that tensors can hold; before channels are dropped.
VALUE_PASSES: Mapping[str, Callable[[Graph, Values], Graph]] = {
    "drop unchanging operators": drop_unchanging.apply,
    "drop clamps": drop_clamps.apply,
    "fold known tensors": fold_known.apply,
    "fold channels": fold_channels.apply,
}


def rewrite(model: Model, rules: Rules) -> Model:
    """`model` as `rules` allow it: every pass on each of its graphs until nothing changes.

    Whatever the rules, uint8 becomes int8 first: without that there is nothing to plan.
    """
    graphs = tuple(shift_uint8.apply(graph) for graph in model.graphs)
    if rules.rewrites:
        graphs = tuple(rewrite_graph(graph) for graph in graphs)
    if rules.values:
        graphs = tuple(drop_by_values(graph) for graph in graphs)
        if rules.rewrites:
            graphs = tuple(rewrite_graph(graph) for graph in graphs)
    if rules.integers:
        graphs = (integer_edges.apply(graphs[0]), *graphs[1:])
    if rules.edges:
        graphs = (quantize_edges.apply(graphs[0]), *graphs[1:])
    return replace(model, graphs=graphs)


def rewrite_graph(graph: Graph) -> Graph:
    """`graph` with every pass applied until nothing changes; each pass takes something away."""
    while True:
        before = graph
        for apply in PASSES.values():
            graph = apply(graph)
        if graph == before:
            return graph


# Models have tens of thousands; a damaged file can claim billions in a few bytes.
_MOST_CHANNELS = 1 << 22


def drop_by_values(graph: Graph, multiple: int = drop_channels.BLOCK_CHANNELS) -> Graph:
    """`graph` without what its values make needless, until nothing changes.

    Tensors keep the number of channels they have, or a `multiple`. A graph that claims more
    channels than any model has is left as it is, since each channel is looked at.
    """
    if sum(channels_of(tensor) for tensor in graph.tensors) > _MOST_CHANNELS:
        return graph
    while True:
        before, values = graph, analyse(graph)
        for apply in VALUE_PASSES.values():
            graph = apply(graph, values)
        graph = drop_dead.apply(drop_channels.apply(graph, multiple))
        if graph == before:
            return graph
