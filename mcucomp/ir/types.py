"""The types of the intermediate representation."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass


class DType(enum.Enum):
    """An element type, by TFLite's name in lower case.

    All types that a file may name are here, so that a message can name them;
    which of them an operator takes is for `ops/` to say.
    """

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    INT32 = "int32"
    UINT8 = "uint8"
    INT64 = "int64"
    STRING = "string"
    BOOL = "bool"
    INT16 = "int16"
    COMPLEX64 = "complex64"
    INT8 = "int8"
    FLOAT64 = "float64"
    COMPLEX128 = "complex128"
    UINT64 = "uint64"
    RESOURCE = "resource"
    VARIANT = "variant"
    UINT32 = "uint32"
    UINT16 = "uint16"
    INT4 = "int4"
    BFLOAT16 = "bfloat16"
    INT2 = "int2"

    @property
    def element_bytes(self) -> int | None:
        """Bytes of one element in memory; None where there is no such size."""
        return _ELEMENT_BYTES.get(self)

    @property
    def has_c_type(self) -> bool:
        """Whether kernels take it, and applications can be given it."""
        return self in _C_TYPES

    @property
    def c_type(self) -> str:
        """The C type of one element, for the types that kernels take."""
        return _C_TYPES[self]


_ELEMENT_BYTES = {
    DType.FLOAT32: 4,
    DType.FLOAT16: 2,
    DType.INT32: 4,
    DType.UINT8: 1,
    DType.INT64: 8,
    DType.BOOL: 1,
    DType.INT16: 2,
    DType.COMPLEX64: 8,
    DType.INT8: 1,
    DType.FLOAT64: 8,
    DType.COMPLEX128: 16,
    DType.UINT64: 8,
    DType.RESOURCE: 4,
    DType.UINT32: 4,
    DType.UINT16: 2,
    # TFLM unpacks int4 to a byte an element where it lives in the arena.
    DType.INT4: 1,
    DType.BFLOAT16: 2,
}

_C_TYPES = {
    DType.FLOAT32: "float",
    DType.INT32: "int32_t",
    DType.UINT8: "uint8_t",
    DType.INT64: "int64_t",
    DType.BOOL: "uint8_t",
    DType.INT16: "int16_t",
    DType.INT8: "int8_t",
    DType.UINT32: "uint32_t",
    DType.UINT64: "uint64_t",
}


@dataclass(frozen=True, slots=True)
class Quantization:
    """real = scale * (stored - zero_point), per tensor or along one axis.

    `scales` are float32 values held exactly in Python floats. One scale means
    per tensor. `zero_points` has one entry a scale, or a single one for all.
    """

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int = 0


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a graph. `data` holds the raw little-endian bytes of a constant.

    Of a tensor that `is_sparse` they are not the elements in a row. One that `is_changed` has
    other bytes than the file's tensor of that index, as a rewrite left it.
    """

    index: int
    name: str
    dtype: DType
    shape: tuple[int, ...]
    quantization: Quantization | None = None
    data: bytes | None = None
    is_variable: bool = False
    is_sparse: bool = False
    is_changed: bool = False

    @property
    def is_constant(self) -> bool:
        return self.data is not None

    @property
    def elements(self) -> int:
        """Number of elements; a scalar (no dimensions) has one."""
        return math.prod(self.shape)

    @property
    def size_bytes(self) -> int:
        """Bytes in memory, unrounded. Only for types that have a size."""
        element_bytes = self.dtype.element_bytes
        if element_bytes is None:
            raise ValueError(f"{self.dtype.value} has no size")
        return self.elements * element_bytes


OptionValue = int | float | bool | str | bytes | tuple[int, ...] | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator: its kind is TFLite's upper-case name.

    `inputs` and `outputs` are tensor indices; -1 is an optional input that is
    absent. `options` holds the fields of the builtin options table under
    their schema names (`padding`, `stride_w`, `fused_activation_function`);
    enumerations are given by their upper-case names ("SAME", "RELU6").
    For kind CUSTOM, `custom_code` is the name that the file gives.
    """

    index: int
    kind: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: Mapping[str, OptionValue]
    version: int = 1
    custom_code: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """One subgraph, operators in the file's order."""

    name: str
    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A whole file. `source` names it in messages; `sha256` is of its bytes."""

    source: str
    sha256: str
    graphs: tuple[Graph, ...]
    description: str = ""
    metadata: Mapping[str, bytes] | None = None
