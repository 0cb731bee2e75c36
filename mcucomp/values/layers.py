"""Which sums can a layer with weights come to, and which outputs?

In: CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED or TRANSPOSE_CONV, and the bounds
of its input. Out: bounds of the sum of each output channel (products and bias),
and of what becomes of it. A pixel outside the image counts as nothing, as in
the kernels: the sums are those of every set of taps that lies inside for some
output, such as a corner's, and of no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import channel_multipliers
from mcucomp.ops.base import Node
from mcucomp.ops.conditions import quantization_of, scale_of, zero_point_of
from mcucomp.ops.constants import array_of
from mcucomp.ops.convolution import has_wide_sums, output_params
from mcucomp.ops.filters import stores_weights
from mcucomp.ops.windows import WindowAxis, window_of
from mcucomp.values.found import Found, Transfer
from mcucomp.values.interval import Interval, of_channels
from mcucomp.values.requantise import clamped, requantised, requantised_wide


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer as sums: `weights` are (outputs, height, width, inputs of an output).

    Output o multiplies them with the channels `sources[o]` of the input, less
    its zero point. `masks` say for height and width which sets of taps lie
    inside the image, a row a set; where `is_scattered`, any subset does.
    `filter_axis` is that of the outputs in the filter's own shape. With
    `is_wide` sums have 64 bits and are rounded once.
    """

    node: Node
    weights: np.ndarray
    sources: np.ndarray
    bias: np.ndarray
    masks: tuple[np.ndarray, np.ndarray]
    is_wide: bool
    input_position: int = 0
    bias_position: int = 2
    filter_axis: int = 0
    is_scattered: bool = False

    def filter_of(self, weights: np.ndarray) -> np.ndarray:
        """`weights` in the form of the filter tensor."""
        if self.filter_axis == 3:
            return np.moveaxis(weights[..., 0], 0, -1)[np.newaxis]
        return weights.reshape(len(weights), *self.node.input(1).shape[1:])


def layer_of(node: Node) -> Layer | None:
    """`node`, which keeps to its operator's constraints, as a layer of int8 or int16 input.

    None for other operators, and where a weight is not the number that the filter has.
    """
    make = _LAYERS.get(node.operator.kind)
    return make(node) if make is not None and stores_weights(node) else None


def _masks(axis: WindowAxis) -> np.ndarray:
    """The different sets of taps inside the image, a row each; True is inside."""
    starts = np.arange(axis.out_size)[:, None] * axis.stride - axis.pad_before
    places = starts + np.arange(axis.taps) * axis.dilation
    found: np.ndarray = np.unique((places >= 0) & (places < axis.in_size), axis=0)
    return found


def _is_int16(node: Node, position: int) -> bool:
    return node.input(position).dtype is DType.INT16


def _bias(node: Node, position: int, outputs: int) -> np.ndarray:
    if not node.has_input(position):
        return np.zeros(outputs, np.int64)
    return array_of(node.input(position)).ravel().astype(np.int64)


def _convolution(node: Node) -> Layer | None:
    weights = array_of(node.input(1)).astype(np.int64)
    outputs, taps_h, taps_w, inputs = weights.shape
    window = window_of(node, taps_h, taps_w, dilated=True)
    groups = node.input(0).shape[3] // inputs
    first = np.arange(outputs) // (outputs // groups) * inputs
    sources = first[:, None] + np.arange(inputs)
    masks = (_masks(window.height), _masks(window.width))
    is_wide = _is_int16(node, 0) and has_wide_sums(node)
    return Layer(node, weights, sources, _bias(node, 2, outputs), masks, is_wide)


