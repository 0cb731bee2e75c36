"""What do MAXIMUM and MINIMUM have in common?

They compare stored values, whatever the quantisation says, as TFLM does.
"""

from __future__ import annotations

from collections.abc import Callable

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef
from mcucomp.ops.element_types import by_type
from mcucomp.ops.pairs import FIRST, pair_call, pair_constraints
from mcucomp.ops.sums import plain


def extremum_definition(kind: str, summary: str, *, is_min: bool) -> OperatorDef:
    """The definition of MAXIMUM or MINIMUM."""

    def stored(kernel: str) -> Callable[[Node], KernelCall]:
        return lambda node: pair_call(node, kernel, {"is_min": int(is_min)})

    operation = "<" if is_min else ">"
    lowerings = {
        DType.FLOAT32: plain(DType.FLOAT32, operation, has_activation=False),
        DType.INT8: stored("mcuc_extremum_s8"),
        DType.INT16: stored("mcuc_extremum_s16"),
        DType.INT32: plain(DType.INT32, operation),
        DType.INT64: stored("mcuc_extremum_s64"),
    }
    return OperatorDef(
        kind=kind,
        summary=f"{summary}; of int8 and int16 by what is stored, whatever the scales",
        constraints=pair_constraints(tuple(lowerings)),
        lower=by_type(lowerings, FIRST),
    )
