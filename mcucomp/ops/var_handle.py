"""VAR_HANDLE: the name of a resource. It does nothing; `resources.py` follows the name."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, has_type


def _found(node: Node) -> str | None:
    inputs, outputs = len(node.operator.inputs), len(node.operator.outputs)
    return None if (inputs, outputs) == (0, 1) else f"{inputs} inputs and {outputs} outputs"


VAR_HANDLE = register(
    OperatorDef(
        kind="VAR_HANDLE",
        summary="a handle of a variable; no code",
        constraints=(
            Constraint("one output, and no inputs", _found),
            has_type(OUTPUT, DType.RESOURCE),
        ),
        lower=lambda node: KernelCall("", {}, (), ()),
    )
)
