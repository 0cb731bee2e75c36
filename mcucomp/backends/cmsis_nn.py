"""Kernels of CMSIS-NN, for users who have a copy of it.

In: a portable call and the CPU. Out: the call of a function of CMSIS-NN that
gives the same bytes, with the scratch that its `_get_buffer_size` asks for on
that CPU (of all releases from 4.0.0 on the largest), or why the portable
kernel stays: CMSIS-NN has nothing for it, or this copy of it has not.

CMSIS-NN promises no order of reads and writes, so its outputs never overlap
its inputs. What it executes depends on the copy, so it is no part of the table
of costs: it is taken where it is asked for, wherever it can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import PurePosixPath

import numpy as np

from mcucomp.backends.base import Backend, Refused
from mcucomp.backends.dsp.convolution import unblocked
from mcucomp.backends.dsp.requantise import SUM_LIMIT, array, bounds, integer
from mcucomp.ops import ConstantArray, KernelCall, ParamValue

NAME = "cmsis-nn"
CONVOLUTION = "mcuc_conv_2d_s8__cmsis_nn"
POINTWISE = "mcuc_conv_2d_s8__cmsis_nn_1x1"
DEPTHWISE = "mcuc_depthwise_conv_2d_s8__cmsis_nn"
DEPTHWISE_3X3 = "mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3"
DEPTHWISE_GENERAL = "mcuc_depthwise_conv_2d_s8__cmsis_nn_general"
FULLY_CONNECTED = "mcuc_fully_connected_s8__cmsis_nn"
ADD, MUL = "mcuc_add_s8__cmsis_nn", "mcuc_mul_s8__cmsis_nn"
AVERAGE_POOL = "mcuc_average_pool_2d_s8__cmsis_nn"
AVERAGE_POOL_PLAIN = "mcuc_average_pool_2d_s8__cmsis_nn_plain"
MAX_POOL = "mcuc_max_pool_2d_s8__cmsis_nn"
SOFTMAX = "mcuc_softmax_s8__cmsis_nn"

# The function of CMSIS-NN that each kernel calls.
FUNCTIONS: Mapping[str, str] = {
    CONVOLUTION: "arm_convolve_wrapper_s8",
    POINTWISE: "arm_convolve_1x1_s8",
    DEPTHWISE: "arm_depthwise_conv_s8_opt",
    DEPTHWISE_3X3: "arm_depthwise_conv_3x3_s8",
    DEPTHWISE_GENERAL: "arm_depthwise_conv_s8",
    FULLY_CONNECTED: "arm_fully_connected_s8",
    ADD: "arm_elementwise_add_s8",
    MUL: "arm_elementwise_mul_s8",
    AVERAGE_POOL: "arm_avgpool_s8",
    AVERAGE_POOL_PLAIN: "arm_avgpool_s8",
    MAX_POOL: "arm_max_pool_s8",
    SOFTMAX: "arm_softmax_s8",
}

PLAIN, DSP, VECTORS = "plain", "dsp", "mve"
# What CMSIS-NN makes of each CPU.
CORES: Mapping[str, str] = {
    "cortex-m0": PLAIN,
    "cortex-m0plus": PLAIN,
    "cortex-m3": PLAIN,
    "cortex-m4": DSP,
    "cortex-m7": DSP,
    "cortex-m33": DSP,
    "cortex-m55": VECTORS,
}
# Channels that the depthwise convolution for vectors takes at a time.
_VECTOR_CHANNELS = 124
# A sum that is 512 times its largest term would be shifted by more than 31 bits.
_SOFTMAX_DEPTH_MAX = 511
_RIGHT_SHIFT_MAX = 30

Rule = Callable[[str, KernelCall], KernelCall]


def backend(cpu: str, functions: Collection[str]) -> Backend:
    """The backend for a CPU, with those functions that the user's copy has."""
    core = CORES.get(cpu, PLAIN)
    return Backend(
        name=NAME,
        folder=PurePosixPath("kernels/cmsis_nn"),
        suffix="__cmsis_nn",
        cpus=frozenset(CORES),
        rules={
            kernel: (partial(_replaced, rule, core, frozenset(functions)),)
            for kernel, rule in _RULES.items()
        },
        alignment=4,
        is_measured=False,
    )


