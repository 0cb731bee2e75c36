"""Does this model hang together, so that later rooms need not ask?

In: an `ir.Model`. Out: nothing, or the first kind of violation as an error
that lists all violations of that kind. What each operator wants of its tensors
is for `ops/`; here are the truths that hold for every graph. Only tensors that
something uses are judged: files that were edited keep leftovers in any state.
"""

from __future__ import annotations

import graphlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mcucomp.errors import InvalidModel, McucompError, UnsupportedModel, printable
from mcucomp.ir.dump import first_of, operator_name, tensor_name, within_graph
from mcucomp.ir.types import DType, Graph, Model, Operator, Tensor

ABSENT = -1  # the index of an optional input that an operator does without

# Offsets and sizes are 32-bit signed on the device, as in TFLM.
GREATEST_TENSOR_BYTES = 2**31 - 1

_DAMAGED = "the file is damaged or was edited badly; convert the model again"

# Biases, which are wider, take their scale from what they are added to: files state anything.
_ZERO_POINT_RANGES = {
    DType.INT4: range(-8, 8),
    DType.INT8: range(-(2**7), 2**7),
    DType.UINT8: range(2**8),
    DType.INT16: range(-(2**15), 2**15),
}

_PACKED_PER_BYTE = {DType.INT4: 2, DType.INT2: 4}

# Options that name a subgraph, which an operator of control flow runs.
SUBGRAPH_OPTIONS = (
    "init_subgraph_index",
    "cond_subgraph_index",
    "body_subgraph_index",
    "then_subgraph_index",
    "else_subgraph_index",
)


@dataclass(frozen=True, slots=True)
class _Truth:
    """What must hold; `violations` gives a line for each place where it does not."""

    broken: str
    error: type[McucompError]
    fix: str
    violations: Callable[[Model, Graph], Iterable[str]]


def verify(model: Model) -> None:
    """Check `model`; every later room relies on what is checked here.

    Raises InvalidModel for a contradiction, UnsupportedModel for shapes or
    types that nothing can be compiled for; that one has all of them, of all graphs.
    """
    refused = [_require_truths(model, index) for index in range(len(model.graphs))]
    _require_no_recursion(model)
    broken = list(dict.fromkeys(truth for row in refused for truth, _ in row))
    if not broken:
        return
    several = len(model.graphs) > 1
    raise UnsupportedModel(
        "; ".join(truth.broken for truth in broken),
        at=printable(model.source),
        details=[
            f"graph {index}: {line}" if several else line
            for index, row in enumerate(refused)
            for _, lines in row
            for line in first_of(lines)
        ],
        fix="; ".join(truth.fix for truth in broken),
    )


def _require_truths(model: Model, index: int) -> list[tuple[_Truth, list[str]]]:
    """What nothing can be compiled for in a graph; raises for what is a contradiction.

    Truths behind one that is broken may rely on it, and are not looked at.
    """
    refused: list[tuple[_Truth, list[str]]] = []
    for truth in _TRUTHS:
        if refused and truth.error is not UnsupportedModel:
            break
        found = list(truth.violations(model, model.graphs[index]))
        if found and truth.error is UnsupportedModel:
            refused.append((truth, found))
        elif found:
            raise truth.error(
                truth.broken,
                at=within_graph(model, index),
                details=first_of(found),
                fix=truth.fix,
            )
    return refused


