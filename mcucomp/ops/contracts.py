"""What do the orders of reads and writes in the kernels' headers allow?

In: a kernel call. Out: the same call with its clearances, and with the views
that make it superfluous. One row a kernel in `CONTRACTS` and `VIEWS`; what is
not listed must not overlap, and is never left out. Everything follows from the
parameters that the kernel gets, so a call that is changed needs its contract
looked up again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from mcucomp.ops import orders
from mcucomp.ops.base import Clearance, KernelCall, View
from mcucomp.ops.clearance import WalkTooLong
from mcucomp.ops.orders import DENSE_BACKWARD, Contract
from mcucomp.ops.params import Params, array, integer

__all__ = ["CONTRACTS", "DENSE_BACKWARD", "VIEWS", "clearances_by", "with_contract"]


def with_contract(call: KernelCall) -> KernelCall:
    """`call` with what its kernel's header allows."""
    if call.files:
        return call
    contract, views = CONTRACTS.get(call.kernel), VIEWS.get(call.kernel)
    found = () if views is None else views(call)
    return replace(call, clearances=clearances_by(contract, call.params), views=found)


def clearances_by(contract: Contract | None, params: Params) -> tuple[Clearance, ...]:
    """What `contract` says of a call; nothing where there is none, or it would take too long."""
    try:
        return () if contract is None else contract(params)
    except WalkTooLong:
        return ()


