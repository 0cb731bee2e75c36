"""How many bytes of scratch does each operator request, in which kernel library?

In: a node and the name of a kernel library. Out: the bytes of each of its
requests, in their order. TFLM plans them beside the tensors, while the operator
runs. The table of the reference kernels is here; what the libraries of
CMSIS-NN request instead is in `scratch_cmsis_nn`. A kind that stands in no
table requests nothing; a custom operator that is not known is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from flatbuffers import flexbuffers

from mcucomp.errors import InvalidModel, UnsupportedModel, nearest_first, printable
from mcucomp.ir import DType, Graph, Model, Operator, Tensor
from mcucomp.ops.base import Node
from mcucomp.tflm import scratch_cmsis_nn
from mcucomp.tflm.blocks import Requests, all_operators

Rule = Callable[[Node], tuple[int, ...]]

_HOST_POINTER_BYTES = 8
_INT_BYTES = 4
_FLOAT_BYTES = 4


@dataclass(frozen=True, slots=True)
class KernelLibrary:
    """A set of kernels that a firmware may link.

    `rules` are those that differ from the reference kernels; `replaces` the
    kinds whose kernels are not the reference's; `keeps_sums` says that sums
    of constant weights are kept in the tail.
    """

    name: str
    summary: str
    rules: Mapping[str, Rule]
    replaces: frozenset[str]
    keeps_sums: bool = False


def _elements(tensor: Tensor) -> int:
    return math.prod(tensor.shape)


def _unpacked_filter(node: Node) -> tuple[int, ...]:
    """Four-bit weights are unpacked before each use."""
    weights = node.input(1)
    return (_elements(weights),) if weights.dtype is DType.INT4 else ()


def _transpose_conv(node: Node) -> tuple[int, ...]:
    """Accumulators of the whole output: 32 bits wide for int8, 64 for int16."""
    outputs = _elements(node.output())
    if node.input(2).dtype is DType.INT8:
        return (4 * outputs,)
    if node.input(2).dtype is not DType.INT16:
        return ()
    widened_bias = node.has_input(3) and node.input(3).dtype is DType.INT16
    return (*((8 * _elements(node.input(3)),) if widened_bias else ()), 8 * outputs)


def _mean(node: Node) -> tuple[int, ...]:
    accumulated = node.input(0).dtype in (DType.INT8, DType.INT16)
    sums = (4 * _elements(node.output()),) if accumulated else ()
    return (*sums, *_reduction(node))


def _reduction(node: Node) -> tuple[int, ...]:
    """An index along each dimension, and the axes, resolved."""
    return (_INT_BYTES * len(node.input(0).shape), _INT_BYTES * _elements(node.input(1)))


def _mirror_pad(node: Node) -> tuple[int, ...]:
    return (_INT_BYTES * len(node.input(0).shape),) * 2


def _svdf(node: Node) -> tuple[int, ...]:
    batches, filters = node.input(0).shape[0], node.input(1).shape[0]
    sums = 4 * batches * filters
    if node.input(0).dtype is DType.FLOAT32:
        return (sums,)
    rank = node.option("rank")
    if not isinstance(rank, int) or rank < 1:
        raise ValueError("its rank is not positive")
    return (sums, 4 * batches * (filters // rank))


def _lstm(node: Node) -> tuple[int, ...]:
    """Four buffers of the cell state's shape (input 19 is the cell state)."""
    batches = node.input(0).shape[1 if node.option("time_major") else 0]
    cell = node.input(19)
    element_bytes = cell.dtype.element_bytes or 0
    return (batches * cell.shape[-1] * element_bytes,) * 4


def _add_n(node: Node) -> tuple[int, ...]:
    """A pointer an input, as wide as this host's. On a target the head may be a little smaller."""
    return (_HOST_POINTER_BYTES * len(node.operator.inputs),)


REFERENCE_RULES: Mapping[str, Rule] = {
    "ADD_N": _add_n,
    "CONV_2D": _unpacked_filter,
    "DEPTHWISE_CONV_2D": _unpacked_filter,
    "FULLY_CONNECTED": _unpacked_filter,
    "MEAN": _mean,
    "MIRROR_PAD": _mirror_pad,
    "REDUCE_ALL": _reduction,
    "REDUCE_MAX": _reduction,
    "REDUCE_MIN": _reduction,
    "SUM": _mean,
    "SVDF": _svdf,
    "TRANSPOSE_CONV": _transpose_conv,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": _lstm,
}


def _detection_postprocess(node: Node) -> tuple[int, ...]:
    """Candidates, boxes, scores and sorted lists of them, for all boxes."""
    options = _custom_options(node)
    boxes = node.input(0).shape[1]
    classes, detections = int(options["num_classes"]), int(options["max_detections"])
    predictions = node.input(1).shape[1] * node.input(1).shape[2]
    return (
        boxes,
        4 * _FLOAT_BYTES * boxes,
        _FLOAT_BYTES * predictions,
        _FLOAT_BYTES * boxes,
        _FLOAT_BYTES * boxes,
        _FLOAT_BYTES * detections * boxes,
        _FLOAT_BYTES * detections * boxes,
        _INT_BYTES * boxes,
        _INT_BYTES * detections * boxes,
        _INT_BYTES * max(classes, detections) * boxes,
        _INT_BYTES * min(boxes, detections) * boxes,
    )


