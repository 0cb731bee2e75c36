"""Which model is in these bytes?

In: the bytes of a `.tflite` file, or its path. Out: an `ir.Model` whose
indices are all valid and whose constants have the bytes that their shapes
need; what a model must keep beyond that is for `ir.verify`. Nothing is read
through the generated accessors before `tflite.verify` has walked it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tflite

from mcucomp.errors import InvalidInput, InvalidModel, UnsupportedModel, printable
from mcucomp.ir import DType, Graph, Model, Operator, Quantization, Tensor
from mcucomp.ir.dump import first_of, operator_name, tensor_name
from mcucomp.ir.verify import ABSENT, constant_bytes
from mcucomp.tflite.formats import require_tflite
from mcucomp.tflite.options import (
    CUSTOM,
    CUSTOM_OPTIONS,
    UnknownEnumerator,
    kinds,
    options_table,
    read_options,
    vector,
)
from mcucomp.tflite.schema import UNIONS, members, raw_scalar
from mcucomp.tflite.verify import verify
from mcucomp.tflite.writer import SCHEMA_VERSION

_DTYPES = tuple(DType)
# Far beyond what any operator takes; keeps the products of dimensions small.
_GREATEST_RANK = 32
_GREATEST_FILE_BYTES = 2**31 - 1
_FIX_DAMAGED = "download or convert the file again"
_FIX_NEWER = "convert it with operators and types that TensorFlow Lite Micro has"


def load(path: str | Path) -> Model:
    """The model in the file at `path`; messages call it by its base name.

    Raises what `read_file` and `read` raise.
    """
    return read(read_file(path), Path(path).name)


def read_file(path: str | Path) -> bytes:
    """The bytes of the file at `path`.

    Raises InvalidInput where there is no such file or it cannot be opened.
    """
    path = Path(path)
    data, reason = b"", ""
    try:
        reason = _why_not(path.stat())
        data = b"" if reason else path.read_bytes()
    except OSError as error:
        reason = f"cannot be read: {(error.strerror or type(error).__name__).lower()}"
    except ValueError:  # a NUL character in the name
        reason = "is no path that a file can have"
    if reason:
        raise InvalidInput(
            reason,
            at=printable(str(path)),
            fix="give the path of a .tflite file that you may read",
        )
    return data


def _why_not(status: os.stat_result) -> str:
    """Why what is at a path is not opened; empty where it may be (files, pipes, folders)."""
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        return "is a device, not a file"
    if status.st_size > _GREATEST_FILE_BYTES:
        return f"has {status.st_size} B; offsets in a TFLite file reach {_GREATEST_FILE_BYTES} B"
    return ""


def read(data: bytes, source: str) -> Model:
    """The model in `data`, which messages call `source`.

    Raises InvalidModel for bytes that are no TFLite model or a damaged one,
    UnsupportedModel for a valid one with features that no intermediate
    representation is made of (operators and types newer than the schema).
    """
    require_tflite(data, source)
    verify(data, source)
    return _Reader(data, source).model()


class _Reader:
    """Reads one verified file."""

    def __init__(self, data: bytes, source: str) -> None:
        self._data = data
        self._source = source
        self._file: Any = tflite.Model.GetRootAs(data, 0)
        self._blobs: dict[int, bytes] = {}

    def model(self) -> Model:
        version = self._file.Version()
        if version != SCHEMA_VERSION:
            raise InvalidModel(
                f"the file has schema version {version}; only {SCHEMA_VERSION} is known",
                at=self._source,
                fix="convert the model again with a current TensorFlow",
            )
        graph_count = self._file.SubgraphsLength()
        if graph_count == 0:
            raise InvalidModel("the file holds no graph", at=self._source, fix=_FIX_DAMAGED)
        return Model(
            source=self._source,
            sha256=hashlib.sha256(self._data).hexdigest(),
            graphs=tuple(self._graph(i, graph_count) for i in range(graph_count)),
            description=_text(self._file.Description()),
            metadata=self._metadata(),
        )

    def _metadata(self) -> dict[str, bytes] | None:
        entries = [self._file.Metadata(i) for i in range(self._file.MetadataLength())]
        named = {_text(e.Name()): self._blob(e.Buffer(), "metadata", e.Name()) for e in entries}
        return named or None

    def _blob(self, index: int, what: str, name: bytes | None) -> bytes:
        """The data of a buffer of the file, read once however many tensors share it."""
        part = f"{what} {printable(_text(name))}".rstrip()
        if index not in self._blobs:
            count = self._file.BuffersLength()
            if index >= count:
                raise InvalidModel(
                    f"refers to buffer {index}; the file has {count} buffers",
                    at=f"{self._source}: {part}",
                    fix=_FIX_DAMAGED,
                )
            buffer = self._file.Buffers(index)
            if buffer.Offset() > 1 or buffer.Size() > 1:
                raise InvalidModel(
                    f"its data lies outside of the flatbuffer ({buffer.Size()} B at byte"
                    f" {buffer.Offset()} of the file)",
                    at=f"{self._source}: {part}",
                    fix="convert the model with its constants in the flatbuffer",
                )
            self._blobs[index] = bytes(vector(buffer, "Data"))
        return self._blobs[index]

    def _graph(self, index: int, graph_count: int) -> Graph:
        file = self._file.Subgraphs(index)
        prefix = f"{self._source}: graph {index} " if graph_count > 1 else f"{self._source}: "
        operators = tuple(
            self._operator(i, file.Operators(i), prefix) for i in range(file.OperatorsLength())
        )
        inputs, outputs = tuple(vector(file, "Inputs")), tuple(vector(file, "Outputs"))
        self._require_tensors(file.TensorsLength(), inputs, outputs, operators, prefix)
        written = {i for operator in operators for i in operator.outputs}
        used = written.union(inputs, outputs, *(operator.inputs for operator in operators))
        has_source = written.union(inputs)
        tensors = tuple(
            self._tensor(i, file.Tensors(i), prefix, i in used, i in has_source)
            for i in range(file.TensorsLength())
        )
        return Graph(_text(file.Name()), tensors, operators, inputs, outputs)

    def _require_tensors(
        self,
        count: int,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        operators: Iterable[Operator],
        prefix: str,
    ) -> None:
        """Every index of a tensor must be one; -1 is allowed as an absent operator input."""
        unknown = [f"the graph's inputs have tensor {i}" for i in inputs if not 0 <= i < count]
        unknown += [f"the graph's outputs have tensor {i}" for i in outputs if not 0 <= i < count]
        for operator in operators:
            name = operator_name(operator)
            unknown += [
                f"{name} reads tensor {i}" for i in operator.inputs if not ABSENT <= i < count
            ]
            unknown += [f"{name} writes tensor {i}" for i in operator.outputs if not 0 <= i < count]
        if unknown:
            raise InvalidModel(
                f"refers to tensors that it does not have; it has {count}",
                at=prefix.rstrip(" :"),
                details=first_of(unknown),
                fix=_FIX_DAMAGED,
            )

    def _operator(self, index: int, file: Any, prefix: str) -> Operator:
        at = f"{prefix}operator {index}"
        code_count = self._file.OperatorCodesLength()
        if file.OpcodeIndex() >= code_count:
            raise InvalidModel(
                f"refers to operator code {file.OpcodeIndex()}; the file has {code_count}",
                at=at,
                fix=_FIX_DAMAGED,
            )
        code = self._file.OperatorCodes(file.OpcodeIndex())
        kind = _kind(code, at)
        if file.LargeCustomOptionsOffset() > 1:
            raise InvalidModel(
                "its options lie outside of the flatbuffer",
                at=f"{at} {kind}",
                fix="convert the model with its constants in the flatbuffer",
            )
        try:
            options = read_options(kind, _options_accessors(kind, file))
        except UnknownEnumerator as error:
            raise InvalidModel(str(error), at=f"{at} {kind}", fix=_FIX_DAMAGED) from None
        if kind == CUSTOM:
            options = {CUSTOM_OPTIONS: bytes(vector(file, "CustomOptions"))}
        return Operator(
            index=index,
            kind=kind,
            inputs=tuple(vector(file, "Inputs")),
            outputs=tuple(vector(file, "Outputs")),
            options=options,
            version=code.Version(),
            custom_code=_text(code.CustomCode()) if kind == CUSTOM else "",
        )

    def _tensor(
        self, index: int, file: Any, prefix: str, is_used: bool, has_source: bool
    ) -> Tensor:
        name = _text(file.Name())
        number = file.Type()
        if not 0 <= number < len(_DTYPES):
            raise UnsupportedModel(
                f"its element type has number {number}; known are 0 to {len(_DTYPES) - 1}",
                at=f"{prefix}tensor {index} {printable(name)}",
                fix=_FIX_NEWER,
            )
        if file.ShapeLength() > _GREATEST_RANK:
            raise UnsupportedModel(
                f"it has {file.ShapeLength()} dimensions; at most {_GREATEST_RANK} are read",
                at=f"{prefix}tensor {index} {printable(name)}",
                fix=_FIX_NEWER,
            )
        blob = self._blob(file.Buffer(), f"tensor {index}", file.Name())
        tensor = Tensor(
            index=index,
            name=name,
            dtype=_DTYPES[number],
            shape=tuple(vector(file, "Shape")),
            quantization=_quantization(file.Quantization()),
            data=blob or None,
            is_variable=file.IsVariable(),
            is_sparse=file.Sparsity() is not None,
        )
        # Files that were edited keep leftovers in any state.
        if not is_used or tensor.is_sparse:
            return tensor
        return _with_fitting_data(tensor, prefix, has_source)


def _with_fitting_data(tensor: Tensor, prefix: str, has_source: bool) -> Tensor:
    """`tensor`, once its constant bytes are known to be those of its shape.

    A tensor of no elements has no bytes in any file, so it looks like an
    activation; where nothing gives it a value, it is a constant of no bytes.
    """
    needed_bytes = constant_bytes(tensor.dtype, tensor.shape)
    if tensor.data is None:
        if needed_bytes == 0 and not has_source and not tensor.is_variable:
            return Tensor(
                tensor.index, tensor.name, tensor.dtype, tensor.shape, tensor.quantization, b""
            )
        return tensor
    if needed_bytes is not None and needed_bytes != len(tensor.data):
        raise InvalidModel(
            f"its constant has {len(tensor.data)} bytes; its shape"
            f" {list(tensor.shape)} of {tensor.dtype.value} needs {needed_bytes}",
            at=f"{prefix}{tensor_name(tensor)}",
            fix=_FIX_DAMAGED,
        )
    return tensor


def _kind(code: Any, at: str) -> str:
    """The operator's name by the greater of its two codes: old files have one, new ones both."""
    number = max(raw_scalar(code, "builtin_code"), raw_scalar(code, "deprecated_builtin_code"))
    if number < 0:
        raise InvalidModel(f"its operator code is {number}", at=at, fix=_FIX_DAMAGED)
    if number not in kinds():
        raise UnsupportedModel(
            f"its operator code is {number}; known are 0 to {max(kinds())}", at=at, fix=_FIX_NEWER
        )
    return kinds()[number]


def _options_accessors(kind: str, file: Any) -> Any | None:
    """The operator's options table; None where it is absent or one of another kind.

    TFLM's parser treats options of another kind as absent too.
    """
    name = options_table(kind)
    unions = {
        "builtin_options": (file.BuiltinOptionsType(), file.BuiltinOptions),
        "builtin_options2": (file.BuiltinOptions2Type(), file.BuiltinOptions2),
    }
    for union, (number, content) in unions.items():
        if name is not None and members(UNIONS[union]).get(number) == name:
            found = content()
            if found is not None:
                accessors = getattr(tflite, name)()
                accessors.Init(found.Bytes, found.Pos)
                return accessors
    return None


def _quantization(file: Any | None) -> Quantization | None:
    """None without scales or without zero points: TFLM takes both as not quantised."""
    if file is None:
        return None
    scales, zero_points = tuple(vector(file, "Scale")), tuple(vector(file, "ZeroPoint"))
    if not scales or not zero_points:
        return None
    return Quantization(scales, zero_points, file.QuantizedDimension())


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")