def constant_bytes(dtype: DType, shape: tuple[int, ...]) -> int | None:
    """The bytes of a constant of this type and shape; None where they do not say.

    Types smaller than a byte are packed, the last byte being filled up.
    """
    if any(dimension < 0 for dimension in shape):
        return None
    elements = math.prod(shape)
    if dtype in _PACKED_PER_BYTE:
        return -(-elements // _PACKED_PER_BYTE[dtype])
    if dtype is DType.RESOURCE or dtype.element_bytes is None:
        return None
    return elements * dtype.element_bytes


def used_tensors(graph: Graph) -> Iterator[Tensor]:
    """The tensors that an operator or the graph itself refers to, by index."""
    used = {*graph.inputs, *graph.outputs}
    for operator in graph.operators:
        used.update(operator.inputs, operator.outputs)
    return (graph.tensors[i] for i in sorted(used - {ABSENT}))


def _wrong_numbers(_model: Model, graph: Graph) -> Iterator[str]:
    numbers = [("tensor", i, tensor.index) for i, tensor in enumerate(graph.tensors)]
    numbers += [("operator", i, operator.index) for i, operator in enumerate(graph.operators)]
    for kind, position, number in numbers:
        if number != position:
            yield f"{kind} {number} stands at position {position}"


def _unknown_tensors(_model: Model, graph: Graph) -> Iterator[str]:
    count = len(graph.tensors)
    for role, indices in (("inputs", graph.inputs), ("outputs", graph.outputs)):
        yield from (f"the graph's {role} have tensor {i}" for i in indices if not 0 <= i < count)
    for operator in graph.operators:
        name = operator_name(operator)
        yield from (f"{name} reads tensor {i}" for i in operator.inputs if not ABSENT <= i < count)
        yield from (f"{name} writes tensor {i}" for i in operator.outputs if not 0 <= i < count)


def _unknown_graphs(model: Model, graph: Graph) -> Iterator[str]:
    for operator in graph.operators:
        for called in _called_graphs(operator):
            if not 0 <= called < len(model.graphs):
                yield f"{operator_name(operator)} calls graph {called}"


def _called_graphs(operator: Operator) -> Iterator[int]:
    for name in SUBGRAPH_OPTIONS:
        index = operator.options.get(name)
        if isinstance(index, int):
            yield index


def _unsized_types(_model: Model, graph: Graph) -> Iterator[str]:
    for tensor in used_tensors(graph):
        if tensor.dtype.element_bytes is None:
            yield f"{tensor_name(tensor)} is {tensor.dtype.value}"


def _sparse(_model: Model, graph: Graph) -> Iterator[str]:
    """Their bytes are blocks and indices, which TFLM would read as elements."""
    for tensor in used_tensors(graph):
        if tensor.is_sparse:
            yield f"{tensor_name(tensor)} has sparsity parameters"


def _open_shapes(_model: Model, graph: Graph) -> Iterator[str]:
    """TFLM takes any dimension below 1 as open, but for the shape [0] alone (an old scalar)."""
    for tensor in used_tensors(graph):
        is_empty = 0 in tensor.shape and tensor.shape != (0,) and not tensor.is_constant
        if is_empty or any(dimension < 0 for dimension in tensor.shape):
            yield f"{tensor_name(tensor)} has shape {list(tensor.shape)}"


def _too_large(_model: Model, graph: Graph) -> Iterator[str]:
    for tensor in used_tensors(graph):
        if tensor.size_bytes > GREATEST_TENSOR_BYTES:
            yield (
                f"{tensor_name(tensor)} of {tensor.dtype.value} {list(tensor.shape)}"
                f" has {tensor.size_bytes} B"
            )


def _unfitting_constants(_model: Model, graph: Graph) -> Iterator[str]:
    for tensor in used_tensors(graph):
        needed = constant_bytes(tensor.dtype, tensor.shape)
        if tensor.data is not None and needed not in (None, len(tensor.data)):
            yield f"{tensor_name(tensor)} has {len(tensor.data)} bytes; its shape needs {needed}"


def _constant_variables(_model: Model, graph: Graph) -> Iterator[str]:
    """TFLM clears such constants; LiteRT refuses them."""
    for tensor in used_tensors(graph):
        if tensor.is_variable and tensor.is_constant:
            yield tensor_name(tensor)


def _contested_writes(_model: Model, graph: Graph) -> Iterator[str]:
    """An activation has one writer; inputs, constants and variables have none."""
    writers = dict.fromkeys(graph.inputs, "the graph's input")
    for tensor in used_tensors(graph):
        if tensor.is_constant:
            writers[tensor.index] = "its constant"
        elif tensor.is_variable:
            writers[tensor.index] = "its variable"
    for operator in graph.operators:
        for index in operator.outputs:
            name, tensor = operator_name(operator), graph.tensors[index]
            if index in writers:
                yield f"{tensor_name(tensor)} is written by {writers[index]} and by {name}"
            writers[index] = name


def _early_reads(_model: Model, graph: Graph) -> Iterator[str]:
    """What has no elements needs no writer: there is nothing to read."""
    known = set(graph.inputs)
    for tensor in used_tensors(graph):
        if tensor.is_constant or tensor.is_variable or tensor.elements == 0:
            known.add(tensor.index)
    written = {index for operator in graph.operators for index in operator.outputs}

    def named(index: int) -> str:
        never = "" if index in written else ", which nothing writes; its buffer holds no data"
        return f"{tensor_name(graph.tensors[index])}{never}"

    for operator in graph.operators:
        for index in operator.inputs:
            if index != ABSENT and index not in known:
                yield f"{operator_name(operator)} reads {named(index)}"
        known.update(operator.outputs)
    for index in graph.outputs:
        if index not in known:
            yield f"the graph gives out {named(index)}"


def _quantized(graph: Graph) -> Iterator[tuple[Tensor, tuple[float, ...], tuple[int, ...]]]:
    """Tensors whose quantisation means something: those of integers of up to 16 bits."""
    for tensor in used_tensors(graph):
        if tensor.quantization is not None and tensor.dtype in _ZERO_POINT_RANGES:
            yield tensor, tensor.quantization.scales, tensor.quantization.zero_points


def _wrong_scales(_model: Model, graph: Graph) -> Iterator[str]:
    for tensor, scales, _ in _quantized(graph):
        wrong = [s for s in scales if not (math.isfinite(s) and s > 0)]
        if wrong:
            rest = f" (and {len(wrong) - 1} more of its scales)" if len(wrong) > 1 else ""
            yield f"{tensor_name(tensor)}: scale is {wrong[0]:g}{rest}"


def _wrong_scale_counts(_model: Model, graph: Graph) -> Iterator[str]:
    """Several scales go along one axis. Converters put any axis on tensors of one dimension."""
    for tensor, scales, zero_points in _quantized(graph):
        assert tensor.quantization is not None
        axis = 0 if len(tensor.shape) == 1 else tensor.quantization.axis
        along = tensor.shape[axis] if 0 <= axis < len(tensor.shape) else None
        if len(scales) != 1 and len(scales) != along:
            yield (
                f"{tensor_name(tensor)} has {len(scales)} scales along axis"
                f" {tensor.quantization.axis} of shape {list(tensor.shape)}"
            )
        if len(zero_points) not in (1, len(scales)):
            yield f"{tensor_name(tensor)} has {len(zero_points)} zero points, {len(scales)} scales"


def _wrong_zero_points(_model: Model, graph: Graph) -> Iterator[str]:
    for tensor, _, zero_points in _quantized(graph):
        wrong = [z for z in zero_points if z not in _ZERO_POINT_RANGES[tensor.dtype]]
        if wrong:
            yield f"{tensor_name(tensor)} is {tensor.dtype.value}; its zero point is {wrong[0]}"


def _require_no_recursion(model: Model) -> None:
    calls = {
        index: [called for operator in graph.operators for called in _called_graphs(operator)]
        for index, graph in enumerate(model.graphs)
    }
    try:
        graphlib.TopologicalSorter(calls).prepare()
    except graphlib.CycleError as error:
        path = ", ".join(f"graph {index}" for index in error.args[1])
        raise InvalidModel(
            f"graphs call each other without end: {path}",
            at=printable(model.source),
            fix=_DAMAGED,
        ) from None


# In this order: each truth may rely on those before it.
_TRUTHS = (
    _Truth("parts are not numbered by position", InvalidModel, _DAMAGED, _wrong_numbers),
    _Truth("tensors are used that do not exist", InvalidModel, _DAMAGED, _unknown_tensors),
    _Truth("graphs are called that do not exist", InvalidModel, _DAMAGED, _unknown_graphs),
    _Truth(
        "tensors have types that cannot be compiled",
        UnsupportedModel,
        "keep strings and variants out of the part of the model that runs on the device",
        _unsized_types,
    ),
    _Truth(
        "tensors are sparse",
        UnsupportedModel,
        "convert the model without sparsity, or densify its weights",
        _sparse,
    ),
    _Truth(
        "tensors have dynamic shapes",
        UnsupportedModel,
        "convert the model with a fixed batch size and input shape",
        _open_shapes,
    ),
    _Truth(
        f"tensors have more than {GREATEST_TENSOR_BYTES} B",
        InvalidModel,
        _DAMAGED,
        _too_large,
    ),
    _Truth("constants do not fit their shapes", InvalidModel, _DAMAGED, _unfitting_constants),
    _Truth("tensors are constant and variable", InvalidModel, _DAMAGED, _constant_variables),
    _Truth("tensors have more than one writer", InvalidModel, _DAMAGED, _contested_writes),
    _Truth(
        "tensors are read before anything has written them",
        InvalidModel,
        "convert the model again; operators must stand in an order in which they can run,"
        " and constants have their values",
        _early_reads,
    ),
    _Truth("quantization scales are no positive numbers", InvalidModel, _DAMAGED, _wrong_scales),
    _Truth(
        "quantization parameters do not fit their tensors",
        InvalidModel,
        _DAMAGED,
        _wrong_scale_counts,
    ),
    _Truth(
        "zero points are outside of their tensors' types",
        InvalidModel,
        _DAMAGED,
        _wrong_zero_points,
    ),
)
