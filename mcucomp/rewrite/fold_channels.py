"""What a layer makes of channels that never change goes into its bias.

Reason: a weight of 0 needs no input, and channels that no weight needs are
dropped afterwards (`drop_channels`). A channel of the input that holds one value
adds the same to a sum wherever all its taps are inside the image, and elsewhere
if those that are not do not matter; only then it is folded. An output that holds
one value gets weights of 0, and the bias that is scaled to that value.
"""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Graph, Quantization
from mcucomp.ops import Node
from mcucomp.ops.conditions import quantization_of, scale_of, zero_point_of
from mcucomp.rewrite.edit import with_constant
from mcucomp.values import Interval, Layer, Values, is_regular, layer_of
from mcucomp.values.layers import by_pattern, outputs_of


def apply(graph: Graph, values: Values) -> Graph:
    """`graph`, of which `values` are true, with less in its weights."""
    for position, operator in enumerate(graph.operators):
        node = Node(graph, operator)
        layer = layer_of(node) if is_regular(node) else None
        if layer is not None and operator.inputs[layer.input_position] in values.tensors:
            graph = _folded(graph, position, layer, values)
    return graph


def _folded(graph: Graph, position: int, layer: Layer, values: Values) -> Graph:
    operator = graph.operators[position]
    low, high = values.channels(operator.inputs[layer.input_position])
    weights, bias = _without_constant_inputs(layer, low, high)
    fits = _fits(layer, bias)
    weights = np.where(fits[:, None, None, None], weights, layer.weights)
    bias = np.where(fits, bias, layer.bias)
    weights, bias = _without_sums(layer, weights, bias, values)
    if (weights == layer.weights).all():
        return graph  # the bias follows the weights
    filters = quantization_of(layer.node.input(1))
    graph = with_constant(graph, position, 1, layer.filter_of(weights), filters)
    has_bias = layer.node.has_input(layer.bias_position)
    if not has_bias and not bias.any():
        return graph
    place = layer.bias_position
    quantization = layer.node.input(place).quantization if has_bias else _bias_quantization(layer)
    return with_constant(graph, position, place, bias, quantization, _bias_type(layer))


def _without_constant_inputs(
    layer: Layer, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(weights, bias) with inputs folded that are the same everywhere: their lows and highs."""
    zero_point = zero_point_of(layer.node.input(layer.input_position))
    is_constant = (low == high)[layer.sources]
    step = np.where(is_constant, (low - zero_point)[layer.sources], 0)
    folds, amounts = is_constant & (step == 0), np.zeros_like(step)
    columns = np.flatnonzero((step != 0).any(axis=0))
    if len(columns) and not layer.is_scattered:
        terms = layer.weights[..., columns] * step[:, None, None, columns]
        by_place = by_pattern(layer, terms)
        flat = by_place.reshape(len(by_place), -1, len(columns))
        is_same = flat.min(axis=1) == flat.max(axis=1)
        folds[:, columns] |= is_constant[:, columns] & is_same
        amounts[:, columns] = np.where(is_same, flat[:, 0], 0)
    weights = np.where(folds[:, None, None, :], 0, layer.weights)
    return weights, layer.bias + amounts.sum(axis=1)


def _without_sums(
    layer: Layer, weights: np.ndarray, bias: np.ndarray, values: Values
) -> tuple[np.ndarray, np.ndarray]:
    """(weights, bias) where an output that never changes depends on its bias alone."""
    result = layer.node.operator.outputs[0]
    total = values.tensors[result].sums
    if total is None:
        return weights, bias
    low, high = values.channels(result)
    start = np.where(_fits(layer, total.low), total.low, 0)
    found = outputs_of(layer, Interval(start, start))
    is_bias_alone = (low == high) & (found.low == low) & (found.high == low)
    return (
        np.where(is_bias_alone[:, None, None, None], 0, weights),
        np.where(is_bias_alone, start, bias),
    )


def _bias_type(layer: Layer) -> DType:
    if layer.node.has_input(layer.bias_position):
        return layer.node.input(layer.bias_position).dtype
    return DType.INT64 if layer.is_wide else DType.INT32


def _fits(layer: Layer, bias: np.ndarray) -> np.ndarray:
    """Which of these the type of the layer's bias can hold."""
    limits = np.iinfo(_bias_type(layer).value)
    found: np.ndarray = (bias >= limits.min) & (bias <= limits.max)
    return found


def _bias_quantization(layer: Layer) -> Quantization:
    """Of a bias that was not there: input scale * filter scale."""
    source = scale_of(layer.node.input(layer.input_position))
    scales = quantization_of(layer.node.input(1)).scales
    exact = tuple(float(np.float32(source * scale)) for scale in scales)
    return Quantization(exact, (0,) * len(exact))
