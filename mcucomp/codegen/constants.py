"""Which arrays go to flash, and how is each number written?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mcucomp.ir import Tensor
from mcucomp.ops import ConstantArray

# numpy's name of the values that each C type of the generated code holds.
NUMPY_DTYPES = {
    "int8_t": "int8",
    "uint8_t": "uint8",
    "int16_t": "int16",
    "uint16_t": "uint16",
    "int32_t": "int32",
    "uint32_t": "uint32",
    "int64_t": "int64",
    "uint64_t": "uint64",
    "float": "float32",
}

LINE_CHARACTERS = 96


@dataclass(frozen=True, slots=True)
class FlashArray:
    """An array of `weights.c`: `rows` are its initialiser, a line each."""

    symbol: str
    c_type: str
    length: int
    rows: tuple[str, ...]
    size_bytes: int
    is_weight: bool


class ConstantPool:
    """Collects constants under symbols; equal ones (type and bytes) share one."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._arrays: dict[tuple[str, bytes], FlashArray] = {}

    def add(self, name: str, constant: ConstantArray) -> str:
        """The symbol that holds `constant`; `name` is used where it is new.

        One without elements, which C does not have, gets one that nobody reads.
        """
        values = np.ascontiguousarray(constant.values).reshape(-1)
        if not values.size:
            values = np.zeros(1, values.dtype)
        expected = NUMPY_DTYPES[constant.c_type]
        if values.dtype != np.dtype(expected):
            raise TypeError(f"{name}: {constant.c_type} takes {expected}; got {values.dtype}")
        key = (constant.c_type, values.tobytes())
        if key not in self._arrays:
            self._arrays[key] = FlashArray(
                symbol=f"{self._prefix}{name}",
                c_type=constant.c_type,
                length=len(values),
                rows=_rows([literal(v, constant.c_type) for v in values.tolist()]),
                size_bytes=values.nbytes,
                is_weight=constant.is_weight,
            )
        return self._arrays[key].symbol

    @property
    def arrays(self) -> tuple[FlashArray, ...]:
        return tuple(self._arrays.values())


def tensor_constant(tensor: Tensor) -> ConstantArray:
    """The values of a constant tensor, as an array that a kernel reads from flash."""
    c_type = tensor.dtype.c_type
    values = np.frombuffer(tensor.data or b"", dtype=np.dtype(NUMPY_DTYPES[c_type]))
    return ConstantArray(c_type, values, is_weight=True)


def literal(value: float, c_type: str) -> str:
    """`value` as a C99 constant of `c_type`, exact."""
    if c_type == "float":
        return float_literal(value)
    if c_type == "int32_t" and value == -(2**31):
        return "INT32_MIN"
    if c_type == "int64_t":
        return "INT64_MIN" if value == -(2**63) else f"{int(value)}LL"
    suffix = {"uint64_t": "uLL"}.get(c_type, "u" if c_type.startswith("u") else "")
    return f"{int(value)}{suffix}"


def float_literal(value: float) -> str:
    """A float32 as a C constant: nine digits name one float32 and no other.

    The names of what is no number are those of math.h.
    """
    if not math.isfinite(value):
        return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    text = f"{value:.9g}"
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"


def _rows(words: list[str]) -> tuple[str, ...]:
    rows, row = [], ""
    for word in words:
        if row and len(row) + len(word) + 2 > LINE_CHARACTERS:
            rows.append(row)
            row = ""
        row += ("" if not row else " ") + word + ","
    return (*rows, row) if row else tuple(rows)
