"""How are a call's parameters and arguments written in C?"""

from __future__ import annotations

from collections.abc import Sequence

from mcucomp.codegen.constants import ConstantPool, float_literal, literal
from mcucomp.ops import ConstantArray, ParamValue


def param_text(pool: ConstantPool, name: str, value: ParamValue) -> str:
    """The initialiser of a member of a kernel's parameters; arrays go to `pool` under `name`."""
    if isinstance(value, ConstantArray):
        return pool.add(name, value)
    if isinstance(value, tuple):
        return "{" + ", ".join(literal(v, "int32_t") for v in value) + "}"
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return float_literal(value)
    return literal(int(value), "int32_t")


def pointers(c_type: str, arguments: Sequence[str]) -> str:
    """An array of pointers as one argument."""
    return f"({c_type}[]){{{', '.join(arguments)}}}"
