"""What do the orders of reads and writes in the kernels' headers allow?

In: a kernel call. Out: the same call with its clearances, and with the views
that make it superfluous. One row a kernel in `CONTRACTS` and `VIEWS`; what is
not listed must not overlap, and is never left out. Everything follows from the
parameters that the kernel gets, so a call that is changed needs its contract
looked up again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from mcucomp.ops.base import Clearance, ConstantArray, KernelCall, ParamValue, View
from mcucomp.ops.clearance import (
    Axis,
    Geometry,
    WalkTooLong,
    channelwise,
    convolution,
    dense,
    dense_backward,
    elementwise,
    gathered,
    padded,
    require_walkable,
    strided,
)
from mcucomp.ops.constants import BLOCK_OUTPUTS

DENSE_BACKWARD = "mcuc_conv_2d_s8__1x1_backward"
_PIXELS_TOGETHER = 2

Params = Mapping[str, ParamValue]
Contract = Callable[[Params], tuple[Clearance, ...]]


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


def _int(params: Params, name: str) -> int:
    value = params[name]
    assert isinstance(value, int)
    return value


def _ints_of(params: Params, *names: str) -> tuple[int, ...]:
    return tuple(_int(params, name) for name in names)


def _ints(params: Params, name: str) -> tuple[int, ...]:
    value = params[name]
    assert isinstance(value, tuple)
    return tuple(int(v) for v in value)


def _array(params: Params, name: str) -> np.ndarray:
    value = params[name]
    assert isinstance(value, ConstantArray)
    return value.values


def _above(*low_bytes: int | None) -> tuple[Clearance, ...]:
    """Each input, in the order of the call's reads, at least so far above the output."""
    return tuple(Clearance(k, low_bytes=low) for k, low in enumerate(low_bytes))


def _geometry(params: Params) -> Geometry:
    """The windows of a convolution or a pool."""

    def axis(side: str, letter: str, pad: str) -> Axis:
        dilation = f"dilation_{letter}"
        return Axis(
            in_size=_int(params, f"in_{side}"),
            out_size=_int(params, f"out_{side}"),
            taps=_int(params, f"filter_{side}"),
            stride=_int(params, f"stride_{letter}"),
            dilation=_int(params, dilation) if dilation in params else 1,
            pad=_int(params, pad),
        )

    return Geometry(
        _int(params, "batches"), axis("height", "h", "pad_top"), axis("width", "w", "pad_left")
    )


def _convolution(params: Params) -> tuple[Clearance, ...]:
    groups, channels, outputs = _ints_of(
        params, "groups", "group_in_channels", "group_out_channels"
    )
    return _above(convolution(_geometry(params), groups, channels, outputs))


def _depthwise(params: Params) -> tuple[Clearance, ...]:
    channels = _int(params, "channels")
    return _above(channelwise(_geometry(params), channels, paired=True, block=BLOCK_OUTPUTS))


def _pool(params: Params) -> tuple[Clearance, ...]:
    return _above(channelwise(_geometry(params), _int(params, "channels"), paired=False, block=1))


def _dense(params: Params) -> tuple[Clearance, ...]:
    """Of the kernel and of its backward form, two pixels at a time."""
    pixels, channels, outputs = _ints_of(params, "pixels", "in_channels", "out_channels")
    below = dense_backward(pixels, channels, outputs, _PIXELS_TOGETHER)
    return (
        *_above(dense(pixels, channels, outputs, _PIXELS_TOGETHER)),
        Clearance(0, high_bytes=None if below is None else -below, kernel=DENSE_BACKWARD),
    )


def _rows(params: Params) -> tuple[Clearance, ...]:
    rows, channels, outputs = _ints_of(params, "rows", "in_channels", "out_channels")
    return _above(dense(rows, channels, outputs, 1))


def _elements(in_bytes: int = 1, out_bytes: int = 1, inputs: int = 1) -> Contract:
    """Element after element, ascending: read, then written."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        low = elementwise(_int(params, "size"), in_bytes, out_bytes)
        return _above(*[low] * inputs)

    return contract


def _softmax(params: Params) -> tuple[Clearance, ...]:
    """A row is read as a whole, then element after element is read and written."""
    return _above(elementwise(_int(params, "rows") * _int(params, "depth")))


def _pairs(width: int = 1) -> Contract:
    """Output elements in raster order: both inputs' elements are read, then it is written."""

    def contract(params: Params) -> tuple[Clearance, ...]:
        shape = _ints(params, "shape")
        walks = (strided(shape, _ints(params, f"{name}_strides")) for name in "ab")
        return _above(*(gathered(walk, width) for walk in walks))

    return contract