CONTRACTS: Mapping[str, Contract] = {
    "mcuc_add_n_f32": orders.many_elements(4),
    "mcuc_add_n_s8": orders.many_elements(1),
    "mcuc_add_s8": orders.elements(inputs=2),
    "mcuc_add_s8__broadcast": orders.pairs(),
    "mcuc_arg_extremum_f32": orders.extremum_place(4),
    "mcuc_arg_extremum_s8": orders.extremum_place(1),
    "mcuc_arithmetic_f32": orders.pairs(4),
    "mcuc_arithmetic_s32": orders.pairs(4),
    "mcuc_average_pool_2d_s8": orders.pool(),
    "mcuc_batch_matmul_f32": orders.products(4),
    "mcuc_batch_matmul_s16": orders.products(2),
    "mcuc_batch_matmul_s8": orders.products(1),
    "mcuc_cast": orders.cast,
    "mcuc_compare_b8": orders.pairs(),
    "mcuc_compare_f32": orders.pairs(4, out_bytes=1),
    "mcuc_compare_s32": orders.pairs(4, out_bytes=1),
    "mcuc_compare_s64": orders.pairs(8, out_bytes=1),
    "mcuc_compare_s8": orders.pairs(),
    "mcuc_concatenate": orders.joined,
    "mcuc_conv_2d_f32": orders.plain_convolution(4),
    "mcuc_conv_2d_s16": orders.plain_convolution(2),
    "mcuc_conv_2d_s8": orders.convolution,
    "mcuc_conv_2d_s8__1x1": orders.pointwise,
    "mcuc_copy_s8": orders.anywhere,
    "mcuc_cumsum_f32": orders.summed(4),
    "mcuc_cumsum_s8": orders.summed(1),
    "mcuc_depthwise_conv_2d_s8": orders.depthwise,
    "mcuc_dequantize_s16_f32": orders.elements(2, 4),
    "mcuc_dequantize_s8_f32": orders.elements(1, 4),
    "mcuc_dequantize_u8_f32": orders.elements(1, 4),
    "mcuc_embedding_lookup_s8_f32": orders.looked_up,
    "mcuc_exponential_f32": orders.elements(4, 4),
    "mcuc_extremum_s16": orders.pairs(2),
    "mcuc_extremum_s64": orders.pairs(8),
    "mcuc_extremum_s8": orders.pairs(),
    "mcuc_floor_f32": orders.pairs(4),
    "mcuc_fully_connected_s8": orders.rows,
    "mcuc_gather": orders.gathered_runs,
    "mcuc_gather_nd": orders.gathered_places,
    "mcuc_l2_normalization_f32": orders.normalized(4, 4),
    "mcuc_l2_normalization_s8": orders.normalized(),
    "mcuc_log_softmax_f32": orders.normalized(4, 4),
    "mcuc_log_softmax_s8": orders.normalized(),
    "mcuc_logical": orders.pairs(),
    "mcuc_logical_not": orders.elements(),
    "mcuc_lookup_s8": orders.elements(),
    "mcuc_max_pool_2d_s8": orders.pool(),
    "mcuc_mean_s16": orders.reduced(2),
    "mcuc_mean_s8": orders.reduced(),
    "mcuc_mul_s16": orders.pairs(2),
    "mcuc_mul_s8": orders.pairs(),
    "mcuc_pad_s8": orders.padding,
    "mcuc_piecewise_s16": orders.elements(2, 2),
    "mcuc_pool_2d_f32": orders.pool(4),
    "mcuc_pool_2d_s16": orders.pool(2),
    "mcuc_prelu_f32": orders.pairs(4),
    "mcuc_prelu_s16": orders.pairs(2, b_bytes=1),
    "mcuc_prelu_s8": orders.pairs(),
    "mcuc_quantize_f32_s16": orders.elements(4, 2),
    "mcuc_quantize_f32_s8": orders.elements(4, 1),
    "mcuc_reduce_extremum_s8": orders.reduced(),
    "mcuc_reduce_f32": orders.reduced(4),
    "mcuc_requantize_s8": orders.elements(),
    "mcuc_requantize_wide": orders.requantize_wide,
    "mcuc_resize_bilinear_f32": orders.resized(4),
    "mcuc_resize_bilinear_s8": orders.resized(1),
    "mcuc_rsqrt_s16": orders.elements(2, 2),
    "mcuc_select": orders.selected,
    "mcuc_sigmoid_s16": orders.elements(2, 2),
    "mcuc_signal_energy_s16": orders.elements(4, 4),
    "mcuc_signal_log": orders.elements(4, 2),
    "mcuc_softmax_f32": orders.normalized(4, 4),
    "mcuc_softmax_s16": orders.normalized(2, 2),
    "mcuc_softmax_s8": orders.normalized(),
    "mcuc_softmax_s8_s16": orders.normalized(1, 2),
    "mcuc_squared_difference_s16": orders.pairs(2),
    "mcuc_squared_difference_s8": orders.pairs(),
    "mcuc_strided_copy_b16": orders.strided_copy(2),
    "mcuc_strided_copy_b32": orders.strided_copy(4),
    "mcuc_strided_copy_b8": orders.strided_copy(1),
    "mcuc_sum_s16": orders.pairs(2),
    "mcuc_sum_s8": orders.pairs(),
    "mcuc_table_copy": orders.table_copy,
    "mcuc_transcendental_f32": orders.elements(4, 4),
    "mcuc_transpose_conv_f32": orders.transposed(4),
    "mcuc_transpose_conv_s16": orders.transposed(2),
    "mcuc_transpose_conv_s8": orders.transposed(1),
    "mcuc_unary_f32": orders.elements(4, 4),
    "mcuc_update_slice": orders.anywhere,
}


def _copied(call: KernelCall) -> tuple[View, ...]:
    """The output is the input."""
    return (View(whole=call.reads[0], part=call.writes[0]),)


def _ranges(call: KernelCall) -> list[int] | None:
    """Where parts along the outermost dimension start; None along another."""
    if integer(call.params, "rows") != 1:
        return None
    ends = np.cumsum(array(call.params, "run_bytes").astype(np.int64))
    return [0, *ends[:-1].tolist()]


def _joined(call: KernelCall) -> tuple[View, ...]:
    """Inputs are parts of the output, one behind the other."""
    return tuple(
        View(whole=call.writes[0], part=part, offset_bytes=start)
        for part, start in zip(call.reads, _ranges(call) or (), strict=False)
    )


def _parted(call: KernelCall) -> tuple[View, ...]:
    """Outputs are parts of the input, one behind the other."""
    return tuple(
        View(whole=call.reads[0], part=part, offset_bytes=start)
        for part, start in zip(call.writes, _ranges(call) or (), strict=False)
    )


VIEWS: Mapping[str, Callable[[KernelCall], tuple[View, ...]]] = {
    "mcuc_concatenate": _joined,
    "mcuc_copy_s8": _copied,
    "mcuc_split": _parted,
}