def _rfft(node: Node) -> tuple[int, ...]:
    """The padded input."""
    return (int(_custom_options(node)["fft_length"]) * (node.input(0).dtype.element_bytes or 0),)


def _nothing(_node: Node) -> tuple[int, ...]:
    return ()


CUSTOM_RULES: Mapping[str, Rule] = {
    "CIRCULAR_BUFFER": _nothing,
    "SignalDelay": _nothing,
    "SignalEnergy": _nothing,
    "SignalFftAutoScale": _nothing,
    "SignalFilterBank": _nothing,
    "SignalFilterBankLog": _nothing,
    "SignalFilterBankSpectralSubtraction": _nothing,
    "SignalFilterBankSquareRoot": _nothing,
    "SignalFramer": _nothing,
    "SignalIrfft": _nothing,
    "SignalOverlapAdd": _nothing,
    "SignalPCAN": _nothing,
    "SignalRfft": _rfft,
    "SignalStacker": _nothing,
    "SignalWindow": _nothing,
    "TFLite_Detection_PostProcess": _detection_postprocess,
}


def _custom_options(node: Node) -> Mapping[str, int]:
    data = node.option("custom_options")
    assert isinstance(data, bytes)
    try:
        found = flexbuffers.Loads(bytearray(data))
    except Exception as error:  # the package raises whatever its reads run into
        raise ValueError("its custom options are damaged") from error
    if not isinstance(found, dict):
        raise ValueError("its custom options are no map")
    return found


def _library(name: str, summary: str, core: str | None) -> KernelLibrary:
    if core is None:
        return KernelLibrary(name, summary, {}, frozenset())
    rules = scratch_cmsis_nn.rules(core)
    return KernelLibrary(name, summary, rules, scratch_cmsis_nn.REPLACED, core == "mve")


KERNELS: Mapping[str, KernelLibrary] = {
    library.name: library
    for library in (
        _library("reference", "the kernels of TFLM itself", None),
        _library("cmsis-nn", "the same as cmsis-nn-dsp", "dsp"),
        _library("cmsis-nn-plain", "CMSIS-NN on Cortex-M0 and M3", "plain"),
        _library("cmsis-nn-dsp", "CMSIS-NN on Cortex-M4, M7 and M33", "dsp"),
        _library("cmsis-nn-mve", "CMSIS-NN on Cortex-M55 and M85, for speed", "mve"),
    )
}


def library(name: str) -> KernelLibrary:
    """The kernel library `name`. Raises KeyError for one that is unknown."""
    return KERNELS[name]


def requests(model: Model, kernels: KernelLibrary) -> Requests:
    """The bytes of each operator's scratch requests by (graph, operator).

    Raises InvalidModel for operators that lack what their kernel needs,
    UnsupportedModel for custom operators of which nothing is known.
    """
    found = {}
    for g, graph, operator in all_operators(model):
        node = Node(graph, operator)
        rule = _rule(model, graph, operator, kernels)
        if rule is None:
            continue
        try:
            bytes_each = tuple(int(b) for b in rule(node))
        except (IndexError, KeyError, ValueError, ZeroDivisionError) as error:
            # Rules read inputs and dimensions by position; a hostile file may have neither.
            raise InvalidModel(
                f"it lacks inputs, dimensions or options that {printable(operator.kind)} needs",
                at=f"{printable(model.source)}: graph {g} {node.at}",
                details=[str(error)] if isinstance(error, ValueError) else [],
                fix="convert the model again",
            ) from error
        if bytes_each:
            found[g, operator.index] = bytes_each
    return found


def _rule(model: Model, graph: Graph, operator: Operator, kernels: KernelLibrary) -> Rule | None:
    if operator.kind != "CUSTOM":
        return kernels.rules.get(operator.kind, REFERENCE_RULES.get(operator.kind))
    name = operator.custom_code
    if name not in CUSTOM_RULES:
        raise UnsupportedModel(
            f"nothing is known of the custom operator {printable(name)}, so that its scratch"
            " cannot be foreseen",
            at=f"{printable(model.source)}: operator {operator.index}",
            fix="known are " + ", ".join(nearest_first(name, CUSTOM_RULES)[:4]) + ", ...",
        )
    return CUSTOM_RULES[name]


def constant_values(tensor: Tensor) -> np.ndarray | None:
    """The numbers of a constant, one-dimensional; None for anything else."""
    if tensor.data is None or tensor.dtype in (DType.INT4, DType.INT2, DType.STRING):
        return None
    return np.frombuffer(tensor.data, np.dtype(tensor.dtype.value).newbyteorder("<"))