def _strided_copy(width: int) -> Contract:
    def contract(params: Params) -> tuple[Clearance, ...]:
        walk = strided(_ints(params, "shape"), _ints(params, "strides"))
        return _above(gathered(walk + _int(params, "start"), width))

    return contract


def _table_copy(params: Params) -> tuple[Clearance, ...]:
    """Runs are copied byte by byte, from where entries of the table add up to."""
    offsets, places, first = _array(params, "offsets"), np.zeros(1, np.int64), 0
    require_walkable(math.prod(_ints(params, "shape")) * _int(params, "run_bytes"))
    for size in _ints(params, "shape"):
        places = (places[:, None] + offsets[first : first + size].astype(np.int64)).ravel()
        first += size
    run = np.arange(_int(params, "run_bytes"), dtype=np.int64)
    return _above(gathered((places[:, None] + run).ravel()))


def _mean(params: Params) -> tuple[Clearance, ...]:
    return _above(gathered(strided(_ints(params, "kept_shape"), _ints(params, "kept_strides"))))


def _pad(params: Params) -> tuple[Clearance, ...]:
    return _above(padded(*(_ints(params, n) for n in ("in_shape", "before", "after"))))


CONTRACTS: Mapping[str, Contract] = {
    "mcuc_add_s8": _elements(inputs=2),
    "mcuc_add_s8__broadcast": _pairs(),
    "mcuc_average_pool_2d_s8": _pool,
    "mcuc_conv_2d_s8": _convolution,
    "mcuc_conv_2d_s8__1x1": _dense,
    "mcuc_copy_s8": lambda params: (Clearance(0),),
    "mcuc_depthwise_conv_2d_s8": _depthwise,
    "mcuc_dequantize_s8_f32": _elements(1, 4),
    "mcuc_dequantize_u8_f32": _elements(1, 4),
    "mcuc_exponential_f32": _elements(4, 4),
    "mcuc_extremum_s16": _pairs(2),
    "mcuc_extremum_s8": _pairs(),
    "mcuc_fully_connected_s8": _rows,
    "mcuc_lookup_s8": _elements(),
    "mcuc_max_pool_2d_s8": _pool,
    "mcuc_mean_s8": _mean,
    "mcuc_mul_s16": _pairs(2),
    "mcuc_mul_s8": _pairs(),
    "mcuc_pad_s8": _pad,
    "mcuc_piecewise_s16": _elements(2, 2),
    "mcuc_quantize_f32_s8": _elements(4, 1),
    "mcuc_requantize_s8": _elements(),
    "mcuc_sigmoid_s16": _elements(2, 2),
    "mcuc_softmax_s8": _softmax,
    "mcuc_strided_copy_b16": _strided_copy(2),
    "mcuc_strided_copy_b32": _strided_copy(4),
    "mcuc_strided_copy_b8": _strided_copy(1),
    "mcuc_sum_s16": _pairs(2),
    "mcuc_sum_s8": _pairs(),
    "mcuc_table_copy": _table_copy,
    "mcuc_transcendental_f32": _elements(4, 4),
    "mcuc_unary_f32": _elements(4, 4),
}


def _copied(call: KernelCall) -> tuple[View, ...]:
    """The output is the input."""
    return (View(whole=call.reads[0], part=call.writes[0]),)


def _joined(call: KernelCall) -> tuple[View, ...]:
    """Along the outermost dimension inputs are parts of the output, one behind the other."""
    if _int(call.params, "rows") != 1:
        return ()
    ends = np.cumsum(_array(call.params, "run_bytes").astype(np.int64))
    starts = [0, *ends[:-1].tolist()]
    return tuple(
        View(whole=call.writes[0], part=part, offset_bytes=start)
        for part, start in zip(call.reads, starts, strict=True)
    )


def _parted(call: KernelCall) -> tuple[View, ...]:
    """Along the outermost dimension outputs are parts of the input."""
    if _int(call.params, "rows") != 1:
        return ()
    ends = np.cumsum(_array(call.params, "run_bytes").astype(np.int64))
    starts = [0, *ends[:-1].tolist()]
    return tuple(
        View(whole=call.reads[0], part=part, offset_bytes=start)
        for part, start in zip(call.writes, starts, strict=True)
    )


VIEWS: Mapping[str, Callable[[KernelCall], tuple[View, ...]]] = {
    "mcuc_concatenate": _joined,
    "mcuc_copy_s8": _copied,
    "mcuc_split": _parted,
}
