"""What does a kernel's parameter hold?

In: the parameters of a call, and a name. Out: the value, in the type that the
kernel's struct has; another type is a mistake of the lowering.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mcucomp.ops.base import ConstantArray, ParamValue

Params = Mapping[str, ParamValue]


def integer(params: Params, name: str) -> int:
    """A number."""
    value = params[name]
    assert isinstance(value, int)
    return value


def integers(params: Params, *names: str) -> tuple[int, ...]:
    """Several numbers, in the order of their names."""
    return tuple(integer(params, name) for name in names)


def entries(params: Params, name: str) -> tuple[int, ...]:
    """The numbers of an array that lies in the struct itself."""
    value = params[name]
    assert isinstance(value, tuple)
    return tuple(int(v) for v in value)


def array(params: Params, name: str) -> np.ndarray:
    """The values of an array in flash, in their own type."""
    value = params[name]
    assert isinstance(value, ConstantArray)
    return value.values
