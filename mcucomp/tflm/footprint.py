"""How many bytes will TFLM take beside the head on a 32-bit target, about?

In: a model, its blocks, the kernel library. Out: an estimate of the tail (what
stays for ever: structures, kernels' data, variables) and of the room that
planning itself needs, with how far both may be off. The sizes that follow from
the model are counted; those of TFLM's own structures are of its build of 2026
for Cortex-M, and what a kernel keeps was fitted to ten models measured there,
so this is an estimate, never a promise. It changes with the version of TFLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcucomp.ir import DType, Model, Tensor
from mcucomp.memory import round_up
from mcucomp.ops.base import Node
from mcucomp.tflm.blocks import ALIGNMENT_BYTES, Requests, all_operators, tensor_bytes
from mcucomp.tflm.scratch import KernelLibrary

# TFLM's structures on a 32-bit target, in bytes.
_BASE_BYTES = 272  # allocator, planner and interpreter, with one input and one output
_TENSOR_BYTES = 12
_OPERATOR_BYTES = 32
_REQUEST_BYTES = 4
_FURTHER_GRAPH_BYTES = 16
_FURTHER_END_BYTES = 64  # an input or output beyond the first

# Room that planning needs above the head, and gives back.
_PLANNED_TENSOR_BYTES = 24
_PLANNED_BLOCK_BYTES = 40
_PENDING_REQUEST_BYTES = 12
_SPARE_REQUESTS = 12
_ENDS_COME_LATER_BYTES = 104  # the inputs' and outputs' structures, made after planning

# How far the estimate may be off: a constant, and a part for each operator.
_UNCERTAIN_BYTES = 64
_UNCERTAIN_OPERATOR_BYTES = 16
_UNCERTAIN_CUSTOM_BYTES = 1024

# What an operator's kernel and options take, arrays that follow from its shapes apart.
_KERNEL_BYTES: Mapping[str, int] = {
    "ADD": 77,
    "AVERAGE_POOL_2D": 88,
    "CONV_2D": 93,
    "DEPTHWISE_CONV_2D": 93,
    "FULLY_CONNECTED": 53,
    "MAX_POOL_2D": 88,
    "RESHAPE": 8,
    "SOFTMAX": 72,
    "SVDF": 51,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": 736,
}
_KERNEL_BYTES_OF_OTHERS = 56

# What the kernels of CMSIS-NN take beyond that.
_CMSIS_NN_BYTES: Mapping[str, int] = {
    "FULLY_CONNECTED": 32,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": 208,
}
_LOOKUP_TABLE_BYTES = 256
_SOFTMAX_TABLES_BYTES = 2 * 2 * 513


@dataclass(frozen=True, slots=True)
class Footprint:
    """An estimate for a 32-bit target; each figure may be off by `uncertainty_bytes`."""

    tail_bytes: int
    smallest_arena_bytes: int
    uncertainty_bytes: int


def footprint(
    model: Model, head_bytes: int, planned: int, requests: Requests, kernels: KernelLibrary
) -> Footprint:
    """The estimate for a model with this head, of which TFLM plans `planned` blocks."""
    tensors = sum(len(graph.tensors) for graph in model.graphs)
    scratch = sum(map(len, requests.values()))
    operators = list(all_operators(model))
    ends = len(model.graphs[0].inputs) + len(model.graphs[0].outputs)
    tail_bytes = (
        _BASE_BYTES
        + _FURTHER_GRAPH_BYTES * (len(model.graphs) - 1)
        + _FURTHER_END_BYTES * max(0, ends - 2)
        + _TENSOR_BYTES * tensors
        + _OPERATOR_BYTES * len(operators)
        + _REQUEST_BYTES * scratch
        + sum(_kernel_bytes(Node(graph, operator), kernels) for _, graph, operator in operators)
        + _variables_bytes(model)
    )
    planning_bytes = (
        tail_bytes
        - _ENDS_COME_LATER_BYTES
        + _PENDING_REQUEST_BYTES * (scratch + _SPARE_REQUESTS)
        + 4 * len(model.graphs)
        + _PLANNED_TENSOR_BYTES * (tensors + scratch)
        + _PLANNED_BLOCK_BYTES * planned
    )
    custom = sum(operator.kind == "CUSTOM" for _, _, operator in operators)
    return Footprint(
        tail_bytes,
        round_up(max(head_bytes + tail_bytes, planning_bytes), ALIGNMENT_BYTES),
        _UNCERTAIN_BYTES
        + _UNCERTAIN_OPERATOR_BYTES * len(operators)
        + _UNCERTAIN_CUSTOM_BYTES * custom,
    )


def _kernel_bytes(node: Node, kernels: KernelLibrary) -> int:
    kind = node.operator.kind
    size_bytes = _KERNEL_BYTES.get(kind, _KERNEL_BYTES_OF_OTHERS)
    if kind in kernels.replaces:
        size_bytes += _CMSIS_NN_BYTES.get(kind, 0)
    arrays = _ARRAYS.get(kind)
    try:
        return size_bytes + (0 if arrays is None else arrays(node, kernels))
    except IndexError:  # too few inputs or dimensions; such an operator runs nowhere
        return size_bytes


def _channels(filters: Tensor, axis: int) -> int:
    """A multiplier and a shift for each output channel."""
    return 2 * round_up(4 * filters.shape[axis], ALIGNMENT_BYTES)


def _conv(node: Node, _kernels: KernelLibrary) -> int:
    return _channels(node.input(1), 0) if _is_quantised(node.input(0)) else 0


def _depthwise(node: Node, _kernels: KernelLibrary) -> int:
    return _channels(node.input(1), 3) if _is_quantised(node.input(0)) else 0


def _fully_connected(node: Node, kernels: KernelLibrary) -> int:
    weights = node.input(1)
    per_channel = weights.quantization is not None and len(weights.quantization.scales) > 1
    arrays = _channels(weights, 0) if per_channel else 0
    return arrays + (4 * weights.shape[0] if kernels.keeps_sums else 0)


def _svdf(node: Node, kernels: KernelLibrary) -> int:
    return 4 * node.input(1).shape[0] if kernels.keeps_sums else 0


def _transpose_conv(node: Node, _kernels: KernelLibrary) -> int:
    return _channels(node.input(1), 0)


def _softmax(node: Node, _kernels: KernelLibrary) -> int:
    return _SOFTMAX_TABLES_BYTES if node.input(0).dtype is DType.INT16 else 0


def _elu(_node: Node, _kernels: KernelLibrary) -> int:
    return _LOOKUP_TABLE_BYTES


def _batch_matmul(node: Node, _kernels: KernelLibrary) -> int:
    """An operand that lies the wrong way is kept transposed, whole."""
    left = tensor_bytes(node.input(0)) if node.option("adj_x") else 0
    right = 0 if node.option("adj_y") else tensor_bytes(node.input(1))
    return left + right


def _lstm(node: Node, kernels: KernelLibrary) -> int:
    """CMSIS-NN computes eight vectors of biases beforehand."""
    states = node.input(18).shape[-1]
    wide = 8 if node.input(0).dtype is DType.INT16 else 4
    return 8 * round_up(wide * states, ALIGNMENT_BYTES) if kernels.replaces else 0


_ARRAYS: Mapping[str, Callable[[Node, KernelLibrary], int]] = {
    "BATCH_MATMUL": _batch_matmul,
    "CONV_2D": _conv,
    "DEPTHWISE_CONV_2D": _depthwise,
    "ELU": _elu,
    "FULLY_CONNECTED": _fully_connected,
    "SOFTMAX": _softmax,
    "SVDF": _svdf,
    "TRANSPOSE_CONV": _transpose_conv,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": _lstm,
}


def _is_quantised(tensor: Tensor) -> bool:
    return tensor.dtype in (DType.INT8, DType.INT16)


def _variables_bytes(model: Model) -> int:
    """Variables, and the storage of each resource that something assigns."""
    size_bytes = sum(
        round_up(tensor_bytes(tensor), ALIGNMENT_BYTES)
        for graph in model.graphs
        for tensor in graph.tensors
        if tensor.is_variable
    )
    resources: dict[object, int] = {}
    for g, graph, operator in all_operators(model):
        if operator.kind == "ASSIGN_VARIABLE" and len(operator.inputs) > 1:
            value = graph.tensors[operator.inputs[1]]
            handle = next(
                (
                    (source.options["container"], source.options["shared_name"])
                    for source in graph.operators
                    if operator.inputs[0] in source.outputs and source.kind == "VAR_HANDLE"
                ),
                (g, operator.inputs[0]),
            )
            resources[handle] = round_up(tensor_bytes(value), ALIGNMENT_BYTES)
    return size_bytes + sum(resources.values())