def _replaced(rule: Rule, core: str, functions: frozenset[str], call: KernelCall) -> KernelCall:
    """What the rule makes of `call`, if the copy has the function for it."""
    replaced = rule(core, call)
    function = FUNCTIONS[replaced.kernel]
    if function not in functions:
        raise Refused(f"this copy of CMSIS-NN has no {function}")
    return replaced


def _convolution(core: str, call: KernelCall) -> KernelCall:
    if integer(call, "groups") > 1:
        raise Refused("it has several groups, which not every release of CMSIS-NN takes")
    outputs, channels = integer(call, "group_out_channels"), integer(call, "group_in_channels")
    weights = unblocked(array(call, "filter"), outputs)
    is_one_pixel = (
        integer(call, "filter_height") == integer(call, "filter_width") == 1
        and integer(call, "pad_top") == integer(call, "pad_left") == 0
    )
    params = _layer(
        call, weights, _sizes(call, "in", channels), _sizes(call, "out", outputs), outputs, channels
    )
    if is_one_pixel:
        return _call(POINTWISE, call, params)
    return _call(CONVOLUTION, call, params, _columns_bytes(core, weights.shape[1]))


def _columns_bytes(core: str, taps: int) -> int:
    """The columns that a convolution copies its input to; `taps` are those of one output."""
    if core == VECTORS:
        return 64 * (-(-taps // 16))
    return 4 * (-(-taps // 4) * 4)


def _pointwise(_core: str, call: KernelCall) -> KernelCall:
    outputs, channels = integer(call, "out_channels"), integer(call, "in_channels")
    return _one_row(
        call,
        unblocked(array(call, "filter"), outputs),
        integer(call, "pixels"),
        array(call, "multiplier"),
        array(call, "right_shift"),
        channels,
    )


def _one_row(
    call: KernelCall,
    weights: np.ndarray,
    pixels: int,
    multipliers: np.ndarray,
    right_shifts: np.ndarray,
    channels: int,
) -> KernelCall:
    """The same layer for each pixel of a row; its input counts as it is."""
    outputs = len(weights)
    params: dict[str, ParamValue] = {
        "filter": _weights(weights),
        "bias": ConstantArray("int32_t", array(call, "bias").astype(np.int32)),
        **_scaling(multipliers, right_shifts, _magnitude(call, weights, array(call, "bias"))),
        "input_size": (1, 1, pixels, channels),
        "filter_size": (outputs, 1, 1, channels),
        "output_size": (1, 1, pixels, outputs),
        "stride": (1, 1),
        "padding": (0, 0),
        "dilation": (1, 1),
        "in_offset": 0,
        **_output(call),
    }
    return _call(POINTWISE, call, params)


def _depthwise(core: str, call: KernelCall) -> KernelCall:
    channels = integer(call, "channels")
    taps = integer(call, "filter_height") * integer(call, "filter_width")
    params = _layer(
        call,
        array(call, "filter").reshape(taps, channels).T,
        _sizes(call, "in", channels),
        _sizes(call, "out", channels),
        1,
        channels,
    )
    # Here filters lie as they come: channels vary fastest.
    params["filter"] = _weights(array(call, "filter"))
    is_plain = integer(call, "batches") == 1 and params["dilation"] == (1, 1)
    pads = max(integer(call, "pad_top"), integer(call, "pad_left"))
    size = (integer(call, "filter_height"), integer(call, "filter_width"))
    if is_plain and core != VECTORS and size == (3, 3) and pads <= 1:
        return _call(DEPTHWISE_3X3, call, params)
    if is_plain and core != PLAIN:
        scratch_bytes = 4 * _VECTOR_CHANNELS * taps if core == VECTORS else 2 * channels * taps
        return _call(DEPTHWISE, call, params, scratch_bytes)
    return _call(DEPTHWISE_GENERAL, call, params)


def _fully_connected(core: str, call: KernelCall) -> KernelCall:
    outputs, channels = integer(call, "out_channels"), integer(call, "in_channels")
    weights, rows = unblocked(array(call, "filter"), outputs), integer(call, "rows")
    multiplier, right_shift = integer(call, "multiplier"), integer(call, "right_shift")
    if core == VECTORS:
        # Releases differ in what their dense layer wants prepared; a filter of one pixel is alike.
        same = np.ones(outputs, np.int64)
        return _one_row(call, weights, rows, multiplier * same, right_shift * same, channels)
    params: dict[str, ParamValue] = {
        "filter": _weights(weights),
        "bias": ConstantArray("int32_t", array(call, "bias").astype(np.int32)),
        "rows": rows,
        "in_channels": channels,
        "out_channels": outputs,
        "multiplier": multiplier,
        "shift": -_small_shift(right_shift),
        **_output(call),
    }
    return _call(FULLY_CONNECTED, call, params)


def _add(_core: str, call: KernelCall) -> KernelCall:
    params: dict[str, ParamValue] = {
        "size": integer(call, "size"),
        "a_offset": integer(call, "a_offset"),
        "b_offset": integer(call, "b_offset"),
        "b_multiplier": integer(call, "b_multiplier"),
        "b_shift": -_small_shift(integer(call, "b_right_shift")),
        "out_offset": integer(call, "out_zero_point"),
        "out_multiplier": integer(call, "out_multiplier"),
        "out_shift": -_small_shift(integer(call, "out_right_shift")),
        "out_min": integer(call, "out_min"),
        "out_max": integer(call, "out_max"),
    }
    return _call(ADD, call, params)


def _mul(_core: str, call: KernelCall) -> KernelCall:
    shape, *strides = (_tuple(call, name) for name in ("shape", "a_strides", "b_strides"))
    raster = [int(np.prod(shape[k + 1 :], dtype=np.int64)) for k in range(len(shape))]
    if any(
        stride != wanted
        for each in strides
        for stride, wanted, size in zip(each, raster, shape, strict=True)
        if size > 1
    ):
        raise Refused("one input is repeated")
    params: dict[str, ParamValue] = {
        "size": int(np.prod(shape, dtype=np.int64)),
        "a_offset": integer(call, "a_offset"),
        "b_offset": integer(call, "b_offset"),
        "out_offset": integer(call, "out_zero_point"),
        "multiplier": integer(call, "multiplier"),
        "shift": -_small_shift(integer(call, "right_shift")),
        "out_min": integer(call, "out_min"),
        "out_max": integer(call, "out_max"),
    }
    return _call(MUL, call, params)


def _pool(call: KernelCall) -> dict[str, ParamValue]:
    if integer(call, "batches") > 1:
        raise Refused("it has several images, of which release 4.0.0 pools only the first")
    channels = integer(call, "channels")
    return {
        "input_size": _sizes(call, "in", channels),
        "filter_size": (1, integer(call, "filter_height"), integer(call, "filter_width"), 1),
        "output_size": _sizes(call, "out", channels),
        "stride": (integer(call, "stride_w"), integer(call, "stride_h")),
        "padding": (integer(call, "pad_left"), integer(call, "pad_top")),
        "out_min": integer(call, "out_min"),
        "out_max": integer(call, "out_max"),
    }


def _average_pool(core: str, call: KernelCall) -> KernelCall:
    if core != DSP:
        return _call(AVERAGE_POOL_PLAIN, call, _pool(call))
    return _call(AVERAGE_POOL, call, _pool(call), 4 * integer(call, "channels"))


def _max_pool(_core: str, call: KernelCall) -> KernelCall:
    return _call(MAX_POOL, call, _pool(call))


def _softmax(_core: str, call: KernelCall) -> KernelCall:
    depth = integer(call, "depth")
    if depth > _SOFTMAX_DEPTH_MAX:
        raise Refused(f"for {depth} values C leaves the shift of CMSIS-NN undefined")
    params: dict[str, ParamValue] = {
        "rows": integer(call, "rows"),
        "depth": depth,
        "multiplier": integer(call, "multiplier"),
        "shift": integer(call, "left_shift"),
        "diff_min": integer(call, "diff_min"),
    }
    return _call(SOFTMAX, call, params)


_RULES: Mapping[str, Rule] = {
    "mcuc_conv_2d_s8": _convolution,
    "mcuc_conv_2d_s8__1x1": _pointwise,
    "mcuc_depthwise_conv_2d_s8": _depthwise,
    "mcuc_fully_connected_s8": _fully_connected,
    "mcuc_add_s8": _add,
    "mcuc_mul_s8": _mul,
    "mcuc_average_pool_2d_s8": _average_pool,
    "mcuc_max_pool_2d_s8": _max_pool,
    "mcuc_softmax_s8": _softmax,
}


def _call(
    kernel: str, replaced: KernelCall, params: Mapping[str, ParamValue], scratch_bytes: int = 0
) -> KernelCall:
    sized = {"scratch_bytes": scratch_bytes} if scratch_bytes else {}
    return KernelCall(
        kernel,
        {**params, **sized},
        reads=replaced.reads,
        writes=replaced.writes,
        scratch_bytes=scratch_bytes,
        macs=replaced.macs,
    )


def _layer(
    call: KernelCall,
    weights: np.ndarray,
    input_size: tuple[int, ...],
    output_size: tuple[int, ...],
    filters: int,
    channels: int,
) -> dict[str, ParamValue]:
    """`weights` have a row an output; the bias is freed of the zero point that is folded in."""
    zero_point = integer(call, "in_zero_point")
    folded = array(call, "bias")
    bias = folded + zero_point * weights.sum(axis=1)
    return {
        "filter": _weights(weights),
        "bias": ConstantArray("int32_t", bias.astype(np.uint32).view(np.int32)),
        **_scaling(
            array(call, "multiplier"), array(call, "right_shift"), _magnitude(call, weights, folded)
        ),
        "input_size": input_size,
        "filter_size": (
            filters, integer(call, "filter_height"), integer(call, "filter_width"), channels,
        ),
        "output_size": output_size,
        "stride": (integer(call, "stride_w"), integer(call, "stride_h")),
        "padding": (integer(call, "pad_left"), integer(call, "pad_top")),
        "dilation": (integer(call, "dilation_w"), integer(call, "dilation_h")),
        "in_offset": -zero_point,
        **_output(call),
    }  # fmt: skip


def _weights(weights: np.ndarray) -> ConstantArray:
    return ConstantArray("int8_t", weights.astype(np.int8).ravel(), is_weight=True)


def _magnitude(call: KernelCall, weights: np.ndarray, folded_bias: np.ndarray) -> np.ndarray:
    """The largest |sum| of each output over all int8 inputs; `weights` have a row an output."""
    lowest, highest = bounds(call, weights, folded_bias)
    magnitude: np.ndarray = np.maximum(-lowest, highest)
    return magnitude


def _scaling(
    multipliers: np.ndarray, right_shifts: np.ndarray, magnitude: np.ndarray
) -> dict[str, ParamValue]:
    """Of each output. Where a shift that would overflow leaves 0 of every sum, it is 0 times it."""
    is_nothing = (right_shifts > _RIGHT_SHIFT_MAX) & (magnitude < SUM_LIMIT)
    shifts = np.where(is_nothing, 0, right_shifts)
    _small_shift(int(shifts.max()))
    return {
        "multiplier": ConstantArray("int32_t", np.where(is_nothing, 0, multipliers).astype("i4")),
        "shift": ConstantArray("int32_t", (-shifts).astype(np.int32)),
    }


def _small_shift(right_shift: int) -> int:
    if right_shift > _RIGHT_SHIFT_MAX:
        raise Refused(f"a right shift is {right_shift}, which overflows in CMSIS-NN")
    return right_shift


def _output(call: KernelCall) -> dict[str, ParamValue]:
    return {
        "out_offset": integer(call, "out_zero_point"),
        "out_min": integer(call, "out_min"),
        "out_max": integer(call, "out_max"),
    }


def _sizes(call: KernelCall, side: str, channels: int) -> tuple[int, ...]:
    height, width = integer(call, f"{side}_height"), integer(call, f"{side}_width")
    return (integer(call, "batches"), height, width, channels)


def _tuple(call: KernelCall, name: str) -> tuple[int, ...]:
    value = call.params[name]
    assert isinstance(value, tuple)
    return value
