"""How does a model read?

In: an `ir.Model`, or a part of it. Out: text: a line for each operator in a
dump, and the names by which messages call tensors and operators. All names
that come from a file are escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.errors import printable
from mcucomp.ir.types import Graph, Model, Operator, OptionValue, Tensor

_LINES_SHOWN = 20
_BYTES_SHOWN = 8
_SCALES_SHOWN = 1


def tensor_name(tensor: Tensor) -> str:
    """What messages call a tensor: its index, and its name if it has one."""
    return f"tensor {tensor.index} {printable(tensor.name)}".rstrip()


def operator_name(operator: Operator) -> str:
    """What messages call an operator: its index and kind, for custom ones their name too."""
    custom = f" {printable(operator.custom_code)}" if operator.custom_code else ""
    return f"operator {operator.index} {printable(operator.kind)}{custom}"


def within_graph(model: Model, graph_index: int, part: str = "") -> str:
    """Where a part of a model is: the file, and the graph if there are several."""
    graph = f"graph {graph_index} " if len(model.graphs) > 1 else ""
    where = f"{printable(model.source)}: {graph}{part}".rstrip()
    return where.removesuffix(":")


def first_of(lines: Sequence[str]) -> list[str]:
    """`lines` for an error's details, cut where there are too many to read."""
    rest = len(lines) - _LINES_SHOWN
    return [*lines[:_LINES_SHOWN], f"and {rest} more"] if rest > 0 else list(lines)


def dump(model: Model) -> str:
    """`model` as text, for people and for comparisons in tests.

    Operators stand in the file's order, a line each, with their tensors by
    index; the tensors follow with type, shape and quantisation.
    """
    lines = [f"model {printable(model.source)} sha256 {model.sha256[:16]}"]
    if model.description:
        lines.append(f"  description: {printable(model.description)}")
    for name, data in sorted((model.metadata or {}).items()):
        lines.append(f"  metadata: {printable(name)} ({len(data)} B)")
    for index, graph in enumerate(model.graphs):
        lines += _graph_lines(index, graph)
    return "\n".join(lines) + "\n"


def _graph_lines(index: int, graph: Graph) -> list[str]:
    header = f"graph {index} {printable(graph.name)}".rstrip()
    lines = [f"{header}: {_indices(graph.inputs)} -> {_indices(graph.outputs)}"]
    lines += [f"  {_operator_line(operator)}" for operator in graph.operators]
    lines += [f"  {_tensor_line(tensor)}" for tensor in graph.tensors]
    return lines


def _operator_line(operator: Operator) -> str:
    options = " ".join(f"{name}={_option(v)}" for name, v in sorted(operator.options.items()))
    tensors = f"{_indices(operator.inputs)} -> {_indices(operator.outputs)}"
    return f"{operator_name(operator)}: {tensors} {options}".rstrip()


def _tensor_line(tensor: Tensor) -> str:
    shape = "x".join(str(d) for d in tensor.shape) or "scalar"
    words = [f"{tensor_name(tensor)}: {tensor.dtype.value} {shape}"]
    if tensor.quantization is not None:
        scales, zero_points = tensor.quantization.scales, tensor.quantization.zero_points
        words.append(f"scale {_some(scales)} zero point {_some(zero_points)}")
        if len(scales) > 1:
            words.append(f"along {tensor.quantization.axis}")
    if tensor.data is not None:
        words.append(f"constant {len(tensor.data)} B")
    if tensor.is_variable:
        words.append("variable")
    return ", ".join(words)


def _some(values: tuple[float, ...] | tuple[int, ...]) -> str:
    shown = " ".join(f"{v:.9g}" for v in values[:_SCALES_SHOWN])
    rest = len(values) - _SCALES_SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown


def _indices(indices: tuple[int, ...]) -> str:
    return "(" + " ".join("-" if i < 0 else str(i) for i in indices) + ")"


def _option(value: OptionValue) -> str:
    if isinstance(value, bytes):
        dots = "..." if len(value) > _BYTES_SHOWN else ""
        return f"0x{value[:_BYTES_SHOWN].hex()}{dots}"
    if isinstance(value, tuple):
        return "x".join(str(v) for v in value) or "none"
    return printable(str(value))
