"""Which channels of its inputs does an operator need, and which come and go together?

In: an operator that keeps to its constraints. Out: a `Flow`: ties between
channels of its tensors (the last dimension), of which all stay or all go, and
for layers with weights also which inputs have a weight that is not 0. None
where an operator is not followed: then all channels of its tensors stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mcucomp.ir import DType, Graph, Operator, Tensor
from mcucomp.ops import Node
from mcucomp.ops.axes import axis_option, wrapped
from mcucomp.ops.constants import array_of
from mcucomp.ops.filters import stores_weights
from mcucomp.ops.reductions import axes_of
from mcucomp.values import is_regular

_LAYERS = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV")
_FOLLOWED = (DType.INT8, DType.INT16)

Masks = Mapping[int, np.ndarray]


@dataclass(frozen=True, slots=True)
class Tie:
    """Channel `a_channels[k]` of tensor `a` goes with channel `b_channels[k]` of tensor `b`."""

    a: int
    a_channels: np.ndarray
    b: int
    b_channels: np.ndarray


@dataclass(frozen=True, slots=True)
class Flow:
    """How channels go through an operator.

    `needs` says which channels of an input are used while some of the output are;
    without it those that are tied to one.
    """

    ties: tuple[Tie, ...]
    needs: Callable[[np.ndarray], dict[int, np.ndarray]] | None = None


def channels_of(tensor: Tensor) -> int:
    return tensor.shape[-1] if tensor.shape else 1


def flow_of(graph: Graph, operator: Operator) -> Flow | None:
    """How channels go through `operator`; None where that is not followed."""
    make, node = _FLOWS.get(operator.kind), Node(graph, operator)
    if make is None or not is_regular(node):
        return None
    if operator.kind in _LAYERS and not stores_weights(node):
        return None
    data = [graph.tensors[i] for i in (*operator.inputs, *operator.outputs) if i >= 0]
    if any(t.is_variable or t.dtype is DType.FLOAT32 for t in data):
        return None
    if graph.tensors[operator.outputs[0]].dtype not in _FOLLOWED:
        return None
    flow = make(node)
    # A layer of a constant has no channels that something could do without.
    of_constant = graph.tensors[operator.inputs[0]].is_constant
    return None if flow is not None and flow.needs is not None and of_constant else flow


def _same(node: Node, positions: Sequence[int], outputs: Sequence[int] = (0,)) -> Flow | None:
    """Channel by channel; an input of one channel that is repeated stays for itself."""
    ties = []
    for k in outputs:
        result = node.output(k)
        count = channels_of(result)
        each = np.arange(count)
        for position in positions:
            source = node.input(position)
            if channels_of(source) == count and source.shape:
                ties.append(Tie(source.index, each, result.index, each))
            elif channels_of(source) != 1:
                return None
    return Flow(tuple(ties))


def _unary(node: Node) -> Flow | None:
    return _same(node, (0,))


def _pair(node: Node) -> Flow | None:
    return _same(node, (0, 1))


def _reduction(node: Node) -> Flow | None:
    last = len(node.input(0).shape) - 1
    return None if last in axes_of(node) else _same(node, (0,))


def _pad(node: Node) -> Flow | None:
    paddings = node.input(1)
    is_kept = paddings.is_constant and not array_of(paddings)[-1].any()
    return _same(node, (0,)) if is_kept else None


def _transpose(node: Node) -> Flow | None:
    rank = len(node.input(0).shape)
    last = int(array_of(node.input(1)).ravel()[-1])
    return _same(node, (0,)) if last in (rank - 1, -1) else None


def _split(axis_position: int, position: int) -> Callable[[Node], Flow | None]:
    def flow(node: Node) -> Flow | None:
        rank = len(node.input(position).shape)
        axis = wrapped(int(array_of(node.input(axis_position)).ravel()[0]), rank)
        count = len(node.operator.outputs)
        return None if axis == rank - 1 else _same(node, (position,), range(count))

    return flow


def _concatenation(node: Node) -> Flow | None:
    result, inputs = node.output(), range(len(node.operator.inputs))
    if wrapped(axis_option(node), len(result.shape)) < len(result.shape) - 1:
        return _same(node, tuple(inputs))
    ties, first = [], 0
    for position in inputs:
        source = node.input(position)
        each = np.arange(channels_of(source))
        ties.append(Tie(source.index, each, result.index, first + each))
        first += len(each)
    return Flow(tuple(ties))


def _reshape(node: Node) -> Flow | None:
    """Followed where one last dimension is a multiple of the other."""
    source, result = node.input(0), node.output()
    if node.operator.kind == "RESHAPE" and node.has_input(1) and not node.input(1).is_constant:
        return None
    before, after = channels_of(source), channels_of(result)
    if not source.shape or not result.shape or (before % after and after % before):
        return None
    each = np.arange(max(before, after))
    return Flow((Tie(source.index, each % before, result.index, each % after),))


def _convolution(node: Node) -> Flow | None:
    source, weights = node.input(0), array_of(node.input(1))
    if weights.shape[3] != channels_of(source):
        return None  # groups

    def needs(live: np.ndarray) -> dict[int, np.ndarray]:
        return {source.index: (weights[live] != 0).any(axis=(0, 1, 2))}

    return Flow((), needs)


def _depthwise(node: Node) -> Flow | None:
    source, weights = node.input(0), array_of(node.input(1))
    channels, outputs = channels_of(source), channels_of(node.output())
    owner = np.arange(outputs) // (outputs // channels)
    has_weight = (weights != 0).any(axis=(0, 1, 2))

    def needs(live: np.ndarray) -> dict[int, np.ndarray]:
        needed = np.zeros(channels, bool)
        needed[owner[live & has_weight]] = True
        return {source.index: needed}

    # One channel may have any number of outputs.
    tied = (Tie(source.index, owner, node.output().index, np.arange(outputs)),)
    return Flow(() if channels == 1 else tied, needs)


def _dense(node: Node) -> Flow | None:
    source, weights = node.input(0), array_of(node.input(1))
    channels = channels_of(source)
    if weights.shape[1] % channels:
        return None

    def needs(live: np.ndarray) -> dict[int, np.ndarray]:
        used = (weights[live] != 0).any(axis=0)
        return {source.index: used.reshape(-1, channels).any(axis=0)}

    return Flow((), needs)


def _transposed(node: Node) -> Flow | None:
    if not node.input(0).is_constant:
        return None
    source, weights = node.input(2), array_of(node.input(1))

    def needs(live: np.ndarray) -> dict[int, np.ndarray]:
        return {source.index: (weights[live] != 0).any(axis=(0, 1, 2))}

    return Flow((), needs)


_UNARY = (
    "ABS", "AVERAGE_POOL_2D", "BATCH_TO_SPACE_ND", "ELU", "HARD_SWISH", "LEAKY_RELU", "LOGISTIC",
    "MAX_POOL_2D", "QUANTIZE", "RELU", "RELU6", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR",
    "RSQRT", "SPACE_TO_BATCH_ND", "TANH",
)  # fmt: skip
_PAIRS = ("ADD", "MAXIMUM", "MINIMUM", "MUL", "PRELU", "SQUARED_DIFFERENCE", "SUB")
_REDUCTIONS = ("MEAN", "REDUCE_MAX", "REDUCE_MIN", "SUM")
_PADS = ("MIRROR_PAD", "PAD", "PADV2")
RESHAPES = ("EXPAND_DIMS", "RESHAPE", "SQUEEZE")

_FLOWS: Mapping[str, Callable[[Node], Flow | None]] = {
    **dict.fromkeys(_UNARY, _unary),
    **dict.fromkeys(_PAIRS, _pair),
    **dict.fromkeys(_REDUCTIONS, _reduction),
    **dict.fromkeys(_PADS, _pad),
    **dict.fromkeys(RESHAPES, _reshape),
    "CONCATENATION": _concatenation,
    "CONV_2D": _convolution,
    "DEPTHWISE_CONV_2D": _depthwise,
    "FULLY_CONNECTED": _dense,
    "SPLIT": _split(0, 1),
    "SPLIT_V": _split(2, 0),
    "TRANSPOSE": _transpose,
    "TRANSPOSE_CONV": _transposed,
}
