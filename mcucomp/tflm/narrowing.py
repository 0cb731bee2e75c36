"""Which file has the same results with less in it?

In: a model and its bytes. Out: the bytes of a file without the channels, the
clamps and the operators that no input can make matter, and with equal constants
stored once; None where there are none. Everything else stays, names and
signatures too: tensors keep their indices, and those that are left without a use
are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mcucomp import tflite
from mcucomp.ir import DType, Graph, Model, Operator, OptionValue, Quantization, Tensor
from mcucomp.ir.verify import used_tensors
from mcucomp.rewrite import drop_by_values
from mcucomp.tflite.options import options_table, stored_options
from mcucomp.tflm import metadata

_DTYPE_NUMBERS = {dtype: number for number, dtype in enumerate(DType)}


def narrowed(model: Model, data: bytes, multiple: int) -> bytes | None:
    """The smaller file, whose tensors keep their channels or have a `multiple` of them."""
    graphs = tuple(drop_by_values(graph, multiple) for graph in model.graphs)
    values = tflite.unpack(data, model.source)
    is_smaller = graphs != model.graphs
    if is_smaller:
        for table, old, new in zip(values["subgraphs"], model.graphs, graphs, strict=True):
            _set_graph(values["buffers"], table, old, new)
        # Offsets that the file prescribes are those of other tensors.
        name = metadata.NAME.encode()
        if "metadata" in values:
            values["metadata"] = [e for e in values["metadata"] if e.get("name") != name]
    is_smaller |= _share_buffers(values)
    made = tflite.repack(values) if is_smaller else data
    # Weights of 0 in the place of others are no gain where no channel could go.
    return made if len(made) < len(data) else None


def _set_graph(buffers: list[tflite.Values], table: tflite.Values, old: Graph, new: Graph) -> None:
    """Make the subgraph `table`, which holds `old`, hold `new`."""
    for tensor in new.tensors:
        if tensor.index == len(table["tensors"]):
            table["tensors"].append({"type": _DTYPE_NUMBERS[tensor.dtype], "name": tensor.name})
            _set_tensor(buffers, table["tensors"][-1], None, tensor)
        elif tensor != old.tensors[tensor.index]:
            _set_tensor(buffers, table["tensors"][tensor.index], old.tensors[tensor.index], tensor)
    still_used = {tensor.index for tensor in used_tensors(new)}
    for tensor in used_tensors(old):
        if tensor.index not in still_used:
            _empty(table["tensors"][tensor.index])
    operators = []
    for operator in new.operators:
        entry = table["operators"][operator.index]
        _set_operator(entry, old.operators[operator.index], operator)
        operators.append(entry)
    table["operators"] = operators


def _empty(entry: tflite.Values) -> None:
    """A tensor that nothing uses: no elements, no constant."""
    entry["shape"] = np.zeros(1, np.int32)
    entry["buffer"] = 0
    for name in ("quantization", "shape_signature"):
        entry.pop(name, None)


def _set_tensor(
    buffers: list[tflite.Values], entry: tflite.Values, old: Tensor | None, new: Tensor
) -> None:
    entry["shape"] = np.array(new.shape, np.int32)
    signature = entry.get("shape_signature")
    if signature is not None and len(signature) == len(new.shape):
        entry["shape_signature"] = np.where(signature < 0, signature, entry["shape"])
    if old is None or new.quantization != old.quantization:
        _set_quantization(entry, new.quantization)
    if new.data is not None and (old is None or new.data != old.data):
        entry["buffer"] = len(buffers)
        buffers.append({"data": new.data})


def _set_quantization(entry: tflite.Values, quantization: Quantization | None) -> None:
    """Ranges that converters noted are of channels that may be gone."""
    if quantization is None:
        entry.pop("quantization", None)
        return
    entry["quantization"] = {
        "scale": np.array(quantization.scales, np.float32),
        "zero_point": np.array(quantization.zero_points, np.int64),
        "quantized_dimension": quantization.axis,
    }


def _set_operator(entry: tflite.Values, old: Operator, new: Operator) -> None:
    for name, before, after in (
        ("inputs", old.inputs, new.inputs),
        ("outputs", old.outputs, new.outputs),
    ):
        if before != after:
            entry[name] = np.array(after, np.int32)
    changed: dict[str, OptionValue] = {
        name: value for name, value in new.options.items() if old.options.get(name) != value
    }
    if not changed:
        return
    union = "builtin_options2" if "builtin_options2" in entry else "builtin_options"
    name, stated = entry.get(union, (options_table(new.kind), {}))
    entry[union] = (name, {**stated, **stored_options(new.kind, changed)})


def _share_buffers(values: tflite.Values) -> bool:
    """Point tensors with equal constants to one buffer; empty those that none points to.

    The positions of buffers stay. Returns whether that made the file smaller.
    """
    buffers = values["buffers"]
    tensors = [t for graph in values["subgraphs"] for t in graph.get("tensors", ())]
    first: dict[bytes, int] = {}
    for tensor in tensors:
        constant = _constant(buffers, tensor.get("buffer", 0))
        if constant:
            tensor["buffer"] = first.setdefault(constant, tensor["buffer"])
    used = {tensor.get("buffer", 0) for tensor in tensors}
    used |= {entry.get("buffer", 0) for entry in values.get("metadata", ())}
    is_smaller = False
    for index in range(len(buffers)):
        if index not in used and buffers[index].get("data"):
            buffers[index] = {}
            is_smaller = True
    return is_smaller


def _constant(buffers: Sequence[Any], index: int) -> bytes:
    """The bytes in a buffer; none where it is not there, or its bytes lie outside the tables."""
    if not 0 < index < len(buffers):
        return b""
    data: bytes = buffers[index].get("data", b"")
    return data
