"""DIV: two tensors of the same shape or broadcast.

Not int8: TensorFlow Lite Micro's kernel shifts by more bits than there are
and gives chance results for some quotients, so that there is no answer to
agree with.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, Node, OperatorDef, register
from mcucomp.ops.conditions import has_known_activation
from mcucomp.ops.element_types import by_type
from mcucomp.ops.pairs import FIRST, is_not_quantized, pair_constraints
from mcucomp.ops.sums import plain

_LOWERINGS = {
    DType.FLOAT32: plain(DType.FLOAT32, "/"),
    DType.INT32: plain(DType.INT32, "/"),
}


def _int8_found(node: Node) -> str | None:
    tensors = [node.graph.tensors[i] for i in node.operator.inputs if i >= 0]
    return "int8" if any(tensor.dtype is DType.INT8 for tensor in tensors) else None


DIV = register(
    OperatorDef(
        kind="DIV",
        summary="quotient of two tensors; of int32 rounded towards 0, and 0 where the divisor is 0",
        constraints=(
            Constraint("inputs are not int8, whose quotients TFLM leaves undefined", _int8_found),
            *pair_constraints(tuple(_LOWERINGS)),
            has_known_activation(),
            is_not_quantized(),
        ),
        lower=by_type(_LOWERINGS, FIRST),
    )
)
