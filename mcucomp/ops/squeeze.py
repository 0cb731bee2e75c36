"""SQUEEZE: the same bytes without dimensions of 1, copied."""

from __future__ import annotations

from mcucomp.ops.axes import wrapped
from mcucomp.ops.base import Constraint, Node, register
from mcucomp.ops.conditions import dims
from mcucomp.ops.views import view_definition


def _dims_found(node: Node) -> str | None:
    named, shape = node.operator.options.get("squeeze_dims"), node.input(0).shape
    if not isinstance(named, tuple):
        return None
    axes = [wrapped(int(axis), len(shape)) for axis in named]
    fits = all(0 <= axis < len(shape) and shape[axis] == 1 for axis in axes)
    return None if fits else f"{', '.join(str(axis) for axis in named)} of {dims(shape)}"


SQUEEZE = register(
    view_definition(
        "SQUEEZE",
        "without dimensions of 1; the output's own shape counts",
        more=(Constraint("axes in squeeze_dims are dimensions of 1", _dims_found),),
    )
)
