"""UNPACK: what lies side by side along one dimension, each as a tensor."""

from __future__ import annotations

from mcucomp.ops.axes import axis_option, is_one_axis, rank_of, wrapped
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import INPUT, dims
from mcucomp.ops.movement import parted_call, run_of
from mcucomp.ops.several import all_outputs, many_outputs
from mcucomp.ops.splitting import parts_constraints


def _axis(node: Node) -> int:
    return wrapped(axis_option(node), len(node.input(0).shape))


def _shapes_found(node: Node) -> str | None:
    shape, axis, results = node.input(0).shape, _axis(node), all_outputs(node)
    part = (*shape[:axis], *shape[axis + 1 :])
    if all(t.shape == part for t in results) and shape[axis] == len(results):
        return None
    return f"{len(results)} of {dims(results[0].shape)} and {dims(shape)}"


def _lower(node: Node) -> KernelCall:
    source, results = node.input(0), all_outputs(node)
    return parted_call(source, results, [run_of(source, _axis(node) + 1)] * len(results))


UNPACK = register(
    OperatorDef(
        kind="UNPACK",
        summary="what lies side by side along one dimension, each as a tensor",
        constraints=(
            many_outputs(1),
            *parts_constraints(INPUT),
            is_one_axis(axis_option, rank_of(INPUT)),
            Constraint("input is all outputs along axis, which they do not have", _shapes_found),
        ),
        lower=_lower,
    )
)
