"""A quantised uint8 graph becomes an int8 graph: 128 less in every value and zero point.

Reason: older models are quantised to uint8, for which there are no kernels. The
difference to the zero point, of which all arithmetic is made, stays, and so does
every result but for the 128. Inputs and outputs of the graph stay uint8; a
QUANTIZE beside them does the shift. Weights less their zero point become int8
where they fit; where not, they stay uint8, for a kernel that knows both.

Only where this is exact for every operator that meets such a tensor: a mean
whose ties are rounded away from zero, for example, is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from mcucomp.ir import DType, Graph, Operator, Quantization, Tensor
from mcucomp.rewrite.edit import has_operands, readers

SHIFT = 128
_LAYERS = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")
_FILTER = 1


def _always(_graph: Graph, _operator: Operator) -> bool:
    return True


def _has_odd_windows(_graph: Graph, operator: Operator) -> bool:
    """Then no mean is a tie: as many pixels in every window, and an odd number."""
    height, width = (operator.options.get(f"filter_{side}") for side in ("height", "width"))
    pixels = height * width if isinstance(height, int) and isinstance(width, int) else 0
    return operator.options.get("padding") == "VALID" and pixels % 2 == 1


# What an operator does must not depend on the values themselves, only on their differences to the
# zero point or on their order; the condition is beyond that.
_EXACT: dict[str, Callable[[Graph, Operator], bool]] = {
    **dict.fromkeys(_LAYERS, _always),
    **dict.fromkeys(
        (
            "ADD", "ARG_MAX", "ARG_MIN", "CONCATENATION", "DEQUANTIZE", "EXPAND_DIMS", "MAXIMUM",
            "MAX_POOL_2D", "MINIMUM", "MUL", "PACK", "PAD", "QUANTIZE", "RESHAPE",
            "RESIZE_NEAREST_NEIGHBOR", "SLICE", "SOFTMAX", "SPLIT", "SPLIT_V", "SQUEEZE",
            "STRIDED_SLICE", "SUB", "TRANSPOSE", "UNPACK",
        ),
        _always,
    ),
    "AVERAGE_POOL_2D": _has_odd_windows,
}  # fmt: skip


def apply(graph: Graph) -> Graph:
    """`graph` with int8 in the place of uint8; the same graph where that would not be exact."""
    shifted = {t.index for t in graph.tensors if _is_quantized_uint8(t)}
    touching = [op for op in graph.operators if shifted.intersection((*op.inputs, *op.outputs))]
    layers = [op for op in touching if op.kind in _LAYERS]
    if not layers or not all(has_operands(op, _FILTER + 1) for op in layers):
        return graph
    if not all(op.kind in _EXACT and _EXACT[op.kind](graph, op) for op in touching):
        return graph
    filters = {op.inputs[_FILTER] for op in layers} & shifted
    if not all(_is_only_a_filter(graph, index) for index in filters):
        return graph
    return _Shifting(graph, shifted - filters, filters).graph()


def _is_quantized_uint8(tensor: Tensor) -> bool:
    q = tensor.quantization
    is_single = q is not None and len(q.scales) == 1 and len(q.zero_points) == 1
    return tensor.dtype is DType.UINT8 and is_single


def _is_only_a_filter(graph: Graph, index: int) -> bool:
    """A constant that is nothing but the weights of layers."""
    uses = readers(graph).get(index, [])
    layers = [graph.operators[k] for k in uses if graph.operators[k].kind in _LAYERS]
    is_filter = all(op.inputs[_FILTER] == index for op in layers) and len(layers) == len(uses)
    return graph.tensors[index].is_constant and is_filter and index not in graph.outputs


def _shifted(tensor: Tensor) -> Tensor:
    q = tensor.quantization
    assert q is not None
    data = tensor.data
    if data is not None:
        data = (np.frombuffer(data, np.uint8) ^ SHIFT).tobytes()
    zero_points = (q.zero_points[0] - SHIFT,)
    quantization = Quantization(q.scales, zero_points, q.axis)
    return replace(tensor, dtype=DType.INT8, quantization=quantization, data=data, is_changed=True)


def _narrowed(tensor: Tensor) -> Tensor:
    """Weights less their zero point, where that is int8; else the tensor as it is."""
    q = tensor.quantization
    assert q is not None
    steps = np.frombuffer(tensor.data or b"", np.uint8).astype(np.int64) - q.zero_points[0]
    if steps.size == 0 or steps.min() < -SHIFT or steps.max() >= SHIFT:
        return tensor
    quantization = Quantization(q.scales, (0,), q.axis)
    data = steps.astype(np.int8).tobytes()
    return replace(tensor, dtype=DType.INT8, quantization=quantization, data=data)


@dataclass(slots=True)
class _Shifting:
    """One graph, with the indices of what is shifted and of the filters."""

    source: Graph
    shifted: set[int]
    filters: set[int]

    def graph(self) -> Graph:
        source = self.source
        tensors = [self._tensor(tensor) for tensor in source.tensors]
        edges = dict.fromkeys((*source.inputs, *source.outputs))
        twins: dict[int, int] = {}
        for index in edges:
            if index in self.shifted:
                twins[index] = len(tensors)
                twin = replace(_shifted(source.tensors[index]), index=len(tensors))
                tensors.append(replace(twin, name=f"{twin.name} (int8)"))
        inputs = [i for i in twins if i in source.inputs]
        outputs = [i for i in twins if i not in source.inputs]
        before = [self._conversion(k, i, twins[i]) for k, i in enumerate(inputs)]
        after = [self._conversion(k, twins[i], i) for k, i in enumerate(outputs, start=len(before))]
        operators = [self._operator(operator, twins) for operator in source.operators]
        return replace(source, tensors=tuple(tensors), operators=(*before, *operators, *after))

    def _tensor(self, tensor: Tensor) -> Tensor:
        """Inputs and outputs stay as they are and get twins."""
        if tensor.index in self.filters:
            return _narrowed(tensor)
        is_edge = tensor.index in self.source.inputs or tensor.index in self.source.outputs
        return _shifted(tensor) if tensor.index in self.shifted and not is_edge else tensor

    def _operator(self, operator: Operator, twins: dict[int, int]) -> Operator:
        inputs = tuple(twins.get(i, i) for i in operator.inputs)
        return replace(
            operator, inputs=inputs, outputs=tuple(twins.get(i, i) for i in operator.outputs)
        )

    def _conversion(self, number: int, source: int, result: int) -> Operator:
        """Its index is behind those of the file's operators."""
        index = len(self.source.operators) + number
        return Operator(index, "QUANTIZE", (source,), (result,), {})