def _depthwise(node: Node) -> Layer | None:
    filters = array_of(node.input(1)).astype(np.int64)
    _, taps_h, taps_w, outputs = filters.shape
    window = window_of(node, taps_h, taps_w, dilated=True)
    weights = np.moveaxis(filters[0], 2, 0)[..., np.newaxis]
    sources = (np.arange(outputs) // (outputs // node.input(0).shape[3]))[:, None]
    masks = (_masks(window.height), _masks(window.width))
    bias = _bias(node, 2, outputs)
    return Layer(node, weights, sources, bias, masks, _is_int16(node, 0), filter_axis=3)


def _dense(node: Node) -> Layer | None:
    filters = array_of(node.input(1)).astype(np.int64)
    outputs, inputs = filters.shape
    channels = node.input(0).shape[-1] if node.input(0).shape else 1
    if inputs % channels:
        return None  # rows are cut out of the input in some other way
    sources = np.broadcast_to(np.arange(inputs) % channels, (outputs, inputs))
    one = np.ones((1, 1), bool)
    weights = filters.reshape(outputs, 1, 1, inputs)
    is_wide = _is_int16(node, 0) and has_wide_sums(node)
    return Layer(node, weights, sources, _bias(node, 2, outputs), (one, one), is_wide)


def _transposed(node: Node) -> Layer | None:
    weights = array_of(node.input(1)).astype(np.int64)
    outputs, taps_h, taps_w, inputs = weights.shape
    sources = np.broadcast_to(np.arange(inputs), (outputs, inputs))
    masks = (np.ones((1, taps_h), bool), np.ones((1, taps_w), bool))
    bias, is_wide = _bias(node, 3, outputs), _is_int16(node, 2)
    return Layer(node, weights, sources, bias, masks, is_wide, 2, 3, is_scattered=True)


_LAYERS: Mapping[str, Callable[[Node], Layer | None]] = {
    "CONV_2D": _convolution,
    "DEPTHWISE_CONV_2D": _depthwise,
    "FULLY_CONNECTED": _dense,
    "TRANSPOSE_CONV": _transposed,
}
KINDS = tuple(_LAYERS)


def sums(layer: Layer, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) sum of each output, for an input whose channels are in [low, high]."""
    zero_point = zero_point_of(layer.node.input(layer.input_position))
    low_by_tap, high_by_tap = _by_tap(layer, low - zero_point, high - zero_point)
    if layer.is_scattered:
        lowest = np.minimum(low_by_tap, 0).sum(axis=(1, 2))
        highest = np.maximum(high_by_tap, 0).sum(axis=(1, 2))
    else:
        lowest = by_pattern(layer, low_by_tap).min(axis=(1, 2))
        highest = by_pattern(layer, high_by_tap).max(axis=(1, 2))
    return layer.bias + lowest, layer.bias + highest


def by_pattern(layer: Layer, by_tap: np.ndarray) -> np.ndarray:
    """(outputs, patterns along height, along width, ...): sums over the taps inside the image.

    `by_tap` is (outputs, taps along height, along width, ...).
    """
    height, width = (mask.astype(np.int64) for mask in layer.masks)
    found: np.ndarray = np.einsum("ay,bx,oyx...->oab...", height, width, by_tap, optimize=True)
    return found


def _by_tap(layer: Layer, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) contribution of each tap to each output; bounds less the zero point.

    Sums of float64 are exact here: they stay far below 2^53.
    """
    positive = np.maximum(layer.weights, 0).astype(np.float64)
    negative = np.minimum(layer.weights, 0).astype(np.float64)
    if (layer.sources == layer.sources[0]).all():
        ends = [end[layer.sources[0]].astype(np.float64) for end in (low, high)]
        lowest = positive @ ends[0] + negative @ ends[1]
        highest = positive @ ends[1] + negative @ ends[0]
    else:
        ends = [end[layer.sources].astype(np.float64)[:, None, None, :] for end in (low, high)]
        lowest = (positive * ends[0] + negative * ends[1]).sum(axis=3)
        highest = (positive * ends[1] + negative * ends[0]).sum(axis=3)
    return lowest.astype(np.int64), highest.astype(np.int64)


def outputs_of(layer: Layer, total: Interval, activation: str | None = None) -> Interval:
    """What sums within `total`, a pair for each channel, become under the fused activation.

    Another `activation` may be tried.
    """
    node, result = layer.node, layer.node.output()
    reals = real_multipliers(layer)
    if layer.is_wide:
        found, holds = requantised_wide(total, reals)
    else:
        multipliers, right_shifts = channel_multipliers(reals.tolist(), len(reals))
        found, holds = requantised(
            total,
            multipliers.astype(np.int64),
            -right_shifts.astype(np.int64),
            zero_point_of(result),
        )
    bounds = limits(node, activation)
    return clamped(found, holds, *bounds)


def real_multipliers(layer: Layer) -> np.ndarray:
    """input scale * filter scale / output scale of each output, in double as TFLM has it."""
    node = layer.node
    source, result = scale_of(node.input(layer.input_position)), scale_of(node.output())
    reals = [source * scale / result for scale in quantization_of(node.input(1)).scales]
    return np.broadcast_to(np.array(reals), len(layer.weights))


def limits(node: Node, activation: str | None = None) -> tuple[int, int]:
    """(lowest, highest) output under the fused activation, or under another one."""
    if activation is not None:
        options = {**node.operator.options, "fused_activation_function": activation}
        node = Node(node.graph, replace(node.operator, options=options))
    found = output_params(node, node.output())
    low, high = found["out_min"], found["out_max"]
    assert isinstance(low, int)
    assert isinstance(high, int)
    return low, high


def _transfer(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    layer = layer_of(node)
    source = None if layer is None else inputs[layer.input_position]
    if layer is None or source is None:
        return None
    shape, rank = node.input(layer.input_position).shape, len(node.output().shape)
    low, high = sums(layer, *source.channels(shape))
    total = of_channels(low, high, 1)
    found = outputs_of(layer, total)
    lowest, highest = limits(node)
    return Found(
        (of_channels(found.low, found.high, rank),),
        f"sums of products, scaled and clamped to [{lowest}, {highest}]",
        total,
    )


TRANSFERS: Mapping[str, Transfer] = dict.fromkeys(_LAYERS, _transfer)
