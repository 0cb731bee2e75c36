"""Which bytes hold this model?

In: an `ir.Model`. Out: a `.tflite` file, the same bytes for the same model.
Constants with equal bytes share a buffer; everything else that the
intermediate representation holds is written, and nothing more (no signatures,
no shape signatures).
"""

from __future__ import annotations

from typing import Any

import flatbuffers
import tflite

from mcucomp.ir import DType, Graph, Model, Operator, Quantization, Tensor
from mcucomp.tflite.options import (
    CUSTOM,
    CUSTOM_OPTIONS,
    code_of,
    options_table,
    stored_options,
)
from mcucomp.tflite.packer import pack
from mcucomp.tflite.schema import members

FILE_IDENTIFIER = b"TFL3"
SCHEMA_VERSION = 3

# The old field of an operator code has one signed byte; this value sends readers to the new one.
_GREATEST_OLD_CODE = tflite.BuiltinOperator.PLACEHOLDER_FOR_GREATER_OP_CODES

_DTYPE_NUMBERS = {dtype: number for number, dtype in enumerate(DType)}


def write(model: Model) -> bytes:
    """`model` as a `.tflite` file.

    Raises ValueError for an operator kind, an option or an enumerator that the
    schema does not have: such a model did not come from a file.
    """
    buffers = _Buffers()
    codes = _OperatorCodes()
    values = {
        "version": SCHEMA_VERSION,
        "subgraphs": [_subgraph(graph, buffers, codes) for graph in model.graphs],
        "description": model.description,
        "metadata": [
            {"name": name, "buffer": buffers.index(data)}
            for name, data in (model.metadata or {}).items()
        ],
        "operator_codes": codes.tables(),
        "buffers": buffers.tables(),
    }
    if not model.metadata:
        del values["metadata"]
    builder = flatbuffers.Builder(1024)
    builder.Finish(pack(builder, "Model", values), file_identifier=FILE_IDENTIFIER)
    return bytes(builder.Output())


class _Buffers:
    """The file's buffers; the first stays empty, as every reader expects."""

    def __init__(self) -> None:
        self._indices: dict[bytes, int] = {b"": 0}

    def index(self, data: bytes) -> int:
        return self._indices.setdefault(data, len(self._indices))

    def tables(self) -> list[dict[str, Any]]:
        return [{"data": data} if data else {} for data in self._indices]


class _OperatorCodes:
    """The file's operator codes, one for each kind, custom name and version in use."""

    def __init__(self) -> None:
        self._indices: dict[tuple[str, str, int], int] = {}

    def index(self, operator: Operator) -> int:
        key = (operator.kind, operator.custom_code, operator.version)
        return self._indices.setdefault(key, len(self._indices))

    def tables(self) -> list[dict[str, Any]]:
        return [_operator_code(*key) for key in self._indices]


def _operator_code(kind: str, custom_code: str, version: int) -> dict[str, Any]:
    code = code_of(kind)
    values = {
        "deprecated_builtin_code": min(code, _GREATEST_OLD_CODE),
        "builtin_code": code,
        "version": version,
    }
    return {**values, "custom_code": custom_code} if custom_code else values


def _subgraph(graph: Graph, buffers: _Buffers, codes: _OperatorCodes) -> dict[str, Any]:
    return {
        "tensors": [_tensor(tensor, buffers) for tensor in graph.tensors],
        "inputs": graph.inputs,
        "outputs": graph.outputs,
        "operators": [_operator(operator, codes) for operator in graph.operators],
        "name": graph.name,
    }


def _tensor(tensor: Tensor, buffers: _Buffers) -> dict[str, Any]:
    values = {
        "shape": tensor.shape,
        "type": _DTYPE_NUMBERS[tensor.dtype],
        "buffer": buffers.index(tensor.data or b""),
        "name": tensor.name,
        "is_variable": tensor.is_variable,
    }
    if tensor.quantization is not None:
        values["quantization"] = _quantization(tensor.quantization)
    return values


def _quantization(quantization: Quantization) -> dict[str, Any]:
    return {
        "scale": quantization.scales,
        "zero_point": quantization.zero_points,
        "quantized_dimension": quantization.axis,
    }


def _operator(operator: Operator, codes: _OperatorCodes) -> dict[str, Any]:
    values: dict[str, Any] = {
        "opcode_index": codes.index(operator),
        "inputs": operator.inputs,
        "outputs": operator.outputs,
    }
    if operator.kind == CUSTOM:
        return {**values, CUSTOM_OPTIONS: operator.options.get(CUSTOM_OPTIONS, b"")}
    name = options_table(operator.kind)
    if name is None:
        return values
    is_first = name in members(tflite.BuiltinOptions).values()
    union = "builtin_options" if is_first else "builtin_options2"
    return {**values, union: (name, stored_options(operator.kind, operator.options))}
