"""Channels that nobody needs are dropped, with the weights that make them and read them.

Reason: they take multiplications, weights and arena for nothing. Needed is what
an output of the graph needs, backwards: a layer needs the inputs for which an
output that is needed has a weight other than 0. What other operators tie
together (both sides of a sum, a depthwise filter's input and output) stays or
goes together, and where an operator is not followed all its channels stay.
Kernels like whole blocks of channels, so counts are rounded up to a multiple:
then some that could go stay, with weights of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from mcucomp.ir import Graph, Operator, Quantization, Tensor
from mcucomp.ops import Node
from mcucomp.ops.constants import array_of, data_of
from mcucomp.rewrite.channel_flow import RESHAPES, Flow, Masks, channels_of, flow_of
from mcucomp.rewrite.edit import with_constant, with_operators, with_tensor

# Kernels take outputs in blocks of four, and depthwise ones channels.
BLOCK_CHANNELS = 4


def apply(graph: Graph, multiple: int = BLOCK_CHANNELS) -> Graph:
    """`graph` with fewer channels, of each tensor a `multiple` or all that it had."""
    flows = [flow_of(graph, operator) for operator in graph.operators]
    live = _live(graph, flows)
    if all(mask.all() for mask in live.values()):
        return graph
    kept = _kept(graph, flows, live, multiple)
    if all(mask.all() for mask in kept.values()):
        return graph
    for position, operator in enumerate(graph.operators):
        rebuild = _REBUILDS.get(operator.kind)
        if rebuild is not None and flows[position] is not None:
            graph = rebuild(graph, position, kept, live)
    for index, mask in kept.items():
        if not mask.all():
            graph = with_tensor(graph, _narrowed(graph.tensors[index], mask))
        if not live[index].all():
            graph = with_tensor(graph, replace(graph.tensors[index], is_changed=True))
    return graph


def _followed(graph: Graph) -> set[int]:
    """Tensors whose channels are told apart: what operators write, and what they are given."""
    found = set(graph.inputs)
    for operator in graph.operators:
        found.update(operator.outputs)
    return found


def _live(graph: Graph, flows: Sequence[Flow | None]) -> dict[int, np.ndarray]:
    """For each tensor that is followed, the channels that an output of the graph depends on."""
    live = {i: np.zeros(channels_of(graph.tensors[i]), bool) for i in sorted(_followed(graph))}
    for flow in flows:
        for tie in () if flow is None else flow.ties:
            for index in (tie.a, tie.b):
                live.setdefault(index, np.zeros(channels_of(graph.tensors[index]), bool))
    for index in (*graph.outputs, *_untied_constants(graph, flows)):
        if index in live:
            live[index][:] = True
    for operator, flow in zip(reversed(graph.operators), reversed(flows), strict=True):
        if flow is None:
            for index in (*operator.inputs, *operator.outputs):
                if index in live:
                    live[index][:] = True
        elif flow.needs is not None:
            for index, mask in flow.needs(live[operator.outputs[0]]).items():
                live[index] |= mask
        else:
            _need_tied(live, operator, flow)
    return live


def _untied_constants(graph: Graph, flows: Sequence[Flow | None]) -> list[int]:
    """Constants that an operator reads in another way than channel by channel."""
    found = []
    for operator, flow in zip(graph.operators, flows, strict=True):
        tied = {tie.a for tie in flow.ties} if flow is not None else set()
        found += [i for i in operator.inputs if i not in tied and i >= 0]
    return [index for index in found if graph.tensors[index].is_constant]


def _need_tied(live: dict[int, np.ndarray], operator: Operator, flow: Flow) -> None:
    """Inputs are needed where what they are tied to is; those that are not tied, if anything is."""
    tied = {tie.a for tie in flow.ties}
    for tie in flow.ties:
        np.logical_or.at(live[tie.a], tie.a_channels, live[tie.b][tie.b_channels])
    if any(live[index].any() for index in operator.outputs):
        for index in operator.inputs:
            if index in live and index not in tied:
                live[index][:] = True


def _kept(
    graph: Graph, flows: Sequence[Flow | None], live: Masks, multiple: int
) -> dict[int, np.ndarray]:
    """The channels that stay: the needed ones, what is tied to them, and what fills a block."""
    kept = {index: mask.copy() for index, mask in live.items()}
    for index, mask in kept.items():
        if index in graph.inputs or not mask.any():
            mask[:] = index in graph.inputs
            mask[:1] = True
    _tie(kept, flows)
    for mask in kept.values():
        missing = -int(mask.sum()) % multiple
        if missing and not mask.all():
            mask[np.flatnonzero(~mask)[:missing]] = True
            _tie(kept, flows)
    # What was filled up may have been tied to what had been whole blocks before.
    return kept if _is_stable(kept, multiple) else _kept(graph, flows, kept, multiple)


def _is_stable(kept: Masks, multiple: int) -> bool:
    return all(mask.all() or mask.sum() % multiple == 0 for mask in kept.values())


def _tie(kept: dict[int, np.ndarray], flows: Sequence[Flow | None]) -> None:
    """Keep what is tied to something that is kept, both ways, until nothing changes."""
    ties = [tie for flow in flows if flow is not None for tie in flow.ties]
    while True:
        before = sum(int(mask.sum()) for mask in kept.values())
        for tie in (*ties, *reversed(ties)):
            np.logical_or.at(kept[tie.b], tie.b_channels, kept[tie.a][tie.a_channels])
            np.logical_or.at(kept[tie.a], tie.a_channels, kept[tie.b][tie.b_channels])
        if sum(int(mask.sum()) for mask in kept.values()) == before:
            return


def _narrowed(tensor: Tensor, mask: np.ndarray) -> Tensor:
    """A tensor with the channels of `mask` alone."""
    shape = (*tensor.shape[:-1], int(mask.sum()))
    quantization = _along(tensor.quantization, mask, len(tensor.shape) - 1)
    if tensor.data is None:
        return replace(tensor, shape=shape, quantization=quantization)
    data = data_of(array_of(tensor)[..., mask], tensor.dtype)
    return replace(tensor, shape=shape, quantization=quantization, data=data)


def _along(quantization: Quantization | None, mask: np.ndarray, axis: int) -> Quantization | None:
    """The scales of what `mask` keeps along `axis`, where each has its own."""
    if quantization is None or len(quantization.scales) != len(mask) or len(mask) == 1:
        return quantization
    scales = tuple(s for s, keep in zip(quantization.scales, mask, strict=True) if keep)
    zero_points = quantization.zero_points
    if len(zero_points) == len(mask):
        zero_points = tuple(z for z, keep in zip(zero_points, mask, strict=True) if keep)
    return replace(quantization, scales=scales, zero_points=zero_points)


def _layer(
    graph: Graph,
    position: int,
    rows: tuple[np.ndarray, np.ndarray],
    columns: np.ndarray,
    filter_axis: int,
    bias_position: int,
) -> Graph:
    """A layer with these rows of weights (kept, needed), and of each these columns."""
    operator = graph.operators[position]
    kept, live = rows
    node = Node(graph, operator)
    filters = node.input(1)
    weights = np.where(
        live.reshape([-1 if k == filter_axis else 1 for k in range(len(filters.shape))]),
        array_of(filters), 0,
    )  # fmt: skip
    weights = weights.compress(kept, axis=filter_axis)
    if filter_axis == 0:
        weights = weights[..., columns]
    graph = with_constant(
        graph, position, 1, weights, _along(filters.quantization, kept, filter_axis)
    )
    if not node.has_input(bias_position):
        return graph
    bias = node.input(bias_position)
    values = np.where(live, array_of(bias).ravel(), 0)[kept]
    return with_constant(graph, position, bias_position, values, _along(bias.quantization, kept, 0))


def _convolution(graph: Graph, position: int, kept: Masks, live: Masks) -> Graph:
    operator = graph.operators[position]
    result = operator.outputs[0]
    return _layer(graph, position, (kept[result], live[result]), kept[operator.inputs[0]], 0, 2)


def _dense(graph: Graph, position: int, kept: Masks, live: Masks) -> Graph:
    operator = graph.operators[position]
    result, channels = operator.outputs[0], kept[operator.inputs[0]]
    inputs = graph.tensors[operator.inputs[1]].shape[1]
    columns = np.tile(channels, inputs // len(channels))
    return _layer(graph, position, (kept[result], live[result]), columns, 0, 2)


def _depthwise(graph: Graph, position: int, kept: Masks, live: Masks) -> Graph:
    operator = graph.operators[position]
    source, result = kept[operator.inputs[0]], kept[operator.outputs[0]]
    multiplier = int(result.sum()) // int(source.sum())
    options = {**operator.options, "depth_multiplier": multiplier}
    graph = with_operators(graph, {position: replace(operator, options=options)})
    return _layer(graph, position, (result, live[operator.outputs[0]]), source, 3, 2)


def _transposed(graph: Graph, position: int, kept: Masks, live: Masks) -> Graph:
    operator = graph.operators[position]
    result = operator.outputs[0]
    graph = _layer(graph, position, (kept[result], live[result]), kept[operator.inputs[2]], 0, 3)
    return _with_last(graph, position, 0, int(kept[result].sum()))


def _reshape(graph: Graph, position: int, kept: Masks, _live: Masks) -> Graph:
    """Both places that state the new shape, where the last dimension is stated."""
    operator = graph.operators[position]
    count = int(kept[operator.outputs[0]].sum())
    stated = operator.options.get("new_shape")
    if isinstance(stated, tuple) and stated and stated[-1] != -1:
        options = {**operator.options, "new_shape": (*stated[:-1], count)}
        graph = with_operators(graph, {position: replace(operator, options=options)})
    if operator.kind == "RESHAPE" and len(operator.inputs) > 1:
        return _with_last(graph, position, 1, count)
    return graph


def _with_last(graph: Graph, position: int, place: int, count: int) -> Graph:
    """With another last number in the constant shape that an operator reads."""
    tensor = graph.tensors[graph.operators[position].inputs[place]]
    shape = array_of(tensor).copy()
    if not shape.size or shape.ravel()[-1] in (-1, count):
        return graph
    shape[..., -1] = count
    return with_constant(graph, position, place, shape, tensor.quantization)


Rebuild = Callable[[Graph, int, Masks, Masks], Graph]
_REBUILDS: Mapping[str, Rebuild] = {
    "CONV_2D": _convolution,
    "DEPTHWISE_CONV_2D": _depthwise,
    "FULLY_CONNECTED": _dense,
    "TRANSPOSE_CONV": _transposed,
    **dict.fromkeys(RESHAPES, _reshape),
}
