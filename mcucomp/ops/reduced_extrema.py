"""What do REDUCE_MAX, REDUCE_MIN and REDUCE_ALL have in common?"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import KernelCall, Node, OperatorDef
from mcucomp.ops.conditions import INPUT, OUTPUT, has_same_quantization, is_quantized
from mcucomp.ops.element_types import by_type, where
from mcucomp.ops.means import float_reduction
from mcucomp.ops.reductions import reduction_constraints, reduction_walk


def extremum_definition(
    kind: str, summary: str, *, is_min: bool, dtypes: tuple[DType, ...]
) -> OperatorDef:
    """The definition of a reduction that picks one of the elements."""

    def stored(node: Node) -> KernelCall:
        source, result = node.input(0), node.output()
        params = {**reduction_walk(node, "reduced"), "is_min": int(is_min)}
        return KernelCall(
            "mcuc_reduce_extremum_s8", params, reads=(source.index,), writes=(result.index,)
        )

    def float32(node: Node) -> KernelCall:
        return float_reduction(node, "<" if is_min else ">")

    lowerings = {DType.FLOAT32: float32, DType.INT8: stored, DType.BOOL: stored}
    quantized = (is_quantized(INPUT), is_quantized(OUTPUT), has_same_quantization(INPUT, OUTPUT))
    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            *reduction_constraints(dtypes),
            *(where(DType.INT8, constraint) for constraint in quantized if DType.INT8 in dtypes),
        ),
        lower=by_type({dtype: lowerings[dtype] for dtype in dtypes}),
    )
